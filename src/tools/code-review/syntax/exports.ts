import { splitAtCommas } from "./calls.ts";
import { MEMBER } from "./keywords.ts";
import type { LexedFragment } from "./lexed-fragment.ts";
import { oncePerFragment } from "./lookup/once-per-fragment.ts";

/** What a file of JavaScript exports under a name: a value of its own, or what another module exports. */
export type Exported =
  /** Index of the value's first token, or of its name where it is declared. */
  | { at: number }
  /** Without a name, it is the whole module. */
  | { module: string; name?: string };

export interface Exports {
  named: ReadonlyMap<string, Exported>;
  /** The modules of which it exports everything. */
  all: readonly string[];
}

const DECLARING = /^(?:async|abstract|declare|const|let|var|function|class|\*)$/;
/** Maximum words and marks before the name of what is declared. */
const MAX_HEAD = 5;

/** Returns what a file exports, with `export` or by way of `exports` of CommonJS. */
export const exportsOf = oncePerFragment((fragment): Exports => {
  const named = new Map<string, Exported>();
  const all: string[] = [];
  for (const at of fragment.words.get("export") ?? []) {
    if (MEMBER.has(fragment.text(at - 1))) continue;
    const next = fragment.text(at + 1);
    if (next === "{") readClause(fragment, at + 1, named);
    else if (next === "*" && fragment.text(at + 2) === "as")
      named.set(fragment.text(at + 3), { module: fragment.text(at + 5) });
    else if (next === "*") all.push(fragment.text(at + 3));
    else if (next === "default" || next === "=") named.set("default", { at: at + 2 });
    else readDeclared(fragment, at + 1, named);
  }
  for (const at of fragment.words.get("exports") ?? []) {
    if (fragment.text(at + 1) === "=") readAssigned(fragment, at + 2, named, all);
    else if (fragment.text(at + 1) === "." && fragment.text(at + 3) === "=")
      named.set(fragment.text(at + 2), valueAt(fragment, at + 4));
  }
  return { named, all };
});

/** `export { a, b as c }`, `export { a as default } from "./b"` */
function readClause(fragment: LexedFragment, open: number, named: Map<string, Exported>): void {
  const close = fragment.tokens[open]?.partner ?? -1;
  if (close < 0) return;
  const module = fragment.text(close + 1) === "from" ? fragment.text(close + 2) : undefined;
  for (const { from, to } of splitAtCommas(fragment, { from: open + 1, to: close })) {
    const at = fragment.text(from) === "type" && to - from > 1 ? from + 1 : from;
    const exported = fragment.text(at + 1) === "as" ? fragment.text(at + 2) : fragment.text(at);
    named.set(exported, module === undefined ? { at } : { module, name: fragment.text(at) });
  }
}

/** `export async function a`, `export const b =` */
function readDeclared(fragment: LexedFragment, from: number, named: Map<string, Exported>): void {
  let at = from;
  while (at < from + MAX_HEAD && DECLARING.test(fragment.text(at))) at++;
  if (at > from && fragment.isWord(at)) named.set(fragment.text(at), { at });
}

/** `module.exports = run`, `= { run, stop: end }`, `= require("./other")` */
function readAssigned(
  fragment: LexedFragment,
  at: number,
  named: Map<string, Exported>,
  all: string[],
): void {
  named.set("default", { at });
  if (fragment.text(at) === "require" && fragment.isString(at + 2)) all.push(fragment.text(at + 2));
  const { text, partner = -1 } = fragment.tokens[at] ?? {};
  if (text !== "{" || partner < 0) return;
  for (const { from, to } of splitAtCommas(fragment, { from: at + 1, to: partner })) {
    if (fragment.text(from + 1) === ":") named.set(fragment.text(from), valueAt(fragment, from + 2));
    else if (to === from + 1) named.set(fragment.text(from), { at: from });
    else if (fragment.text(from) === "..." && fragment.text(from + 1) === "require")
      all.push(fragment.text(from + 3));
  }
}

/** Returns what an exported expression is: the module, or what it exports, where that is required in the same breath. */
function valueAt(fragment: LexedFragment, at: number): Exported {
  if (fragment.text(at) !== "require" || !fragment.isString(at + 2)) return { at };
  const module = fragment.text(at + 2);
  const after = fragment.text(at + 4);
  if (after === ".") return { module, name: fragment.text(at + 5) };
  return after === "(" ? { at } : { module };
}
