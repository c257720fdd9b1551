import {
  changesMeaning,
  codeOfWord,
  codesOf,
  plain,
  type Statement,
  saysNothingAlone,
  turns,
} from "../statement.ts";

/** Longest name of what ended: "Jonas Weber", "PostgreSQL 14". */
const MAX_NAME = 3;
/** How far from the words that announce an end its name may stand. */
const REACH = 6;

const MOVES = codesOf("move switch migrate change upgrade downgrade convert transition port rename take");
const FROM = codeOfWord("from");
const TO = codesOf("to into onto");
const REPLACE = codeOfWord("replace");
const BY = codesOf("by with");
const BEING = codesOf("is are was were be been being has have got");
/** What is said of something after "is" or "was" that is there no more. */
const ENDED = codesOf("gone dropped removed retired decommissioned discontinued abandoned");
/** Verbs whose object is there no more. */
const ENDS = codesOf("drop ditch abandon retire replace stop left leave");
const LEAVES = codesOf("left leave leaves");
const USES = codesOf("use using adopt choose chose chosen pick picked is are be was");
const NOT = codesOf("not no nicht");
const ANY_MORE = codesOf("longer anymore any mehr but");
const INSTEAD = codesOf("instead rather");
const OF = codesOf("of than");
/** Words before what somebody uses, or where something is. */
const BEFORE_VALUE = new Set([...USES, ...codesOf("on in with via by at to through for and or")]);
const RAISES = codesOf("raise lower increase decrease reduce bump cut extend shorten grow shrink");
const DAYS = codesOf("monday tuesday wednesday thursday friday saturday sunday");
const MONTHS = codesOf(
  "january february march april may june july august september october november december",
);
/** Words that say that or when something changed, but not what. */
const UNTELLING = new Set([
  ...MOVES,
  ...ENDED,
  ...ENDS,
  ...INSTEAD,
  ...RAISES,
  ...USES,
  ...NOT,
  ...ANY_MORE,
  ...DAYS,
  ...MONTHS,
  ...codesOf("now currently today since last next week month year day"),
]);

/**
 * Whether a later statement says that what an earlier one states has ended, in words of its own: "we moved from
 * RabbitMQ to SQS", "Jonas left, Aisha leads payments", "the limit was raised to 70". It must name the old value, or
 * another number of the same unit, and be about the same matter.
 */
export function announcesEnd(later: Statement, earlier: Statement): boolean {
  const said = later.map(plain);
  const names = namesOfEnded(said);
  const known = names.length > 0 ? earlier.map(plain) : earlier;
  return (
    names.some(([from, to]) => isEnded(said.subarray(from, to), said, known)) ||
    isRaised(later, earlier) ||
    isRescheduled(said, earlier)
  );
}

/** Places in a statement, the latter exclusive. */
type Range = [from: number, to: number];

/** Returns where the statement may name what has ended; of each name also its parts, the longest first. */
function namesOfEnded(said: Statement): Range[] {
  const names: Range[] = [];
  const has = (place: number, codes: ReadonlySet<number>) => place >= 0 && codes.has(said[place] as number);
  const comesAfter = (place: number, codes: ReadonlySet<number>) =>
    said.subarray(Math.max(0, place - REACH), place).some((code) => codes.has(code));
  function startingAt(place: number, end = said.length): void {
    for (let length = MAX_NAME; length > 0; length--) {
      if (place + length <= end) names.push([place, place + length]);
    }
  }
  function endingAt(end: number): void {
    for (let length = MAX_NAME; length > 0; length--) if (end >= length) names.push([end - length, end]);
  }

  for (const [place, code] of said.entries()) {
    if (code === FROM && comesAfter(place, MOVES)) {
      const to = said.findIndex((each, at) => at > place && TO.has(each));
      if (to > place && to - place <= REACH) names.push([place + 1, to]);
      else startingAt(place + 1);
    }
    if (BEING.has(code) && (has(place + 1, ENDED) || (said[place + 1] === REPLACE && has(place + 2, BY)))) {
      endingAt(has(place - 1, BEING) ? place - 1 : place);
    }
    if (LEAVES.has(code)) endingAt(place);
    if (ENDS.has(code) && !BY.has(said[place + 1] as number)) {
      startingAt(has(place + 1, USES) ? place + 2 : place + 1);
    }
    if (INSTEAD.has(code) && has(place + 1, OF)) startingAt(place + 2);
    if (NOT.has(code)) {
      // "no longer deploy on Thursdays", "not kept for 30 days any more"
      const more = said.findIndex((each, at) => at > place && at <= place + REACH && ANY_MORE.has(each));
      if (more < 0) continue;
      const [from, end] = more === place + 1 ? [place + 2, place + 2 + REACH] : [place + 1, more];
      for (let at = from; at < end; at++) {
        if (has(at, BEFORE_VALUE)) startingAt(at + 1, Math.min(end, said.length));
      }
    }
  }
  return names;
}

