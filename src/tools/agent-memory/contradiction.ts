import { codeOf } from "../../text/codes.ts";
import { stemOf } from "../../text/stems.ts";
import { type Statement, saysNothingAlone, turns } from "./statement.ts";

/** Longer texts are records rather than statements: that one replaces another cannot be seen by their words. */
export const MAX_CORRECTED_WORDS = 48;
/** Of the longer text, what two statements about one matter have in common. */
const SHARED = 0.5;
/** The same where the later one says itself that something changed. */
const SHARED_WITH_CUE = 0.34;
/** Words that differ on either side: more, and they are about different matters. */
const MAX_CHANGED = 6;

/** Say that something changed, and nothing of what. */
const CUES = codesOf(
  "now actually currently correction update updated recently today henceforth switched moved changed migrated anymore instead longer since from replaced",
);
/** What stands in front of one of these is what a statement is about. */
const VERBS = codesOf(
  "is are was were be been has have had must should can may will shall do does use run take live deploy listen belong need own prefer contain return expire last cost keep start end",
);
/** Hold of many things at once: what else they hold of contradicts nothing. */
const ADDITIVE = codesOf(
  "like love enjoy know visit see read watch review own support fix include play buy meet attend go went add",
);
/** Hold of one alone at a time: another who does it took the place of the first. */
const OFFICES = codesOf("own lead maintain manage");
const BE = plain(codeOf("be"));
const BEING = codesOf("is are was were be been");
const FIRST_PERSON = codesOf("i my me mine myself");

/** Whether somebody speaks of oneself, which only the same one can correct. */
export function isOfOneself(statement: Statement): boolean {
  return statement.some((code) => FIRST_PERSON.has(plain(code)));
}

/**
 * Whether a later statement replaces an earlier one: both begin with the same matter and share most of
 * their words, and then say something else of it, another number, name or thing, or its opposite.
 */
export function replaces(later: Statement, earlier: Statement): boolean {
  if (Math.max(later.length, earlier.length) > MAX_CORRECTED_WORDS) return false;
  const [said, known] = [withoutCues(later), withoutCues(earlier)];
  const hasCue = said.length < later.length;
  const { shared, more, less } = aligned(said, known);
  const longest = Math.max(said.length, known.length);
  if (shared.length < (hasCue ? SHARED_WITH_CUE : SHARED) * longest) return false;
  if (!shared.some(({ code }) => isContent(code))) return false;
  const [added, dropped] = [more.filter(isContent), less.filter(isContent)];
  if (added.length > MAX_CHANGED || dropped.length > MAX_CHANGED) return false;
  if (!beginAlike(said, known)) return isHandedOver(shared, said, known);
  if (more.some(turns) !== less.some(turns)) return true;
  if (added.length === 0 || dropped.length === 0 || changesSubject(shared)) return false;
  return hasCue || isAnotherValue(shared, Math.min(added.length, dropped.length));
}

/** Whether the same verb says something else, of which only one can hold. */
function isAnotherValue(shared: readonly Shared[], changed: number): boolean {
  const verb = shared.findIndex(({ code }) => VERBS.has(plain(code)));
  if (verb < 0 || shared.some(({ code }) => ADDITIVE.has(plain(code)))) return false;
  // "is written in Go" and "is owned by Ada" have no more in common than that something is.
  const sharesVerbAlone = (shared[verb] as Shared).code === BE && verb === shared.length - 1;
  return !(sharesVerbAlone && changed > 1);
}

/** Whether another does all the rest of what only one does. */
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

/** Whether something is or was makes no other statement of it. */
function withoutCues(statement: Statement): Statement {
  return statement.filter((code) => !CUES.has(plain(code))).map((code) => (BEING.has(code) ? BE : code));
}

/** By the first word, or the first that means something by itself: both have such a word. */
function beginAlike(one: Statement, other: Statement): boolean {
  return one[0] === other[0] || one.find(isContent) === other.find(isContent);
}

/** Whether the first verb stands behind the first difference. */
function changesSubject(shared: readonly Shared[]): boolean {
  const verb = shared.findIndex(({ code }) => VERBS.has(plain(code)));
  if (verb < 0) return false;
  return shared.slice(0, verb + 1).some(({ at, other }, index) => at !== index || other !== index);
}

/** The longest sequence that both have in their order, with its places, and what else each of them has. */
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

function isContent(code: number): boolean {
  return !saysNothingAlone(code);
}

/** Without the bit that says whether it changes a meaning. */
function plain(code: number): number {
  return (code & ~1) >>> 0;
}

function codesOf(words: string): ReadonlySet<number> {
  return new Set(words.split(" ").map((word) => plain(codeOf(stemOf(word)))));
}
