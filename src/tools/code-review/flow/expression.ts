import type { Fragment } from "../syntax/fragment.ts";
import type { Range } from "../syntax/range.ts";
import type { Reaching } from "./reaching.ts";
import type { Target } from "./target.ts";

const JOINING = /^(?:&&|\|\||\?\?|and|or)$/;
const COMPARING = /^(?:==|===|!=|!==|=~|!~|is|instanceof)$/;
/** Maximum tokens of a condition that is read as a test. */
const MAX_CONDITION = 100;
/** Languages without the conditional operator `a ? b : c`. */
const NO_CHOICE = new Set(["python", "rust", "go"]);

/**
 * Returns the parts that an expression may evaluate to: both sides of a choice, but neither its condition nor the
 * operands of a comparison. A choice with a constant condition has one side.
 */
export function alternativesOf(
  fragment: Fragment,
  reaching: Reaching,
  target: Target | undefined,
  range: Range,
): Range[] {
  const repeated = repeatedIn(fragment, range);
  if (repeated) return alternativesOf(fragment, reaching, target, repeated);
  const marks = separatorsIn(fragment, range);
  if (marks.length === 0) return [range];
  const chosen = chosenOf(fragment, reaching, target, range, marks);
  if (chosen) return chosen;
  const parts: Range[] = [];
  /** The operands since the last choice. Those before a question mark are its condition: `a && b ? c : d`. */
  let operands: Range[] = [];
  let [start, compares, asks] = [range.from, false, false];
  for (const mark of [...marks, range.to]) {
    const text = mark < range.to ? fragment.text(mark) : "";
    if (COMPARING.test(text) || text === "in") {
      compares = true;
      continue;
    }
    if (!compares && !asks && start < mark) operands.push({ from: start, to: mark });
    if (text === "?") operands = [];
    if (!JOINING.test(text)) parts.push(...operands.splice(0));
    // `a if b and c else d`
    if (/^(?:if|unless)$/.test(text)) asks = true;
    else if (text === "else") asks = false;
    start = mark + 1;
    compares = false;
  }
  return parts;
}

/** Returns the expression before the `for` of a comprehension of Python: what it repeats, `f"${i}" for i in range(3)`. */
function repeatedIn(fragment: Fragment, { from, to }: Range): Range | undefined {
  if (fragment.language !== "python") return undefined;
  let loop = from;
  while (loop < to && fragment.text(loop) !== "for") {
    const token = fragment.tokens[loop];
    loop = token?.kind === "open" && token.partner > loop ? token.partner + 1 : loop + 1;
  }
  return loop === from || loop >= to ? undefined : { from, to: loop };
}

/** Returns the side of `a if 7 > 6 else b`, `7 > 6 ? a : b` that may be harmful, if only one may. */
function chosenOf(
  fragment: Fragment,
  reaching: Reaching,
  target: Target | undefined,
  { from, to }: Range,
  marks: readonly number[],
): Range[] | undefined {
  const isPython = fragment.language === "python";
  const [first, last] = isPython ? ["if", "else"] : ["?", ":"];
  const firsts = marks.filter((mark) => fragment.text(mark) === first);
  const [split, ...others] = firsts;
  const rest = marks.find((mark) => mark > (split ?? to) && fragment.text(mark) === last);
  if (split === undefined || rest === undefined || others.length > 0) return undefined;
  const condition = isPython ? { from: split + 1, to: rest } : { from, to: split };
  const holds = isPython ? { from, to: split } : { from: split + 1, to: rest };
  const otherwise = { from: rest + 1, to };
  const value = reaching.constants.of(condition);
  if (value !== undefined) return [value ? holds : otherwise];
  if (condition.to - condition.from > MAX_CONDITION) return undefined;
  if (reaching.guards.isChosen(condition, holds, false, target)) return [otherwise];
  return reaching.guards.isChosen(condition, otherwise, true, target) ? [holds] : undefined;
}

function separatorsIn(fragment: Fragment, { from, to }: Range): number[] {
  const { tokens, language } = fragment;
  const found: number[] = [];
  let open = 0;
  for (let index = from; index < to; index++) {
    const token = tokens[index];
    if (token?.kind === "open" && token.partner > index) index = token.partner;
    else if (token?.kind !== "mark" && token?.kind !== "word") continue;
    else if (JOINING.test(token.text) || COMPARING.test(token.text)) {
      // In PHP and Ruby, members can have these names.
      if (!/^(?:\.|->|::)$/.test(fragment.text(index - 1))) found.push(index);
    } else if (language === "python") {
      if (token.text === "if") open++;
      if (/^(?:if|else|in)$/.test(token.text) && (open > 0 || token.text === "in")) found.push(index);
      // The values of a comprehension come from the list behind `for`, so it is not split there.
      if (token.text === "for") return found.filter((mark) => mark < index && fragment.text(mark) !== "in");
    } else if (language === "ruby" && /^(?:if|unless)$/.test(token.text) && index > from) {
      // `"--all" if all`
      found.push(index);
    } else if (token.text === "?" && !NO_CHOICE.has(language) && standsApart(fragment, index)) {
      open++;
      found.push(index);
    } else if (token.text === ":" && open > 0) {
      open--;
      found.push(index);
    }
  }
  return found;
}

/** Whether a question mark is an operator with two sides: not Ruby's `empty?`, nor `?:` of PHP and Kotlin. */
function standsApart(fragment: Fragment, index: number): boolean {
  const [before, mark] = [fragment.tokens[index - 1], fragment.tokens[index]];
  if (fragment.text(index + 1) === ":") return false;
  return fragment.language !== "ruby" || before === undefined || (mark?.end ?? 0) - 1 > before.end;
}

/** Whether a word is the name of a member or argument instead of a value: `{ key: …`, `f(key=…`. */
export function isArgumentName(fragment: Fragment, index: number): boolean {
  const [before, after] = [fragment.text(index - 1), fragment.text(index + 1)];
  if (after === "=" && (before === "," || before === "("))
    return fragment.language === "python" || fragment.language === "ruby";
  if (after !== ":" || fragment.text(index + 2) === ":") return false;
  return before === "{" || before === "," || before === "(";
}

/** Returns the end of a callback that begins here, whose own values are not those of the expression around it. */
export function endOfCallback(fragment: Fragment, index: number): number | undefined {
  if (fragment.language !== "javascript") return undefined;
  const token = fragment.tokens[index];
  const begins =
    token?.text === "function" ||
    (token?.kind === "word" && fragment.text(index + 1) === "=>") ||
    (token?.text === "(" && token.partner > 0 && fragment.text(token.partner + 1) === "=>");
  if (!begins) return undefined;
  const scope = fragment.names.functionsByStart.get(index);
  return scope ? scope.body.to + 1 : index + 1;
}
