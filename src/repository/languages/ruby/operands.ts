import { inAnyScript } from "../any-script.ts";

/** After these, an expression begins. */
const BEFORE_EXPRESSION = inAnyScript(
  /(?<![.:@$\w])(?:and|begin|case|do|else|elsif|ensure|if|in|not|or|then|unless|until|when|while)$/,
);
/** The name of a method that sets something, as a symbol. */
const SETTER = inAnyScript(/(?<!:):\w+=$/);
const MAX_NAME = 80;
const WORD = inAnyScript(/\w/);

/**
 * Whether an expression begins at a position of Ruby code, rather than go on. Undefined after a name, which may be a
 * variable or a method called without brackets.
 */
export function beginsExpression(code: string, position: number): boolean | undefined {
  let at = position - 1;
  while (
    /[ \t\r\\]/.test(code[at] ?? "") ||
    (code[at] === "\n" && /\\\r?$/.test(code.slice(Math.max(0, at - 2), at)))
  )
    at--;
  const before = code[at];
  if (before === undefined || before === "\n") return true;
  if (WORD.test(before)) return BEFORE_EXPRESSION.test(code.slice(Math.max(0, at - 10), at + 1)) || undefined;
  if (/[?!]/.test(before) && WORD.test(code[at - 1] ?? "")) return undefined;
  if (before === "=" && SETTER.test(code.slice(Math.max(0, at - MAX_NAME), at + 1))) return false;
  return !/[)\]}"'`]/.test(before);
}
