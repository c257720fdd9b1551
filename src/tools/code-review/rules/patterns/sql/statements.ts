import { firstIndex } from "../../../../../system/binary-search.ts";
import { chainFrom } from "../../../flow/chain.ts";
import { ownFunctionsOf } from "../../../flow/functions/own-functions.ts";
import { valuesIn } from "../../../flow/harmless/formats.ts";
import { LEVEL } from "../../../flow/level.ts";
import { provenanceOf } from "../../../flow/provenance.ts";
import { reachingOf } from "../../../flow/reaching.ts";
import { isDeclaredOtherThanText } from "../../../flow/types.ts";
import { type Given, highestOf } from "../../../flow/value.ts";
import { TEMPLATE_OPEN } from "../../../lexer/token.ts";
import type { Call } from "../../../syntax/calls.ts";
import type { Fragment } from "../../../syntax/fragment.ts";
import type { Range } from "../../../syntax/range.ts";
import type { TextExpression } from "../../../syntax/text-expression.ts";
import { isOfRecord } from "./record-conditions.ts";

const { unknown } = LEVEL;

/** The statement that a name holds: the highest level of its values; a literal if it is not built from parts. */
export interface Statement extends Given {
  /** Start of each text that it is built from. */
  parts: readonly number[];
}

export function statementIn(fragment: Fragment, at: number, built: readonly TextExpression[]): Statement {
  const definitions = reachingOf(fragment).definitions(fragment.text(at), at);
  const given = definitions.flatMap((each) =>
    each.kind === "assign" ? (statementOfCall(fragment, each.value, built) ?? []) : [],
  );
  const texts = definitions.flatMap(({ value }) => firstWithin(built, value) ?? []);
  const completed = definitions.flatMap(({ kind, value }) =>
    kind === "assign" && completes(fragment, value, built) ? [value] : [],
  );
  if (texts.length === 0 && completed.length === 0) return joinedStatement(given);
  const joined = texts.filter((text) => text.joined);
  const added = definitions.filter(({ kind }) => kind === "add").map(({ value }) => value);
  const parts = [...joined, ...added, ...completed];
  const values = parts.map((part) => givenIn(fragment, part));
  const own = { ...highestOf(values), parts: parts.map(({ from }) => from) };
  return joinedStatement([own, ...given]);
}

function joinedStatement(statements: readonly Statement[]): Statement {
  return {
    ...highestOf(statements),
    parts: statements.flatMap(({ parts }) => parts),
  };
}

const FIXED: Statement = { level: LEVEL.literal, parts: [] };
/** Maximum functions that return what another one returns. */
const MAX_RETURNED = 3;

/** Returns the statement that a call of a function of this file gives: `buildQuery(search)`. */
export function statementOfCall(
  fragment: Fragment,
  { from, to }: Range,
  built: readonly TextExpression[],
  depth = 0,
): Statement | undefined {
  if (depth >= MAX_RETURNED || !fragment.isWord(from)) return undefined;
  const { path, end } = chainFrom(fragment, from, to);
  const own = ownFunctionsOf(fragment);
  const scope = end === to && path.endsWith("()") ? own.calledBy(path, from) : undefined;
  const returned = (scope && own.returns.get(scope)) ?? [];
  // A text that several calls get is reported once, where it is put together.
  const isShared = fragment.callsNamed(scope?.name ?? "").length > 1;
  const statements = returned.map((range): Statement => {
    const text = firstWithin(built, range);
    if (text?.joined) return isShared ? FIXED : { ...givenIn(fragment, text), parts: [text.from] };
    const isText =
      fragment.isWord(range.from) && (range.to === range.from + 1 || givesOwnText(fragment, range));
    if (isText) return statementIn(fragment, range.from, built);
    return statementOfCall(fragment, range, built, depth + 1) ?? FIXED;
  });
  return statements.length > 0 ? joinedStatement(statements) : undefined;
}

/** `text.toString()`, `text.append(" ORDER BY name").toString()`: all that a builder holds. */
export function givesOwnText(fragment: Fragment, { from, to }: Range): boolean {
  const { path, end } = chainFrom(fragment, from, to);
  return end === to && OWN_TEXT.test(path);
}

const OWN_TEXT = /^[\w$]{1,80}(?:\.[aA]ppend\w{0,6}\(\)){0,20}\.(?:to|To)?String\(\)$/;

/** Functions of PHP that take the connection before the statement; a few can do without it. */
const CONNECTED = /^(?:mysqli_\w{1,20}|(?:pg|sqlsrv|sqlite|ibase)_(?:query|prepare|exec)|oci_parse)$/;

/** Whether an argument of Go is a context: `ctx`, `r.Context()`, or that of a request in gin. */
function isContext(fragment: Fragment, argument: Range | undefined): boolean {
  if (!argument) return false;
  const text = fragment.texts(argument).join("");
  return /^(?:c|ctx|\w{0,20}Ctx|context\.(?:Background|TODO)\(\)|[\w.]{1,40}\.Context\(\))$/.test(text);
}

