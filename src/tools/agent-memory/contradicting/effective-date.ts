import { changesMeaning, codeOfWord, codesOf, plain, type Statement, turns } from "../statement.ts";

/** Words in front of when something takes effect, if dates follow: "starting Monday", "from now on". */
const OPENERS = codesOf("starting beginning effective since from as");
/** Those that also close a statement. What holds "from Monday" or "since May" may say nothing else. */
const CLOSERS = codesOf("starting beginning effective as");
/** Words of dates, beside numbers. */
const DATES = codesOf(
  "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december now today tomorrow next last this coming day week month quarter year sprint of in",
);
const MAX_WORDS = 6;
/** Words after a date that make it the first half of a span: "from Monday to Friday". */
const SPANS = codesOf("to until till through and");
const AS = codeOfWord("as");
const FROM = codeOfWord("from");
const ON = codeOfWord("on");
const OF = codeOfWord("of");

/** Returns a statement without when it takes effect, such as "as of 1 December", at its beginning or end. */
export function withoutEffectiveDate(statement: Statement): Statement {
  const end = openingEnd(statement);
  if (end > 0) return statement.subarray(end);
  const start = closingStart(statement);
  return start > 0 ? statement.subarray(0, start) : statement;
}

function openingEnd(statement: Statement): number {
  if (!opens(statement, 0, OPENERS)) return 0;
  let end = 1;
  while (end < statement.length && end <= MAX_WORDS && isOfDate(statement[end] as number)) end++;
  // "From now on", but not "starting Monday on-call …".
  if (plain(statement[0] as number) === FROM && plain(statement[end] ?? 0) === ON) end++;
  const next = statement[end];
  return end > 1 && next !== undefined && !SPANS.has(plain(next)) ? end : 0;
}

function closingStart(statement: Statement): number {
  let start = statement.length - 1;
  while (start > 0 && isOfDate(statement[start] as number)) start--;
  const words = statement.length - 1 - start;
  return words > 0 && words <= MAX_WORDS && opens(statement, start, CLOSERS) ? start : 0;
}

function opens(statement: Statement, at: number, words: ReadonlySet<number>): boolean {
  const [code, next] = [statement[at], statement[at + 1]];
  if (code === undefined || next === undefined || !words.has(plain(code))) return false;
  return plain(code) !== AS || plain(next) === OF;
}

function isOfDate(code: number): boolean {
  return DATES.has(plain(code)) || (changesMeaning(code) && !turns(code));
}
