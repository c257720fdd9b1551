import type { Definition, DefinitionKind } from "../facts.ts";
import type { Layout } from "./layout.ts";

/** In a language with braces. */
export interface DefinitionForm {
  /** Sticky on nothing, global; group 1 is the name. It ends where the search for a body begins. */
  pattern: RegExp;
  kind: DefinitionKind;
  /** Whether to look for it only where no brace is open. */
  isOuter?: boolean;
}

/** A definition and where its body is, for what lies in it. */
export interface Found extends Definition {
  start: number;
  end: number;
}

/** Further than this from its name no body begins. */
const MAX_HEAD = 2000;
const ON_THE_WAY = /[{([;}<>]/g;
const IN_STATEMENT = /[([{;)\]}\n]/g;

/** All that is of one of these forms, in order. A body is what the next brace opens, unless a `;` comes first. */
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
 * Where what begins at a position ends: with its braces, with its statement, or with its line. Braces of a
 * type on the way, as in `<T = {}>` and `(): { a: number } {`, are no body.
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

/** Where a statement ends: at its `;`, with what is around it, or at a line that `goesOn` does not hold for. */
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

/** Names of members with what holds them in front, and without where they are: `Store.open`. */
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
