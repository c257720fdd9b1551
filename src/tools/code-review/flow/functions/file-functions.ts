import type { Language } from "../../language/language.ts";
import type { Token } from "../../lexer/token.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import type { FunctionScope } from "../../syntax/functions/functions.ts";

/** Maximum calls of a function whose arguments are considered. */
export const MAX_CALLS = 20;
/** Maximum tokens of a function's head before its parameters. */
const MAX_HEAD = 40;

/** What keeps a function to its file, or to its class, in languages whose functions are seen elsewhere without it. */
const KEEPING: Partial<Record<Language, RegExp>> = {
  java: /^private$/,
  csharp: /^private$/,
  php: /^private$/,
  c: /^static$/,
  cpp: /^static$/,
};

/** Whether only this file calls a function: no other file sees it, and every use of its name here is a call. */
export function isCalledHereOnly(fragment: Fragment, scope: FunctionScope): boolean {
  const { name, start, body } = scope;
  if (!name || !isKept(fragment, scope)) return false;
  const uses = fragment.words.get(name) ?? [];
  const isUsed = uses.some((at) => at < start || at >= body.to);
  return isUsed && uses.length <= MAX_CALLS && uses.every((at) => fragment.text(at + 1) === "(");
}

/** Whether the modifiers before the name of a function keep it to its file. */
function isKept({ tokens, language }: Fragment, { name, start }: FunctionScope): boolean {
  if (language === "rust") return isStanding(tokens, start);
  const keeping = KEEPING[language];
  let at = start;
  while (tokens[at]?.text !== name && at < start + MAX_HEAD) at++;
  for (at--; keeping && at > start - MAX_HEAD; at--) {
    const token = tokens[at];
    if (token?.kind === "close" && token.text !== "}" && token.partner >= 0) at = token.partner;
    else if (!token || /^[;{}]$/.test(token.text)) return false;
    else if (keeping.test(token.text)) return true;
  }
  return false;
}

/** Whether a function of Rust stands on its own, without `pub` before it: those of traits are called from elsewhere. */
function isStanding(tokens: readonly Token[], start: number): boolean {
  let first = start;
  while (tokens[first - 1]?.line === tokens[start]?.line) first--;
  return tokens[first]?.column === 0 && !tokens.slice(first, start).some(({ text }) => text === "pub");
}
