import type { Fragment } from "../../syntax/fragment.ts";
import { oncePerFragment } from "../../syntax/lookup/once-per-fragment.ts";

/** A class of Python with the members that its body declares: `id: int`, `id = IntegerField()`. */
export interface PythonClass {
  name: string;
  bases: readonly string[];
  /** By name, the index of the name where the member is declared first. */
  members: ReadonlyMap<string, number>;
}

/** Maximum tokens of a class that are searched for members, and of its head. */
const [MAX_CLASS, MAX_HEAD] = [2_000, 20];

/** Returns the classes of a file that have bases. Of several with one name, the first. */
export const pythonClasses = oncePerFragment((fragment: Fragment): readonly PythonClass[] => {
  const classes = new Map<string, PythonClass>();
  for (const start of fragment.words.get("class") ?? []) {
    const head = fragment.tokens[start + 2];
    const name = fragment.text(start + 1);
    if (head?.text !== "(" || head.partner < 0 || classes.has(name)) continue;
    const bases = fragment.texts({ from: start + 3, to: Math.min(head.partner, start + MAX_HEAD) });
    classes.set(name, { name, bases, members: membersBehind(fragment, start, head.partner + 2) });
  }
  return [...classes.values()];
});

function membersBehind(fragment: Fragment, start: number, from: number): ReadonlyMap<string, number> {
  const members = new Map<string, number>();
  const { column = 0 } = fragment.tokens[start] ?? {};
  for (let at = from; at < from + MAX_CLASS; at++) {
    const token = fragment.tokens[at];
    const begins = fragment.lineOf(at) !== fragment.lineOf(at - 1);
    if (!token || (begins && token.column <= column)) break;
    const isDeclared = begins && token.kind === "word" && /^[:=]$/.test(fragment.text(at + 1));
    if (isDeclared && !members.has(token.text)) members.set(token.text, at);
  }
  return members;
}
