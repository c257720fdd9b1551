import type { Definition, DefinitionKind } from "../facts.ts";
import type { Layout } from "./layout.ts";

/** A form of definition in a language with braces. */
export interface DefinitionForm {
  /** Global, not sticky; group 1 is the name. The search for a body begins where the match ends. */
  pattern: RegExp;
  kind: DefinitionKind;
  /** Whether to match only outside all braces. */
  isOuter?: boolean;
}

/** A definition with the positions of its text, to find what is nested in it. */
export interface Found extends Definition {
  start: number;
  end: number;
}

/** Maximum distance in characters from a name to its body. */
const MAX_HEAD = 2000;
const ON_THE_WAY = /[{([;}<>]/g;
const IN_STATEMENT = /[([{;)\]}\n]/g;

/** Returns all definitions of these forms, in order. The next brace opens the body, unless a `;` comes first. */
export function definitionsOf(layout: Layout, forms: readonly DefinitionForm[]): Found[] {
  const found = forms.flatMap(({ pattern, kind, isOuter = false }) =>
    [...layout.code.matchAll(pattern)].flatMap((match) => {
      const [whole, name] = match;
      const start = match.index + (/^\s*/.exec(whole)?.[0].length ?? 0);
      if (name === undefined || (isOuter && layout.depthAt(start) > 0)) return [];
      return [foundAt(layout, { name, kind }, start, bodyEnd(layout, match.index + whole.length))];
    }),
  );
  return found.sort((left, right) => left.start - right.start || right.end - left.end);
}

export function foundAt(
  layout: Layout,
  { name, kind }: { name: string; kind: DefinitionKind },
  start: number,
  end: number,
): Found {
  return { name, kind, from: layout.lineAt(start), to: layout.lineAt(end), start, end };
}

/**
 * Returns where a definition ends: at its closing brace, with its statement, or at the end of its line. Braces of a
 * type in between, as in `<T = {}>` and `(): { a: number } {`, do not begin a body.
 */
export function bodyEnd({ code, closing }: Layout, position: number): number {
  const head = code.slice(0, position + MAX_HEAD);
  let angles = 0;
  ON_THE_WAY.lastIndex = position;
  for (let match = ON_THE_WAY.exec(head); match; match = ON_THE_WAY.exec(head)) {
    const { index, 0: mark } = match;
    if (mark === "{") {
      if (angles === 0 && !/[:=&|,]\s*$/.test(code.slice(Math.max(position, index - 20), index)))
        return closing(index);
      ON_THE_WAY.lastIndex = closing(index) + 1;
    } else if (mark === "(" || mark === "[") ON_THE_WAY.lastIndex = closing(index) + 1;
    else if (mark === ";" || mark === "}") return index;
    else if (mark === "<") angles++;
    else if (!/[=-]/.test(code[index - 1] ?? "")) angles = Math.max(0, angles - 1);
  }
  const line = code.indexOf("\n", position);
  return line < 0 ? code.length : line;
}

/**
 * Returns where a statement ends: at its `;`, with the brackets around it, or at a line break for which `goesOn` is
 * false.
 */
export function statementEnd(
  { code, closing }: Layout,
  position: number,
  goesOn: (newline: number) => boolean = () => false,
): number {
  IN_STATEMENT.lastIndex = position;
  for (let match = IN_STATEMENT.exec(code); match; match = IN_STATEMENT.exec(code)) {
    const { index, 0: mark } = match;
    if ("([{".includes(mark)) IN_STATEMENT.lastIndex = closing(index) + 1;
    else if (mark !== "\n" || !goesOn(index)) return index;
  }
  return code.length;
}

/** Returns a test of whether a statement goes on behind a line break: by how the line before it ends or the next one begins. */
export function goingOn(
  { code }: Layout,
  { ends, begins }: { ends: RegExp; begins: RegExp },
): (newline: number) => boolean {
  return (newline) =>
    ends.test(code.slice(Math.max(0, newline - 80), newline).trimEnd()) ||
    begins.test(code.slice(newline + 1, newline + 200).trimStart());
}

/** Prefixes the names of methods with their holder (`Store.open`) and drops the positions. */
export function named(found: readonly Found[], holders: readonly DefinitionKind[]): Definition[] {
  const open: { name: string; end: number }[] = [];
  return found.map(({ start, end, name, ...rest }) => {
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= start) open.pop();
    const holder = open.at(-1)?.name;
    const full = holder === undefined || rest.kind !== "method" ? name : `${holder}.${name}`;
    if (holders.includes(rest.kind)) open.push({ name, end });
    return { name: full, ...rest };
  });
}

/** Returns the names of the definitions that are not within another. */
export function outermost(found: readonly Found[]): string[] {
  let last = -1;
  return found.flatMap(({ name, start, end }) => {
    if (start < last) return [];
    last = end;
    return [name];
  });
}
