import { inAnyScript } from "../any-script.ts";
import { within } from "../classes/namespace-table.ts";
import type { Layout } from "../layout.ts";

/** What the names of a part of a file mean: its namespace, and its imports by the names that it gives them. */
export interface Scope {
  namespace: string;
  /** Where its first statement begins, and where what follows that does. */
  from: number;
  start: number;
  /** How many braces are open around its statements. */
  depth: number;
  classes: Map<string, string>;
  functions: Map<string, string>;
  constants: Map<string, string>;
}

const NAMESPACE = inAnyScript(/(?<![\w\\$>:])namespace(?:\s+([\w\\]+))?\s*([;{])/gi);
const USE = inAnyScript(/(?<![\w\\$>:])use\s+(?:(function|const)\s+)?([^;{}()=$]{1,2000})([;{])/gi);
const ITEM = inAnyScript(/^\s*(?:(function|const)\s+)?([\w\\]+)(?:\s+as\s+(\w+))?\s*$/i);
const MAX_GROUP = 20_000;

/**
 * Returns the scopes of a file, in order, with all that is imported and the statements that do so. Within a class, such a
 * statement names traits. Full names are written with dots.
 */
export function scopesIn(layout: Layout): {
  scopes: Scope[];
  imported: string[];
  statements: { start: number; end: number }[];
} {
  const scopes = namespacesIn(layout);
  const scopeOf = scopeAt(scopes);
  const imported: string[] = [];
  const statements = scopes.slice(1).map(({ from, start }) => ({ start: from, end: start }));
  let last = 0;
  for (const match of layout.code.matchAll(USE)) {
    const [whole, kind, list = "", mark] = match;
    const behind = match.index + whole.length;
    if (match.index < last) continue;
    const scope = scopeOf(match.index);
    if (layout.depthAt(match.index) > scope.depth) continue;
    const end = mark === "{" ? layout.closing(behind - 1) : behind;
    if (end - behind > MAX_GROUP) continue;
    last = end;
    statements.push({ start: match.index, end });
    const prefix = mark === "{" ? list : "";
    const items = mark === "{" ? layout.code.slice(behind, end) : list;
    for (const item of items.split(",")) add(scope, imported, { kind, prefix, item });
  }
  return { scopes, imported, statements: statements.sort((left, right) => left.start - right.start) };
}

function add(
  scope: Scope,
  imported: string[],
  { kind, prefix, item }: { kind: string | undefined; prefix: string; item: string },
): void {
  const match = ITEM.exec(item);
  if (!match) return;
  const [, own, written = "", alias] = match;
  const full = dotted(prefix.trim() + written);
  const name = alias ?? full.slice(full.lastIndexOf(".") + 1);
  const what = (kind ?? own ?? "").toLowerCase();
  const [names, mark] =
    what === "function"
      ? [scope.functions, "()"]
      : what === "const"
        ? [scope.constants, "#"]
        : [scope.classes, ""];
  names.set(what === "const" ? name : lowered(name), full);
  imported.push(full + mark);
}

function namespacesIn({ code }: Layout): Scope[] {
  const scopes = [emptyScope("", { from: 0, start: 0, depth: 0 })];
  for (const match of code.matchAll(NAMESPACE)) {
    const [whole, name = "", mark = ""] = match;
    const start = match.index + whole.length;
    const place = { from: match.index, start: start - mark.length, depth: mark === "{" ? 1 : 0 };
    scopes.push(emptyScope(dotted(name), place));
  }
  return scopes;
}

function emptyScope(namespace: string, place: Pick<Scope, "from" | "start" | "depth">): Scope {
  return { namespace, ...place, classes: new Map(), functions: new Map(), constants: new Map() };
}

/** Returns a function that tells the scope of each of some positions in ascending order. */
export function scopeAt(scopes: readonly Scope[]): (position: number) => Scope {
  let at = 0;
  return (position) => {
    while (at + 1 < scopes.length && (scopes[at + 1]?.start ?? 0) <= position) at++;
    return scopes[at] as Scope;
  };
}

/** Returns the full name of a class as it is written in a scope. */
export function classNamed(written: string, { namespace, classes }: Scope): string {
  if (written.startsWith("\\")) return dotted(written);
  const name = dotted(written);
  const dot = name.indexOf(".");
  const first = dot < 0 ? name : name.slice(0, dot);
  if (dot > 0 && first.toLowerCase() === "namespace") return within(namespace, name.slice(dot + 1));
  const full = classes.get(lowered(first));
  return full === undefined ? within(namespace, name) : full + name.slice(first.length);
}

/** Returns the full name of a function or constant as it is written in a scope. */
export function memberNamed(written: string, scope: Scope, imported: ReadonlyMap<string, string>): string {
  if (written.includes("\\")) return classNamed(written, scope);
  return imported.get(written) ?? within(scope.namespace, written);
}

/** Names of classes and functions are the same in capital letters, if these are ASCII. */
export function lowered(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function dotted(name: string): string {
  return name.replace(/^\\/, "").replaceAll("\\", ".");
}
