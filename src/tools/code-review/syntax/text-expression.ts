import { HOLE_OPEN, TEMPLATE_OPEN } from "../lexer/token.ts";
import { MEMBER } from "./keywords.ts";
import type { LexedFragment } from "./lexed-fragment.ts";
import { oncePerFragment } from "./lookup/once-per-fragment.ts";
import type { Range } from "./range.ts";

/** Operators that join texts or format values into them. */
const JOINERS = new Set(["+", "&", "%", ".."]);

/**
 * An expression that builds a text, from its first operand to its last, including the arguments of a formatting
 * call (`"…".format(x)`, `sprintf("…", x)`).
 */
export interface TextExpression extends Range {
  /** The fixed parts, with ` ? ` in place of each value. */
  text: string;
  /** Whether the text is joined from operands or has values put into it. */
  joined: boolean;
  /** Index of the first string token. */
  at: number;
}

/** Returns every text of a hunk once, including single strings. */
export const textExpressionsOf = oncePerFragment((fragment): readonly TextExpression[] => [
  ...textExpressions(fragment),
]);

function* textExpressions(fragment: LexedFragment): Iterable<TextExpression> {
  const { tokens } = fragment;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (token?.kind !== "string" && token?.text !== TEMPLATE_OPEN) continue;
    const found = expressionAround(fragment, index);
    yield found;
    if (found.to - 1 > index) index = found.to - 1;
  }
}

function expressionAround(fragment: LexedFragment, at: number): TextExpression {
  const { tokens } = fragment;
  let from = at;
  while (isJoiner(fragment, from - 1)) {
    const start = operandBefore(fragment, from - 2);
    if (start === undefined) break;
    from = start;
  }
  let to = operandAfter(fragment, at);
  let joined = from < at;
  for (;;) {
    if (isJoiner(fragment, to)) {
      const end = operandAfter(fragment, to + 1);
      if (end <= to + 1) break;
      to = end;
      joined = true;
    } else if (fragment.isString(to) || tokens[to]?.text === TEMPLATE_OPEN) {
      // Adjacent strings are one string.
      to = operandAfter(fragment, to);
    } else break;
  }
  let text = "";
  let holes = false;
  for (let index = from; index < to; index++) {
    const token = tokens[index];
    if (token?.text === HOLE_OPEN) {
      holes = true;
      index = Math.max(index, token.partner);
      text += " ? ";
    } else if (token?.kind === "string") text += token.text;
    else if (token?.kind === "word") text += " ? ";
  }
  const formatted = formatting(fragment, at, from, to);
  return { from, to: formatted ?? to, text, joined: joined || holes || formatted !== undefined, at };
}

function isJoiner(fragment: LexedFragment, index: number): boolean {
  const token = fragment.tokens[index];
  if (token?.kind !== "mark") return false;
  return JOINERS.has(token.text);
}

/** Returns the index of the first token of the operand that ends at `last`. */
function operandBefore(fragment: LexedFragment, last: number): number | undefined {
  const { tokens } = fragment;
  let index = last;
  for (;;) {
    const token = tokens[index];
    if (token?.kind === "close" && token.partner >= 0) index = token.partner;
    else if (token?.kind !== "word" && token?.kind !== "string" && token?.kind !== "number") return undefined;
    const before = tokens[index - 1];
    const isCall =
      token?.kind === "close" && token.text !== "”" && (before?.kind === "word" || before?.kind === "close");
    if (isCall) index--;
    else if (before?.kind === "mark" && MEMBER.has(before.text)) index -= 2;
    else return index;
  }
}

/** Returns the index behind the last token of the operand that begins at `first`. */
function operandAfter(fragment: LexedFragment, first: number): number {
  const { tokens } = fragment;
  let index = first;
  while (tokens[index]?.kind === "mark" && /^[!\-&*]$/.test(fragment.text(index))) index++;
  if (fragment.isWord(index) && /^(?:await|new)$/.test(fragment.text(index))) index++;
  const token = tokens[index];
  if (!token || token.kind === "mark" || token.kind === "close") return first;
  index = token.kind === "open" ? Math.max(index, token.partner) + 1 : index + 1;
  for (;;) {
    const next = tokens[index];
    if (
      next?.kind === "open" &&
      (next.text === "(" || next.text === "[") &&
      next.partner > 0 &&
      token.kind !== "string"
    ) {
      index = next.partner + 1;
    } else if (next?.kind === "mark" && MEMBER.has(next.text) && tokens[index + 1]?.kind === "word") {
      index += 2;
      if (tokens[index]?.text === "(" && (tokens[index]?.partner ?? -1) > 0)
        index = (tokens[index]?.partner as number) + 1;
    } else return index;
  }
}

const FORMATTERS =
  /^(?:format|sprintf|Sprintf|Sprintln|Sprint|Errorf|Format|printf|vsprintf|formatted|interpolate|format!|AppendFormat|Concat|QString|asprintf|snprintf)$/;

/** Returns the end of the formatting call whose pattern is the given text. */
function formatting(fragment: LexedFragment, at: number, from: number, to: number): number | undefined {
  const { tokens } = fragment;
  // `"…".format(x)` was read as part of the operand.
  for (let index = at; index < to; index++) {
    if (fragment.text(index) === "." && /^(?:format|formatted|concat|arg)$/.test(fragment.text(index + 1)))
      return to;
  }
  const open = tokens[from - 1];
  const isFirst = open?.text === "(";
  const name = fragment.text(isFirst ? (fragment.text(from - 2) === "!" ? from - 3 : from - 2) : -1);
  const macro = fragment.text(from - 2) === "!" ? `${name}!` : name;
  if (isFirst && (FORMATTERS.test(name) || FORMATTERS.test(macro)) && open.partner > to) return open.partner;
  if (isFirst && name === "QString" && fragment.text(open.partner + 2) === "arg") {
    const args = tokens[open.partner + 3]?.partner ?? -1;
    if (args > 0) return args + 1;
  }
  // In C, a buffer may precede the pattern: `sprintf(buffer, "…", x)`.
  if (fragment.text(from - 1) === "," && (fragment.language === "c" || fragment.language === "cpp")) {
    for (let index = from - 2; index > from - 12; index--) {
      const token = tokens[index];
      if (token?.text === "(" && token.partner > to && /printf$/.test(fragment.text(index - 1)))
        return token.partner;
    }
  }
  return undefined;
}
