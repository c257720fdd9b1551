import { firstIndex } from "../../../system/binary-search.ts";
import type { Rule, Sighting } from "../finding.ts";
import { LEVEL, type Level } from "../flow/level.ts";
import { provenanceOf } from "../flow/provenance.ts";
import { PROGRAMS } from "../language/language.ts";
import { type Call, splitAtCommas } from "../syntax/calls.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { expressionEnd } from "../syntax/functions/functions.ts";
import { optionsOf } from "../syntax/options.ts";
import type { Range } from "../syntax/range.ts";
import { type TextExpression, textExpressionsOf } from "../syntax/text-expression.ts";
import { EVERY_LANGUAGE } from "../taint/files.ts";
import { anyOf, sinksOf } from "../taint/tables.ts";
import { isBound } from "./patterns/bound-texts.ts";
import { isOfOwnFragments } from "./patterns/sql/fragments.ts";
import { levelOfSql, sqlOf } from "./patterns/sql/record-conditions.ts";
import {
  givenIn,
  givesOwnText,
  holds,
  isJoined,
  isMaker,
  isPutTogether,
  placedLater,
  type Statement,
  statementIn,
  statementOfCall,
} from "./patterns/sql/statements.ts";
import { placesOf, SOURCES, seenAt, seenCall, severityOf } from "./sightings/sightings.ts";
import { reached } from "./sightings/sinks.ts";
import { seenVariant } from "./sightings/variants.ts";

const { unknown, parameter, request } = LEVEL;

