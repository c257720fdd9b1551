import { firstIndex } from "../../../../system/binary-search.ts";
import type { LexedFragment } from "../lexed-fragment.ts";
import { oncePerFragment } from "../lookup/once-per-fragment.ts";
import type { Range } from "../range.ts";

/** The body of a class of Python, and how deep its members are indented. */
interface Body extends Range {
  column: number;
}

/** Maximum classes before a token that are searched for the one around it. */
const MAX_LOOKED_AT = 20;

const bodiesIn = oncePerFragment((fragment: LexedFragment): readonly Body[] => {
  const bodies: Body[] = [];
  for (const at of fragment.words.get("class") ?? []) {
    if (!beginsLine(fragment, at)) continue;
    const head = fragment.tokens[at + 2];
    const from = head?.text === "(" && head.partner > 0 ? head.partner + 2 : at + 3;
    const { column } = fragment.tokens[from] ?? {};
    if (column === undefined) continue;
    bodies.push({ from, to: nextOutside(fragment, from, column), column });
  }
  return bodies;
});

function beginsLine(fragment: LexedFragment, at: number): boolean {
  return fragment.lineOf(at) !== fragment.lineOf(at - 1);
}

/** Returns the first token that begins a line and is indented less than the members of a class. */
function nextOutside({ tokens }: LexedFragment, from: number, column: number): number {
  let at = from;
  for (; at < tokens.length; at++)
    if (tokens[at]?.line !== tokens[at - 1]?.line && (tokens[at]?.column ?? 0) < column) return at;
  return at;
}

/** Returns the body of the class of Python that a token, the first of its line, is a member of. */
export function classBodyAt(fragment: LexedFragment, at: number): Range | undefined {
  if (fragment.language !== "python" || !beginsLine(fragment, at)) return undefined;
  const bodies = bodiesIn(fragment);
  const next = firstIndex(bodies, ({ from }) => from > at);
  return bodies
    .slice(Math.max(0, next - MAX_LOOKED_AT), next)
    .findLast(({ to, column }) => at < to && fragment.tokens[at]?.column === column);
}

const METHOD = /^(?:def|async|class|@)$/;

/** Returns the index behind the last token that sees a member of a class of Python by its bare name: methods do not. */
export function memberSeenUntil(fragment: LexedFragment, at: number): number | undefined {
  const body = classBodyAt(fragment, at);
  if (!body) return undefined;
  const { methods } = methodsIn(fragment);
  return Math.min(body.to, methods[firstIndex(methods, (index) => index >= at)] ?? body.to);
}

const methodsIn = oncePerFragment((fragment: LexedFragment) => ({
  methods: [...fragment.tokens.keys()].filter(
    (at) => METHOD.test(fragment.text(at)) && beginsLine(fragment, at),
  ),
}));
