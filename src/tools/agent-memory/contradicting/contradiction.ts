import { changesMeaning, codeOfWord, codesOf, plain, type Statement, turns } from "../statement.ts";
import { announcesEnd } from "./announced-change.ts";
import { withoutEffectiveDate } from "./effective-date.ts";
import { isContent, isCue, SINCE, VERBS } from "./parts-of-speech.ts";
import { turnsRound } from "./turned-round.ts";

/** Longer texts are records rather than statements: their words do not show whether one replaces another. */
export const MAX_CORRECTED_WORDS = 48;
/** Share of the longer statement that two statements about the same matter have in common. */
const SHARED = 0.5;
/** The same share, if the later statement itself says that something changed. */
const SHARED_WITH_CUE = 0.34;
/** Maximum number of words that differ on either side; with more, the statements are about different matters. */
const MAX_CHANGED = 6;

/** Verbs that hold of many objects at once, so that another object contradicts nothing. */
const ADDITIVE = codesOf(
  "like love enjoy know visit see read watch review own support fix include play buy meet attend go went add",
);
/** Verbs that hold of one subject at a time, so that a new subject replaces the old one. */
const OFFICES = codesOf("own lead maintain manage");
const NEGATIONS = codesOf("not no never none cannot nor neither without");
/** Words that say of whom, what or where a statement holds, if what follows is no time. */
const SCOPES = codesOf("for in on of to");
/** Verbs that tell somebody what to choose; what is to be done with other verbs is one thing among many. */
const CHOICES = codesOf("use prefer");
const ALWAYS = codeOfWord("always");
const FOR = codeOfWord("for");
/** Times, which are values of a statement wherever they stand: "for Monday", "in June". */
const TIMES = codesOf(
  "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december noon midnight night morning afternoon evening second minute hour day week weekend month quarter year tomorrow two three four five six seven eight nine ten eleven twelve",
);
const BE = codeOfWord("be");
const ON = codeOfWord("on");
const OFF = codeOfWord("off");
const BEING = codesOf("is are was were be been");
const BEEN = codeOfWord("been");
const HAVE = codesOf("has have had");
const FIRST_PERSON = codesOf("i my me mine myself");

/** Whether a statement is in the first person, which only the same speaker can correct. */
export function isOfOneself(statement: Statement): boolean {
  return statement.some((code) => FIRST_PERSON.has(plain(code)));
}

/**
 * Whether a later statement replaces an earlier one: both begin with the same subject and share most of their
 * words, but the later one gives another value (a number, name or thing) or says the opposite. It also does
 * if it only names another subject for a verb in `OFFICES`.
 */
export function replaces(later: Statement, earlier: Statement): boolean {
  if (Math.max(later.length, earlier.length) > MAX_CORRECTED_WORDS) return false;
  if (announcesEnd(later, earlier) || saysOtherwise(later, earlier) || turnsRound(later, earlier))
    return true;
  const [said, known] = [withoutEffectiveDate(later), withoutEffectiveDate(earlier)];
  const hasDate = said.length < later.length || known.length < earlier.length;
  return hasDate && saysOtherwise(said, known);
}