/** Beginnings of SQL statements that do not occur in English sentences. */
const STATEMENT =
  /^\s{0,40}(?:\(?\s{0,8}select\b[^;]{0,2000}\bfrom\b|insert\s{1,8}(?:ignore\s{1,8})?into\b|replace\s{1,8}into\b|update\s{1,8}\S{1,120}\s{1,8}(?:as\s{1,8}\w{1,30}\s{1,8})?set\b|delete\s{1,8}from\b|(?:create|drop|alter|truncate)\s{1,8}(?:temporary\s{1,8}|or\s{1,8}replace\s{1,8}|unique\s{1,8})?(?:table|index|view|database|schema|user|role)\b|merge\s{1,8}into\b|with\s{1,8}\w{1,60}\s{1,8}as\s{0,8}\(|(?:exec|execute|call)\s{1,8}\w{1,60}\b[^.!]{0,60}$|grant\s{1,8}\w{1,30}\s{1,8}on\b|union\s{1,8}(?:all\s{1,8})?select\b|select\b[^;]{0,300}\?)/i;
/**
 * A condition alone, with a quote before its value. At the beginning of a text, its operator needs spaces around it:
 * `name="…"` is an attribute of markup or a header, `NAME='…'` a shell variable. Double quotes do not count there
 * either, as `name = "…"` is a line of a settings file.
 */
const CONDITION =
  /(?:\b(?:where|and|or|having|order by|set)\b\s{0,8}[\w."`[\]]{1,80}\s{0,8}(?:=|<>|!=|like|in|>|<)\s{0,8}\(?\s{0,4}['"%]{1,3}|^\s{0,8}[\w."`[\]]{1,80}\s{1,8}(?:=\s{1,8}\(?\s{0,4}['%]{1,3}|(?:<>|!=|like|in|>|<)\s{1,8}\(?\s{0,4}['"%]{1,3}))\s\?/i;

const EXECUTORS = anyOf(EVERY_LANGUAGE.sqlExecutors);

/** Calls that take a piece of SQL, whatever it looks like. */
const PIECES = sinksOf("sql-injection");

export const sqlInjection: Rule = {
  id: "sql-injection",
  category: "security",
  severity: "error",
  cwe: 89,
  languages: [...PROGRAMS],
  message: "A database statement is put together from text that others may control.",
  suggestion:
    "Use placeholders and hand the values over as parameters; take names of tables and columns from a fixed list.",
  *check(fragment) {
    const built = textExpressionsOf(fragment).filter((text) => isSql(text.text) && !isBound(fragment, text));
    /**
     * Starts of the parts that are reported where their statement is run, so that a flaw is reported once. In
     * JavaScript, a statement is often run by a wrapper that shows little, so there both are reported.
     */
    const run = new Set<number>();
    yield* pieces(fragment, built, run);
    if (built.length === 0) return;
    for (const call of fragment.callsOf(EXECUTORS)) yield* executed(fragment, call, built, run);
    if (fragment.language === "csharp") yield* commandTexts(fragment, built, run);
    for (const text of built) {
      if (
        text.joined &&
        !run.has(text.from) &&
        !isOnlyLogged(fragment, text.from) &&
        !isReplacement(fragment, text)
      )
        yield* assembled(fragment, text);
    }
    yield* additionsTo(fragment, built, run);
    yield* appended(fragment, built, run);
  },
};

function isSql(text: string): boolean {
  // "Select one from the list": sentences begin with one capital.
  if (/^\s{0,40}[A-Z][a-z]/.test(text)) return false;
  return (text.length >= 12 && STATEMENT.test(text)) || (text.length >= 8 && CONDITION.test(text));
}

function* assembled(fragment: Fragment, text: TextExpression): Iterable<Sighting> {
  const { level, by } = givenIn(fragment, text);
  if (level < unknown) return;
  const message = `An SQL statement is put together with ${SOURCES[level]}.`;
  const call = [...fragment.callsAround(text.from)].find(
    ({ name, at, end }) => at < text.from && text.to <= end && text.from - at <= 12 && EXECUTORS.test(name),
  );
  const inner = call ? [call.start] : [];
  yield seenAt(fragment, [...inner, text.from, text.at, ...tokensWithin(text)], {
    message,
    severity: level < request && isOfOwnFragments(fragment, [text]) ? "info" : severityFor(level),
    by,
  });
}

/** Like `severityOf`, but an unknown value is a warning: a statement completed by others is never harmless. */
function severityFor(level: Level) {
  return level === unknown ? "warning" : severityOf(level);
}

function tokensWithin({ from, to }: Range): number[] {
  return Array.from({ length: Math.min(to - from, 60) }, (_, index) => from + index);
}

const LOGS =
  /^(?:console|logger|log|logging|tracing|LOG|Log|LOGGER|slog|fmt\.(?:Print|Fprint|Error)|debug|print|puts|System\.out|Console\.Write|expect|assert|t)\b/;
const SAYING =
  /^(?:Error|\w{0,40}(?:Error|Exception)|describe|it|test|warn|trace|e?println|printf|print|errorf|Errorf|info|raise)$|^(?:anyhow|bail|panic|info|warn|error|debug|trace|e?println|e?print|assert|expect|unreachable)!$/;

/** Whether a text is only printed, logged or thrown, and never run. */
function isOnlyLogged(fragment: Fragment, from: number): boolean {
  for (const { path, name } of fragment.callsAround(from)) {
    if (LOGS.test(path)) return true;
    if (SAYING.test(name)) return true;
  }
  return false;
}

const REPLACING = /^(?:g?sub!?|replace|replaceAll|preg_replace)$/;

/** `text.sub(/VERSION = '.*'/, "VERSION = '#{version}'")`: a line of a file that looks like a condition. */
function isReplacement(fragment: Fragment, { text, from }: TextExpression): boolean {
  return !STATEMENT.test(text) && REPLACING.test(fragment.callAround(from)?.name ?? "");
}

/** `query += value`, `query = query.concat(value)`: additions to a statement begun above. */
function* additionsTo(
  fragment: Fragment,
  built: readonly TextExpression[],
  run: ReadonlySet<number>,
): Iterable<Sighting> {
  const { tokens, names } = fragment;
  for (let index = 0; index < tokens.length; index++) {
    const text = fragment.text(index);
    const concat = text === "concat" && fragment.text(index + 1) === "(" && fragment.text(index - 1) === ".";
    if (!concat && text !== "+=") continue;
    const name = concat ? index - 2 : index - 1;
    if (!fragment.isWord(name)) continue;
    const begun = names.definition(fragment.text(name), name);
    if (!begun || !built.some((text) => holds(begun.value, text))) continue;
    const value = concat
      ? { from: index + 2, to: tokens[index + 1]?.partner ?? index }
      : { from: index + 1, to: expressionEnd(fragment, index + 1) };
    if (run.has(value.from)) continue;
    const { level, by } = provenanceOf(fragment, "query").given(value);
    if (level < parameter) continue;
    yield seenAt(fragment, [name], {
      message: `An SQL statement gets ${SOURCES[level]} added.`,
      severity: severityFor(level),
      by,
    });
  }
}

/** `builder.append("SELECT … '").append(value)` */
function* appended(
  fragment: Fragment,
  built: readonly TextExpression[],
  run: ReadonlySet<number>,
): Iterable<Sighting> {
  for (const { to, from } of built) {
    const open = fragment.tokens[to + 3];
    const isAdding = fragment.text(to) === ")" && /^[aA]ppend$/.test(fragment.text(to + 2));
    if (!isAdding || open?.text !== "(" || run.has(from)) continue;
    const end = open.partner < 0 ? to + 5 : open.partner;
    const { level, by } = provenanceOf(fragment, "query").given({ from: to + 4, to: end });
    if (level < unknown || isOnlyLogged(fragment, from)) continue;
    const message = `An SQL statement is put together with ${SOURCES[level]}.`;
    yield seenAt(fragment, [from, to + 2], { message, severity: severityFor(level), by });
  }
}

/** Finds a statement that is built above and run by this call. */
function* executed(
  fragment: Fragment,
  call: Call,
  built: readonly TextExpression[],
  run: Set<number>,
): Iterable<Sighting> {
  const [first] = call.args;
  if (!first || isOnlyLogged(fragment, call.at)) return;
  const option = optionsOf(fragment, [first]).find(({ name }) => /^(?:sql|text|query|statement)$/.test(name));
  const { to, ...given } = option?.value ?? placedLater(fragment, call) ?? first;
  // `&statement` of Rust
  const from = fragment.text(given.from) === "&" ? given.from + 1 : given.from;
  if (!fragment.isWord(from)) return;
  const isNamed = to <= from + 3 || givesOwnText(fragment, { from, to });
  const statement = isNamed
    ? statementIn(fragment, from, built)
    : statementOfCall(fragment, { from, to }, built);
  if (!statement || statement.level < unknown) return;
  const message = `${call.name}() runs an SQL statement that was put together with ${SOURCES[statement.level]}.`;
  const texts = statement.parts.flatMap((part) => {
    const text = built[firstIndex(built, ({ from }) => from >= part)];
    return text?.from === part ? [text] : [];
  });
  const isAdded = texts.length < statement.parts.length;
  yield seenRun(fragment, seenCall(fragment, call, { message }), statement, run, isAdded ? [] : texts);
}

/** Creates a sighting where a statement is run or, if that line was not added, at a part that it is built from. */
function seenRun(
  fragment: Fragment,
  seen: Sighting,
  { level, parts, by }: Statement,
  run: Set<number>,
  texts: readonly Range[] = [],
): Sighting {
  const isOwn = level < request && texts.length > 0 && isOfOwnFragments(fragment, texts);
  if (fragment.language !== "javascript" || isOwn) for (const part of parts) run.add(part);
  const places = [...seen.places, ...placesOf(fragment, parts)];
  return { ...seen, places, severity: isOwn ? "info" : severityFor(level), by };
}

/** `command.CommandText = statement` of .NET. */
function* commandTexts(
  fragment: Fragment,
  built: readonly TextExpression[],
  run: Set<number>,
): Iterable<Sighting> {
  for (const index of fragment.words.get("CommandText") ?? []) {
    if (fragment.text(index + 1) === "+=") {
      const value = { from: index + 2, to: expressionEnd(fragment, index + 2) };
      const level = provenanceOf(fragment, "query").of(value);
      const message = `An SQL statement gets ${SOURCES[level]} added.`;
      if (level >= parameter) yield seenAt(fragment, [index], { message, severity: severityFor(level) });
    }
    if (fragment.text(index + 1) !== "=" || !fragment.isWord(index + 2)) continue;
    const statement = statementIn(fragment, index + 2, built);
    if (statement.level < unknown) continue;
    const message = `The command gets an SQL statement that was put together with ${SOURCES[statement.level]}.`;
    yield seenRun(fragment, seenAt(fragment, [index], { message }), statement, run);
  }
}

/** `where(['name' => $name])` binds the values behind the arrows. */
function isKeyedList(fragment: Fragment, { from, to }: Range): boolean {
  const open = fragment.text(from) === "array" ? from + 1 : from;
  if (!/^[[(]$/.test(fragment.text(open)) || fragment.tokens[open]?.partner !== to - 1) return false;
  const parts = splitAtCommas(fragment, { from: open + 1, to: to - 1 });
  return parts.every(
    (part) => fragment.tokens[part.from]?.kind === "string" && fragment.text(part.from + 1) === "=>",
  );
}

/**
 * `where(function ($query) use ($term) { … })`, `where(DB::raw("…"))`: a function is not SQL, and the calls in either are
 * checked separately.
 */
function isOtherThanSql(fragment: Fragment, argument: Range): boolean {
  const { from } = argument;
  const at = fragment.text(from) === "static" ? from + 1 : from;
  const isRaw = fragment.text(from) === "DB" && fragment.text(from + 2) === "raw";
  return isRaw || /^(?:function|fn)$/.test(fragment.text(at)) || isKeyedList(fragment, argument);
}

function* pieces(fragment: Fragment, built: readonly TextExpression[], run: Set<number>): Iterable<Sighting> {
  for (const hit of reached(fragment, PIECES, "query")) {
    const { call, variant, atLeast = unknown } = hit;
    const argument = fragment.language === "ruby" ? sqlOf(fragment, hit.argument) : hit.argument;
    const isRuby = fragment.language === "ruby";
    const level = argument && isRuby ? levelOfSql(fragment, argument) : hit.level;
    const by = isRuby ? undefined : hit.by;
    if (!argument || level < atLeast || isMaker(fragment, argument)) continue;
    if (fragment.language === "csharp" && isBound(fragment, { ...argument, at: argument.from })) continue;
    if (variant) {
      // A parameter that is a whole expression often gets a fixed one.
      if (level < request && fragment.language === "csharp" && !isPutTogether(fragment, argument)) continue;
      yield seenVariant(fragment, call, variant, { level, by });
      continue;
    }
    // A raw part that comes from a client as a whole need not be joined to be dangerous.
    const isWhole = level === request && /[rR]aw$/.test(call.name);
    if (
      fragment.language !== "javascript" &&
      atLeast === unknown &&
      !isWhole &&
      !isJoined(fragment, argument)
    )
      continue;
    if (fragment.language === "php" && isOtherThanSql(fragment, argument)) continue;
    const message = `${call.name}() takes SQL, and gets ${SOURCES[level]}.`;
    const isNamed = fragment.isWord(argument.from) && argument.to === argument.from + 1;
    const { parts } = isNamed ? statementIn(fragment, argument.from, built) : { parts: [] };
    yield seenRun(fragment, seenCall(fragment, call, { message }), { level, by, parts }, run);
  }
}
