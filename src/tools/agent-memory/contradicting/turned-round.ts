import { changesMeaning, plain, type Statement, saysNothingAlone, turns } from "../statement.ts";
import { isCue, VERBS } from "./parts-of-speech.ts";

/**
 * Whether the statements are of the same things in whatever order, and either only one of them denies them or they give
 * other numbers of the same unit: "X is supported", "we no longer support X".
 */
export function turnsRound(later: Statement, earlier: Statement): boolean {
  if (!isOfSame(later, earlier) || !isOfSame(earlier, later)) return false;
  const [amounts, known] = [amountsIn(later), amountsIn(earlier)];
  if (later.some(turns) !== earlier.some(turns)) return amounts.length === 0 && known.length === 0;
  const [amount, ...more] = amounts;
  const [former, ...rest] = known;
  if (!amount || !former || more.length + rest.length > 0) return false;
  return (
    amount.number !== former.number && amount.unit === former.unit && amount.isCounted && former.isCounted
  );
}

/** Fewer things say too little of what a statement is about. */
const MIN_TOPICS = 2;

/** Whether a statement is of things alone that another is of too. Looks no further than the first that is missing. */
function isOfSame(one: Statement, other: Statement): boolean {
  let topics = 0;
  for (let at = 0; at < one.length; at++) {
    const code = one[at] as number;
    if (saysNothingAlone(code) || changesMeaning(code) || VERBS.has(plain(code)) || isCue(code, at, one))
      continue;
    if (!other.includes(code)) return false;
    if (one.indexOf(code) === at) topics++;
  }
  return topics >= MIN_TOPICS;
}

/** Returns the numbers in a statement. Those behind a name are a part of it: "build 12". */
function amountsIn(statement: Statement) {
  return [...statement.entries()].flatMap(([at, number]) => {
    if (!changesMeaning(number) || turns(number)) return [];
    const before = statement[at - 1];
    const isCounted = before === undefined || saysNothingAlone(before) || VERBS.has(plain(before));
    return [{ number, unit: statement[at + 1], isCounted }];
  });
}
