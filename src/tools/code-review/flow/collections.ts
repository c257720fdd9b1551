import { splitAtCommas } from "../syntax/calls.ts";
import type { Definition } from "../syntax/definitions/definition.ts";
import { membersOf } from "../syntax/definitions/definitions.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { MEMBER } from "../syntax/keywords.ts";
import { optionsIn } from "../syntax/options.ts";
import type { Range } from "../syntax/range.ts";
import { type Reaching, setsWholeValue } from "./reaching.ts";

/** Maximum changes of a list that are replayed to know its elements. */
const MAX_CHANGES = 30;
const READING = /^(?:get|getAttribute|getProperty|getItem|getOrDefault|fetch|elementAt|at|ElementAt)$/;
const APPENDING = /^(?:append|push|add|Add|push_back)$/;

/** Returns a key, possibly of several parts, as one text, or undefined if a part is not constant. */
function keyOf(fragment: Fragment, reaching: Reaching, range: Range): string | undefined {
  const parts = splitAtCommas(fragment, range).map((part) => reaching.constants.of(part));
  return parts.length > 0 && !parts.includes(undefined) ? parts.join("\0") : undefined;
}

/** Returns the constant key of a member that is read behind a name: `a["key"]`, `a.get("key")`, `a[0]`, `a.key`. */
export function keyBehind(fragment: Fragment, reaching: Reaching, at: number): string | undefined {
  const open = fragment.tokens[at + 1];
  if (open?.text === "[" && open.partner > 0) {
    return keyOf(fragment, reaching, { from: at + 2, to: open.partner });
  }
  const call = fragment.tokens[at + 3];
  if (fragment.text(at + 1) !== "." && fragment.text(at + 1) !== "->") return undefined;
  if (call?.text !== "(") return fragment.language === "javascript" ? fragment.text(at + 2) : undefined;
  if (call.partner < 0 || !READING.test(fragment.text(at + 2))) return undefined;
  return keyOf(fragment, reaching, { from: at + 4, to: call.partner });
}

/**
 * Returns the values that a collection may have under a constant key. Returns undefined if they cannot be
 * determined, so that any value of the collection is possible.
 */
export function membersUnder(
  fragment: Fragment,
  reaching: Reaching,
  definitions: readonly Definition[],
  key: string,
  at: number,
): Range[] | undefined {
  const listed = elementAt(fragment, reaching, definitions, key, at);
  if (listed) return listed;
  const values: Range[] = [];
  let isKnown = false;
  for (const definition of definitions) {
    if (definition.kind === "member" && definition.key) {
      const own = keyOf(fragment, reaching, definition.key);
      if (own === undefined) return undefined;
      isKnown = true;
      if (own !== key) continue;
      values.push(definition.value);
      if (reaching.isCertain(definition.at, at)) return values;
    } else if (definition.kind === "assign") {
      const written = memberOf(fragment, definition.value, key);
      isKnown ||= written !== undefined;
      values.push(written ?? definition.value);
    } else return undefined;
  }
  // Without a known member, the whole collection counts.
  return isKnown ? values : undefined;
}

/** Returns the value of a member of an object literal. */
function memberOf(fragment: Fragment, { from, to }: Range, key: string): Range | undefined {
  const open = fragment.tokens[from];
  if (open?.text !== "{" || open.partner !== to - 1) return undefined;
  const members = { from: from + 1, to: to - 1 };
  if (splitAtCommas(fragment, members).some(({ from }) => fragment.text(from) === "...")) return undefined;
  const written = optionsIn(fragment, members).find(({ name }) => name === key)?.value;
  // `{ name }` is short for `{ name: name }`.
  return (
    written ??
    splitAtCommas(fragment, members).find(({ from, to }) => to === from + 1 && fragment.text(from) === key)
  );
}

