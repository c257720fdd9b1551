import type { Fragment } from "./fragment.ts";

/** Marks that a statement cannot end with, and may go on with on the next line. */
const GOES_ON = new Set(
  ", + - * / % . ?. -> :: = := => && || ?? & | ? : ( [ { == === != !== < > <= >= += -= =~ . .. | and or".split(
    " ",
  ),
);
const ENDS_LINE_WITH = new Set([...GOES_ON].filter((text) => text !== ":"));
const BEGINS_LINE_WITH = new Set(". ?. -> :: + * / && || ?? ? : = == === | , and or".split(" "));

/** The index behind the last token of the statement that `from` belongs to. */
export function statementEnd(fragment: Fragment, from: number): number {
  const { tokens, language } = fragment;
  for (let index = from; index < tokens.length; index++) {
    const token = tokens[index];
    if (!token) break;
    if (token.kind === "mark" && token.text === ";") return index;
    if (token.kind === "close" && (token.partner < from || token.partner < 0)) return index;
    if (token.kind === "open" && token.partner > index) index = token.partner;
    const [last, next] = [tokens[index], tokens[index + 1]];
    if (!last || !next) continue;
    if (next.line === last.line) continue;
    if (
      language !== "python" &&
      (last.kind === "mark" || last.kind === "word") &&
      ENDS_LINE_WITH.has(last.text)
    )
      continue;
    if (language === "python" && fragment.lines[last.line]?.text.trimEnd().endsWith("\\")) continue;
    if (
      language !== "python" &&
      (next.kind === "mark" || next.kind === "word") &&
      BEGINS_LINE_WITH.has(next.text)
    ) {
      continue;
    }
    return index + 1;
  }
  return tokens.length;
}

/** The index of the first token of the statement around `at`, at most one line of code away per bracket. */
export function statementStart(fragment: Fragment, at: number): number {
  const { tokens, language } = fragment;
  let index = at;
  while (index > 0) {
    const [before, here] = [tokens[index - 1], tokens[index]];
    if (!before || !here) break;
    if (before.kind === "mark" && before.text === ";") break;
    if (before.text === "{" || before.text === "}") break;
    if (before.kind === "open") return statementStart(fragment, index - 1);
    if (before.line !== here.line) {
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
