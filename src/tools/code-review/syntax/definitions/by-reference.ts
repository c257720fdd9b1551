import { pathBefore, splitAtCommas } from "../calls.ts";
import { isKeyword, MEMBER } from "../keywords.ts";
import type { LexedFragment } from "../lexed-fragment.ts";
import type { Range } from "../range.ts";
import type { Definition } from "./definition.ts";

/** Maximum tokens of a call before its `out` argument. */
const MAX_BEFORE = 60;

/** `int.TryParse(text, out var number)` of C#: the call gives the name its value. */
export function filled(fragment: LexedFragment, out: number): Definition[] {
  let at = out + 1;
  while (fragment.isWord(at + 1)) at++;
  if (!fragment.isWord(at) || !/^[,)]$/.test(fragment.text(at + 1))) return [];
  let open = out - 1;
  for (; fragment.tokens[open]?.kind !== "open"; open--) {
    const token = fragment.tokens[open];
    if (!token || out - open > MAX_BEFORE || token.text === ";") return [];
    if (token.kind === "close" && token.partner >= 0) open = token.partner;
  }
  let from = open - 1;
  while (MEMBER.has(fragment.text(from - 1)) && fragment.isWord(from - 2)) from -= 2;
  const to = (fragment.tokens[open]?.partner ?? -1) + 1;
  // A type before the name makes it a declaration, not a call.
  const isDeclared = fragment.isWord(from - 1) && !isKeyword(fragment.language, fragment.text(from - 1));
  if (!fragment.isWord(from) || to <= at || isDeclared || fragment.text(to) === "{") return [];
  // What `kinds.TryGetValue(name, out var kind)` finds is a member of the collection.
  const isFound = fragment.text(open - 1) === "TryGetValue" && MEMBER.has(fragment.text(open - 2));
  return [{ name: fragment.text(at), at, kind: "assign", value: { from, to: isFound ? open - 2 : to } }];
}

/** Go functions that decode their input into variables whose addresses they are passed. */
const FILLING =
  /^(?:Decode|DecodeJSON|Unmarshal\w{0,20}|(?:Should|Must)?Bind\w{0,20}|BodyParser|QueryParser|ParamsParser|ParseBody|ParseForm|Read(?:JSON|Form|Query|Body|Params))$/;
const MATCHING = /^preg_match(?:_all)?$/;

/** Returns the names that a call assigns by reference. `at` is the last word of the call's name. */
export function changedByReference(fragment: LexedFragment, at: number): Definition[] {
  const { language } = fragment;
  const name = fragment.text(at);
  const close = fragment.tokens[at + 1]?.partner ?? -1;
  if (language === "c" || language === "cpp") return close < 0 ? [] : written(fragment, at, close);
  if (language !== "go" && language !== "php") return [];
  const isFilling = language === "go" ? FILLING.test(name) : name === "settype" || MATCHING.test(name);
  if (!isFilling || close < 0) return [];
  const args = splitAtCommas(fragment, { from: at + 2, to: close });
  if (language === "go")
    return readInto(fragment, args, { from: pathBefore(fragment, at).start, to: close + 1 });
  if (name === "settype") return retyped(fragment, args);
  // `preg_match($pattern, $text, $found)` stores parts of the text in `$found`.
  const [pattern, value, into] = args;
  return pattern && value && into && !isNarrow(fragment.text(pattern.from))
    ? definedAt(fragment, into, "assign", value)
    : [];
}

/** Functions of C that write a text to what their first argument points at: formatted, copied, or behind what is there. */
const [PRINTING, COPYING, APPENDING] = [
  /^v?(?:sn?|as)printf$/,
  /^(?:str[nl]?cpy|stpn?cpy|memcpy)$/,
  /^str[nl]?cat$/,
];

/** `snprintf (command, sizeof (command), "ls %s", name)`: the buffer holds what the call makes of its other arguments. */
function written(fragment: LexedFragment, at: number, close: number): Definition[] {
  const name = fragment.text(at);
  const prints = PRINTING.test(name);
  const appends = APPENDING.test(name);
  if (!prints && !appends && !COPYING.test(name)) return [];
  const [into, copied] = splitAtCommas(fragment, { from: at + 2, to: close });
  const value = prints ? { from: at, to: close + 1 } : copied;
  if (!into || !value) return [];
  const from = fragment.text(into.from) === "&" ? into.from + 1 : into.from;
  return definedAt(fragment, { from, to: into.to }, appends ? "add" : "assign", value);
}

const GROUP = /\((?!\?)/g;
const NARROW = /\((?:\\[dw]|\[(?!\^)[\w\\.-]{1,40}\])[+*]?(?:\{[\d,]{1,10}\})?\)/g;

/** Whether every group of a regular expression matches only numbers or words: `/^page-(\d+)$/`. */
function isNarrow(pattern: string): boolean {
  const groups = pattern.match(GROUP)?.length ?? 0;
  return groups > 0 && groups === pattern.match(NARROW)?.length;
}

/** `json.Unmarshal(body, &order)`, `context.ShouldBindJSON(&order)` */
function readInto(fragment: LexedFragment, args: readonly Range[], value: Range): Definition[] {
  return args
    .filter(({ from }) => fragment.text(from) === "&")
    .flatMap(({ from, to }) => definedAt(fragment, { from: from + 1, to }, "add", value));
}

/** `settype($id, "integer")`: the name holds a number or boolean from here on. */
function retyped(fragment: LexedFragment, [name, type]: readonly Range[]): Definition[] {
  if (!name || !type || !/^(?:int|integer|float|double|bool|boolean)$/.test(fragment.text(type.from)))
    return [];
  return definedAt(fragment, name, "assign", type);
}

function definedAt(
  fragment: LexedFragment,
  { from, to }: Range,
  kind: Definition["kind"],
  value: Range,
): Definition[] {
  return fragment.isWord(from) && to === from + 1
    ? [{ name: fragment.text(from), at: from, kind, value }]
    : [];
}