function saysOtherwise(later: Statement, earlier: Statement): boolean {
  const [said, known] = [withoutCues(later), withoutCues(earlier)];
  const alike = beginAlike(said, known);
  // Before they are aligned, which costs most: otherwise only what both end with can be handed over.
  if (!alike && said.at(-1) !== known.at(-1)) return false;
  const hasCue = later.some(isCue);
  const { shared, more, less } = aligned(said, known);
  const longest = Math.max(said.length, known.length);
  if (shared.length < (hasCue ? SHARED_WITH_CUE : SHARED) * longest) return false;
  if (!shared.some(({ code }) => speaks(code))) return false;
  const [added, dropped] = [more.filter(isContent), less.filter(isContent)];
  if (added.length > MAX_CHANGED || dropped.length > MAX_CHANGED) return false;
  if (!alike) return isHandedOver(shared, said, known);
  const changes = changesOf(shared, said, known);
  // To deny one value says nothing of another, nor of what has another number: "Node 18 is not supported".
  if (more.some(isNegation) !== less.some(isNegation))
    return !changes.some(({ isValue, isNumber }) => isValue || isNumber);
  // What is "now for staff" may have moved there, but "we now use B for Y" does not end the use of A for X.
  const mayHaveMoved = hasCue && plain(later[0] as number) !== SINCE && changes.length === 1;
  if (!mayHaveMoved && (isOfAnotherScope(changes) || asksForMore(shared, changes))) return false;
  if (more.some(turns) !== less.some(turns)) return true;
  if (changesSubject(shared)) return false;
  // What is on in one place may be off in another.
  if (areOpposite(more, less)) return !changes.some(({ after }) => after !== undefined && SCOPES.has(after));
  if (added.length === 0 || dropped.length === 0) return false;
  if (hasCue) return true;
  // What is forbidden does not allow the rest, unless it is a limit.
  if (shared.some(({ code }) => isNegation(code)) && !changes.some(({ isNumber }) => isNumber)) return false;
  return isAnotherValue(shared, changes, Math.min(added.length, dropped.length));
}

/** Whether one says "on" where the other says "off", which stand in other statements for nothing by themselves. */
function areOpposite(more: readonly number[], less: readonly number[]): boolean {
  return (more.includes(ON) && less.includes(OFF)) || (more.includes(OFF) && less.includes(ON));
}

/** Whether the statements hold for different recipients, or say different things of different places or at different times. */
function isOfAnotherScope(changes: readonly Change[]): boolean {
  if (changes.some(({ isTime }) => !isTime) && changes.some(({ isDate }) => isDate)) return true;
  return changes.some(
    ({ after, isTime }) =>
      after !== undefined && !isTime && (after === FOR || (changes.length > 1 && SCOPES.has(after))),
  );
}

/** Whether both tell somebody what to do, and to do it with different things: "run the linter", "run the tests". */
function asksForMore(shared: readonly Shared[], changes: readonly Change[]): boolean {
  const verb = plain((shared[0]?.code === ALWAYS ? shared[1] : shared[0])?.code ?? 0);
  const [change, ...others] = changes;
  if (!VERBS.has(verb) || change?.after !== verb || change.isTime) return false;
  return !CHOICES.has(verb) || others.some(({ isTime }) => !isTime);
}

/** Whether both statements say something different with the same verb, and only one of them can hold. */
function isAnotherValue(shared: readonly Shared[], changes: readonly Change[], changed: number): boolean {
  const verb = shared.findIndex(({ code }) => VERBS.has(plain(code)));
  if (verb < 0 && isAnotherAmount(shared, changes)) return true;
  if (verb < 0 || shared.some(({ code }) => ADDITIVE.has(plain(code)))) return false;
  // "is written in Go" and "is owned by Ada" have only the verb "be" in common.
  const sharesVerbAlone = (shared[verb] as Shared).code === BE && verb === shared.length - 1;
  return !(sharesVerbAlone && changed > 1);
}

/**
 * Whether one number alone differs, and counts what both say: "allows 100 requests". In front of it they must say what
 * it is of, since "build 12 failed" and "build 13 failed" may both hold.
 */
function isAnotherAmount(shared: readonly Shared[], changes: readonly Change[]): boolean {
  const [change, ...others] = changes;
  if (!change?.isNumber || others.length > 0) return false;
  const next = shared.findIndex(({ at }, index) => at !== index);
  if (next < 0 || !speaks((shared[next] as Shared).code)) return false;
  return shared.slice(0, next).filter(({ code }) => speaks(code)).length > 1;
}

/** Whether the statements differ only in the subject of a verb that holds of one subject at a time. */
function isHandedOver(shared: readonly Shared[], said: Statement, known: Statement): boolean {
  const [verb] = shared;
  if (!verb || !OFFICES.has(plain(verb.code))) return false;
  return shared.length === said.length - verb.at && shared.length === known.length - verb.other;
}