/** Whether the earlier statement gives the named thing as a value, and is about the same matter as the later one. */
function isEnded(name: Statement, said: Statement, known: Statement): boolean {
  if (name.every(saysNothingAlone)) return false;
  const place = placeOf(name, known);
  if (place < 1) return false;
  const before = known[place - 1] as number;
  if (!BEFORE_VALUE.has(before)) return false;
  const topics = topicsOf(said, name);
  if (said.includes(FROM)) dropNewValue(topics, said);
  // "We moved from Jira to Linear" names no other matter, and ends only what says that Jira is used.
  if (topics.size === 0) return USES.has(before) && said[0] === known[0];
  return areAlike(topics, topicsOf(known, name));
}

/** Drops the new value: the words after "to", up to one that only joins others. */
function dropNewValue(topics: Set<number>, said: Statement): void {
  const to = said.findIndex((code) => TO.has(code));
  if (to < 0) return;
  for (const code of said.subarray(to + 1)) {
    if (saysNothingAlone(code)) return;
    topics.delete(code);
  }
}

/** Whether a limit was raised or lowered to another number of the same unit. */
function isRaised(later: Statement, earlier: Statement): boolean {
  const verb = later.findIndex((code) => RAISES.has(plain(code)));
  if (verb < 0) return false;
  const [after, before] = [lastNumberIn(later), lastNumberIn(earlier)];
  if (after < verb || before < 0 || later[after] === earlier[before]) return false;
  const [unit, other] = [later[after + 1], earlier[before + 1]];
  if (unit !== undefined && !saysNothingAlone(unit) && unit !== other) return false;
  const none = new Uint32Array(unit === undefined ? [] : [plain(unit)]);
  return areAlike(topicsOf(later.map(plain), none), topicsOf(earlier.map(plain), none));
}

/** Whether something was moved to another day or month: "deploys have been moved to Thursdays". */
function isRescheduled(said: Statement, earlier: Statement): boolean {
  const moved = said.findIndex((code, at) => MOVES.has(code) && TO.has(said[at + 1] as number));
  const time = said[moved + 2];
  if (moved < 0 || time === undefined) return false;
  const kind = [DAYS, MONTHS].find((times) => times.has(time));
  if (!kind) return false;
  const known = earlier.map(plain);
  if (!known.some((code) => kind.has(code)) || known.includes(time)) return false;
  const none = new Uint32Array(0);
  const [topics, others] = [topicsOf(said, none), topicsOf(known, none)];
  const shared = [...topics].filter((code) => others.has(code)).length;
  return shared > 0 && shared >= Math.max(topics.size, others.size) / 2;
}

function lastNumberIn(statement: Statement): number {
  return statement.findLastIndex((code) => changesMeaning(code) && !turns(code));
}

/** Whether most of what the shorter of two statements is about is in the other too. */
function areAlike(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  const shared = [...one].filter((code) => other.has(code)).length;
  return shared > Math.min(one.size, other.size) / 2;
}

/** Returns the words that say what a statement is about, beside a name. */
function topicsOf(statement: Statement, name: Statement): Set<number> {
  const leftOut = new Set(name);
  return new Set(
    statement.filter((code) => !saysNothingAlone(code) && !UNTELLING.has(code) && !leftOut.has(code)),
  );
}

/** Returns where a name stands in a statement, or -1. */
function placeOf(name: Statement, statement: Statement): number {
  for (let place = 0; place + name.length <= statement.length; place++) {
    if (name.every((code, at) => code === statement[place + at])) return place;
  }
  return -1;
}
