import type { Token } from "../lexer/token.ts";
import type { LexedFragment } from "./lexed-fragment.ts";
import { oncePerFragment } from "./lookup/once-per-fragment.ts";

/** Marks and words that continue a statement on the next line. */
const GOES_ON = new Set(
  ", + - * / % . ?. -> :: = := => && || ?? & | ? : ( [ { == === != !== < > <= >= += -= =~ . .. | and or".split(
    " ",
  ),
);
const ENDS_LINE_WITH = new Set([...GOES_ON].filter((text) => text !== ":"));
const BEGINS_LINE_WITH = new Set(". ?. -> :: + * / && || ?? ? : = == === | , and or".split(" "));

/** Maximum tokens of a statement; a longer one is split. A bracket and its contents count as one. */
const MAX_STEPS = 300;

/** Returns the index behind the last token of the statement that `from` belongs to. */
export function statementEnd(fragment: LexedFragment, from: number): number {
  return endsOf(fragment)[from] ?? fragment.tokens.length;
}

/**
 * The end of each token's statement. It is computed backwards, from the end of the next token's statement: walking
 * forwards from each of many unclosed brackets would take quadratic time.
 */
const endsOf = oncePerFragment((fragment): Int32Array => {
  const { tokens } = fragment;
  const ends = new Int32Array(tokens.length + 1).fill(tokens.length);
  const steps = new Uint16Array(tokens.length + 1);
  for (let index = tokens.length - 1; index >= 0; index--) {
    const token = tokens[index] as Token;
    const last = token.kind === "open" && token.partner > index ? token.partner : index;
    const isEnd = token.kind === "close" || (token.kind === "mark" && token.text === ";");
    if (isEnd) ends[index] = index;
    else if (endsBehind(fragment, last) || (steps[last + 1] as number) >= MAX_STEPS) ends[index] = last + 1;
    else {
      ends[index] = ends[last + 1] as number;
      steps[index] = (steps[last + 1] as number) + 1;
    }
  }
  return ends;
});

/** Whether the next line begins another statement. */
function endsBehind({ tokens, lines, language }: LexedFragment, index: number): boolean {
  const [last, next] = [tokens[index], tokens[index + 1]];
  if (!last || !next || next.line === last.line) return false;
  if (language === "python") return !lines[last.line]?.text.trimEnd().endsWith("\\");
  const goesOn = (last.kind === "mark" || last.kind === "word") && ENDS_LINE_WITH.has(last.text);
  const isGoneOnWith = (next.kind === "mark" || next.kind === "word") && BEGINS_LINE_WITH.has(next.text);
  return !goesOn && !isGoneOnWith;
}

/** Returns the index of the first token of the statement around `at`, outside of any brackets within it. */
export function statementStart(fragment: LexedFragment, at: number): number {
  const { tokens, language } = fragment;
  let index = at;
  while (index > 0) {
    const [before, here] = [tokens[index - 1], tokens[index]];
    if (!before || !here) break;
    if (before.kind === "mark" && before.text === ";") break;
    if (before.text === "{" || before.text === "}") break;
    if (before.kind !== "open" && before.line !== here.line) {
      const continues =
        language !== "python" &&
        ((before.kind !== "string" && ENDS_LINE_WITH.has(before.text)) ||
          (here.kind !== "string" && BEGINS_LINE_WITH.has(here.text)));
      if (!continues) break;
    }
    index = before.kind === "close" && before.partner >= 0 ? before.partner : index - 1;
  }
  return index;
}
