import { splitAtCommas } from "../../syntax/calls.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import type { Range } from "../../syntax/range.ts";
import { TARGETS, type Target } from "../target.ts";

/** Characters without which a text is harmless for a target. */
const DANGEROUS: Readonly<Record<Target, string>> = {
  markup: "<>\"'",
  shell: ";|&$`<>()'\"\\",
  path: "/\\",
  query: "'\"\\;`",
  code: "'\"();$/\\`{",
  address: "/\\:@",
  document: "",
};

const REPLACING = /^(?:preg_replace|sub|gsub|replace|replaceAll|ReplaceAll(?:Literal)?String|Replace)$/;
/** Methods of a compiled expression. The others are methods of a text, or functions. */
const COMPILED = /^(?:sub|ReplaceAll(?:Literal)?String|Replace)$/;
/** `[^a-z0-9]+` or `\W`, with or without delimiters. */
const OTHERS_THAN = /^[/#~%]?(?:\[\^((?:[^\]\\]|\\.){1,80})\]|\\([WD]))[+*]?(?:[/#~%](\w{0,6}))?$/;
const HARMLESS = /^[\w. -]{0,8}$/;
/** Maximum tokens of a value that are searched for an expression. */
const MAX_TOKENS = 10;

/**
 * Whether a call removes all characters outside of a harmless set: `preg_replace("/[^a-z0-9]/", "", $name)`.
 */
export function leavesHarmless(fragment: Fragment, name: string, open: number, target?: Target): boolean {
  const { language, tokens } = fragment;
  const close = tokens[open]?.partner ?? -1;
  // Ruby's `sub` replaces only the first match, Python's all.
  if (close < 0 || !REPLACING.test(name) || (name === "sub" && language !== "python")) return false;
  const args = splitAtCommas(fragment, { from: open + 1, to: close });
  const replaces = args.some(({ from, to }) => to === from + 1 && isHarmlessText(fragment, from));
  if (!replaces) return false;
  const onlyFirst = language === "javascript" && name === "replace";
  const receiver = COMPILED.test(name) ? [{ from: open - 3, to: open - 2 }] : [];
  for (const range of [...args.slice(0, 2), ...receiver]) {
    const kept = keptBy(patternIn(fragment, range), onlyFirst);
    if (kept)
      return (target ? [target] : TARGETS).every(
        (each) => ![...DANGEROUS[each]].some((one) => kept.test(one)),
      );
  }
  return false;
}

function isHarmlessText(fragment: Fragment, at: number): boolean {
  return fragment.isString(at) && HARMLESS.test(fragment.text(at));
}

/** Returns the expression that is written here, or that the name here is assigned. */
function patternIn(fragment: Fragment, { from, to }: Range): string {
  if (to !== from + 1) return "";
  const isPattern = (at: number) => fragment.isString(at) || fragment.tokens[at]?.kind === "regex";
  if (isPattern(from)) return fragment.text(from);
  const definition = fragment.isWord(from) ? fragment.names.definition(fragment.text(from), from) : undefined;
  if (definition?.kind !== "assign") return "";
  const { value } = definition;
  for (let at = value.from; at < Math.min(value.to, value.from + MAX_TOKENS); at++)
    if (isPattern(at)) return fragment.text(at);
  return "";
}

/** Returns an expression that matches the remaining characters. Some languages double each backslash. */
function keptBy(pattern: string, onlyFirst: boolean): RegExp | undefined {
  const [, others, kind, flags = ""] = OTHERS_THAN.exec(pattern.replaceAll("\\\\", "\\")) ?? [];
  if (onlyFirst && !flags.includes("g")) return undefined;
  const kept = others ?? (kind ? `\\${kind.toLowerCase()}` : undefined);
  if (kept === undefined) return undefined;
  try {
    return new RegExp(`[${kept}]`);
  } catch {
    return undefined;
  }
}