/** A word that two statements share, and its place in either. */
interface Shared {
  code: number;
  at: number;
  other: number;
}

/** Words of one statement that stand in place of others: both have some, between the same shared words. */
interface Change {
  /** The shared word before them, or one of `SCOPES` that they open with. */
  after: number | undefined;
  /** Whether they are what the statement says of its subject: they follow its verb or end it. */
  isValue: boolean;
  isNumber: boolean;
  /** Whether they begin with a date, an hour or a number. */
  isTime: boolean;
  isDate: boolean;
}

function changesOf(shared: readonly Shared[], said: Statement, known: Statement): Change[] {
  const changes: Change[] = [];
  let hasVerb = false;
  for (let index = 0; index <= shared.length; index++) {
    const [before, next] = [shared[index - 1], shared[index]];
    if (before && VERBS.has(plain(before.code))) hasVerb = true;
    const ofSaid = said.subarray(before ? before.at + 1 : 0, next?.at);
    const other = known.subarray(before ? before.other + 1 : 0, next?.other).filter(speaks);
    const own = ofSaid.filter(speaks);
    if (own.length === 0 || other.length === 0) continue;
    const opening = plain(ofSaid[0] as number);
    changes.push({
      after: SCOPES.has(opening) ? opening : before && plain(before.code),
      isValue: hasVerb || next === undefined,
      isNumber: own.some(changesMeaning) && other.some(changesMeaning),
      isTime: [own[0], other[0]].some((code = 0) => changesMeaning(code) || TIMES.has(plain(code))),
      isDate: [own[0], other[0]].some((code = 0) => TIMES.has(plain(code))),
    });
  }
  return changes;
}

function speaks(code: number): boolean {
  return isContent(code) && !turns(code);
}

function isNegation(code: number): boolean {
  return NEGATIONS.has(plain(code));
}

/** Removes the cues, and maps every form of "be" to one code, since the tense makes no difference: "has been" is "is". */
function withoutCues(statement: Statement): Statement {
  return statement
    .filter((code, at) => !isCue(code, at, statement) && !(HAVE.has(code) && statement[at + 1] === BEEN))
    .map((code) => (BEING.has(code) ? BE : code));
}

/** Compares the first words, or else the first content words. Both statements must have a content word. */
function beginAlike(one: Statement, other: Statement): boolean {
  const [first, second] = [one.find(speaks), other.find(speaks)];
  return one[0] === other[0] || (first !== undefined && first === second);
}

/** Whether the statements differ before their first common verb. */
function changesSubject(shared: readonly Shared[]): boolean {
  const verb = shared.findIndex(({ code }) => VERBS.has(plain(code)));
  if (verb < 0) return false;
  return shared.slice(0, verb + 1).some(({ at, other }, index) => at !== index || other !== index);
}

/** Returns the longest common subsequence with its positions, and the other words of each statement. */
function aligned(one: Statement, other: Statement) {
  const width = other.length + 1;
  const lengths = new Uint8Array((one.length + 1) * width);
  for (let row = one.length - 1; row >= 0; row--) {
    for (let column = other.length - 1; column >= 0; column--) {
      const cell = row * width + column;
      lengths[cell] =
        one[row] === other[column]
          ? (lengths[cell + width + 1] as number) + 1
          : Math.max(lengths[cell + width] as number, lengths[cell + 1] as number);
    }
  }
  const shared: Shared[] = [];
  const more: number[] = [];
  const less: number[] = [];
  let [row, column] = [0, 0];
  while (row < one.length && column < other.length) {
    const cell = row * width + column;
    if (one[row] === other[column]) {
      shared.push({ code: one[row] as number, at: row, other: column });
      row++;
      column++;
    } else if ((lengths[cell + width] as number) >= (lengths[cell + 1] as number)) {
      more.push(one[row++] as number);
    } else less.push(other[column++] as number);
  }
  more.push(...one.subarray(row));
  less.push(...other.subarray(column));
  return { shared, more, less };
}