/** Returns the element at an index of a list whose changes are all known. */
function elementAt(
  fragment: Fragment,
  reaching: Reaching,
  definitions: readonly Definition[],
  key: string,
  at: number,
): Range[] | undefined {
  const base = definitions.at(-1);
  if (!/^-?\d{1,4}$/.test(key) || base?.kind !== "assign" || definitions.length > MAX_CHANGES)
    return undefined;
  const list = startOf(fragment, base.value);
  if (!list || definitions.filter(setsWholeValue).length > 1) return undefined;
  for (const definition of definitions.toReversed().slice(1)) {
    if (!reaching.isCertain(definition.at, at)) return undefined;
    const method = fragment.text(definition.at);
    if (definition.kind === "add" && APPENDING.test(method)) list.push(definition.value);
    else if (definition.kind === "drop" && !dropped(fragment, reaching, definition, method, list))
      return undefined;
    else if (definition.kind !== "add" && definition.kind !== "drop") return undefined;
    else if (definition.kind === "add" && !APPENDING.test(method)) return undefined;
  }
  const found = list.at(Number(key));
  return found ? [found] : undefined;
}

function startOf(fragment: Fragment, value: Range): Range[] | undefined {
  const members = membersOf(fragment, value);
  if (members.length > 0) return members.some((each) => isKeyed(fragment, each)) ? undefined : members;
  if (fragment.text(value.from) === "[")
    return fragment.tokens[value.from]?.partner === value.to - 1 ? [] : undefined;
  const text = fragment.texts({ from: value.from, to: Math.min(value.to, value.from + 14) }).join("");
  return /^(?:new)?[\w.]{0,40}(?:List|list|Array|Vector)\w{0,10}(?:<[\w.,<>]{0,40}>)?\(\)(?:\{\})?$/.test(
    text,
  )
    ? []
    : undefined;
}

/** Whether an item makes the positions of a list unknown: `"key" => value` of PHP, `...others`. */
function isKeyed(fragment: Fragment, { from }: Range): boolean {
  return /^(?:\.\.\.|\*)$/.test(fragment.text(from)) || fragment.text(from + 1) === "=>";
}

function dropped(
  fragment: Fragment,
  reaching: Reaching,
  { key }: Definition,
  method: string,
  list: Range[],
): boolean {
  const index = key && key.from < key.to ? reaching.constants.of(key) : undefined;
  if (/^(?:shift|removeFirst|popleft)$/.test(method)) list.shift();
  else if (typeof index === "number") list.splice(index, 1);
  else if (/^(?:pop|removeLast)$/.test(method) && key && key.from === key.to) list.pop();
  else return false;
  return fragment.language !== "python" || method !== "remove";
}

const READ = /^(?:get|getOrDefault|fetch|GetValueOrDefault|dig|at)$/;
const FIRST_READ = /(?<=[\w)\]])\.(?:get|getOrDefault|fetch|GetValueOrDefault|dig|at)\(\)/;
/** Constants, and types whose factory methods create collections. */
const COLLECTIONS = /^(?:[A-Z][A-Z0-9_]{1,60}|Map|List|Arrays|ImmutableMap|ImmutableList)$/;

/**
 * Returns the known collection that a chain reads a member of, and which of the chain's calls does so. The first
 * argument of that call is a key.
 */
export function readIn(
  fragment: Fragment,
  reaching: Reaching,
  path: string,
  at: number,
): { collection: string; call: number } | undefined {
  const end = path.search(FIRST_READ);
  const first = fragment.text(at);
  if (end < 0 || fragment.names.imports.has(first)) return undefined;
  if (!COLLECTIONS.test(first) && reaching.definitions(first, at).length === 0) return undefined;
  const collection = path.slice(0, end);
  return { collection, call: collection.split("()").length - 1 };
}

/** Returns how many arguments of a bracket are keys of the literal before it: `["a", "b"][index]`. */
export function keysBehind(fragment: Fragment, open: number, from: number): number {
  const { tokens } = fragment;
  const isClosed = (at: number) => at >= from && tokens[at]?.kind === "close";
  if (tokens[open]?.text === "[") return isClosed(open - 1) ? 1 : 0;
  const isRead = READ.test(fragment.text(open - 1)) && MEMBER.has(fragment.text(open - 2));
  return isRead && isClosed(open - 3) ? 1 : 0;
}