/** Returns the statement of a call that takes a connection, a context or a destination before it. */
export function placedLater(fragment: Fragment, { name, args }: Call): Range | undefined {
  const { language } = fragment;
  if (language === "php" && CONNECTED.test(name)) return args[1];
  if (language !== "go") return undefined;
  const place =
    Number(/Context$/.test(name) || isContext(fragment, args[0])) +
    (/^(?:Get|Select)(?:Context)?$/.test(name) ? 1 : 0);
  return place > 0 ? args[place] : undefined;
}

/** Returns the highest level of the values in a text. Unknown ones named like a part of a statement do not count. */
export function givenIn(fragment: Fragment, { from, to }: Range): Given {
  const parts = valuesIn(fragment, { from, to });
  const given = highestOf(parts.map((part) => provenanceOf(fragment, "query").given(part)));
  if (given.level !== unknown) return given;
  let harmful = false;
  for (let index = from; index < to; index++) {
    const token = fragment.tokens[index];
    if (token?.kind !== "word" || token.text === "$this") continue;
    if (/^(?:\.|::)$/.test(fragment.text(index + 1))) continue;
    // The names of tables of WordPress.
    if (token.text === "$wpdb" || fragment.text(index - 2) === "$wpdb") continue;
    if (!STRUCTURE.test(token.text) && !isOfRecord(fragment, index)) harmful = true;
  }
  return harmful ? given : { level: LEVEL.literal };
}

/** Names that SQL generators use for the parts of a statement, which are not values. */
const STRUCTURE =
  /placeholder|column|fields?$|table|schema|where|clause|cond|order|group|join|select|sql|query|limit|offset|alias|prefix|suffix|identifier|database|index|view|constraint|trigger|^(?:map|join|format|length|String|toString|concat|sprintf|Sprintf|fmt|f|i|n|count|idx)$/i;

/** Maximum names followed from a text that is added to another. */
const MAX_COMPLETED = 4;

/** Whether a value adds to a statement begun before: `query = query + " ORDER BY " + column`. */
function completes(
  fragment: Fragment,
  { from, to }: Range,
  built: readonly TextExpression[],
  depth = 0,
): boolean {
  const joins = fragment.text(from + 1) === "+" && from + 1 < to;
  if (!joins || !fragment.isWord(from) || depth > MAX_COMPLETED) return false;
  return reachingOf(fragment)
    .definitions(fragment.text(from), from)
    .some(({ value }) => firstWithin(built, value) || completes(fragment, value, built, depth + 1));
}

/** Returns the first text that begins within a range. Texts must be in the order of the hunk. */
function firstWithin(texts: readonly TextExpression[], range: Range): TextExpression | undefined {
  const found = texts[firstIndex(texts, (text) => text.from >= range.from)];
  return found && holds(range, found) ? found : undefined;
}

export function holds(outer: Range, inner: Range): boolean {
  return outer.from <= inner.from && inner.from < outer.to;
}

/** Whether an argument is joined from parts, here or where its name is defined. */
export function isPutTogether(fragment: Fragment, argument: Range): boolean {
  if (isJoined(fragment, argument)) return true;
  return (
    fragment.isWord(argument.from) &&
    reachingOf(fragment)
      .definitions(fragment.text(argument.from), argument.from)
      .some(({ value }) => isJoined(fragment, value))
  );
}

/** Methods of a column, which bind their argument: `User.name.like(f"%{name}%")`. */
const COMPARING = /^(?:(?:not_?)?i?like|matches|contains|startswith|endswith)$/;

export function isJoined(fragment: Fragment, { from, to }: Range): boolean {
  for (let index = from; index < to; index++) {
    const token = fragment.tokens[index];
    const open = fragment.tokens[index + 1];
    if (COMPARING.test(token?.text ?? "") && fragment.text(index - 1) === "." && open?.text === "(") {
      index = Math.max(index, open.partner);
      continue;
    }
    if (token?.text === TEMPLATE_OPEN || /^(?:Sprintf|format|sprintf)$/.test(token?.text ?? "")) return true;
    if (token?.kind !== "string") continue;
    const before = index > from ? fragment.text(index - 1) : "";
    const behind = index + 1 < to ? fragment.text(index + 1) : "";
    // In PHP, a string behind an operand is often a column behind its table, for a query builder.
    if (/^(?:\+|\.|%)$/.test(behind) || (before === "+" && fragment.language !== "php")) return true;
  }
  return false;
}

/** Whether an argument of a Java call is a function or object that creates the statement, not its text. */
export function isMaker(fragment: Fragment, { from, to }: Range): boolean {
  if (fragment.language !== "java") return false;
  if (fragment.text(from) === "{") return true;
  for (let index = from; index < to; index++) {
    const token = fragment.tokens[index];
    if (/^(?:->|::)$/.test(fragment.text(index))) return true;
    if (token?.kind === "open" && token.partner > index) index = token.partner;
  }
  const definition = to === from + 1 ? fragment.names.definition(fragment.text(from), from) : undefined;
  return definition !== undefined && isDeclaredOtherThanText(fragment, definition.at);
}
