import { bareCall, isMarked, splitAtCommas, typeArgumentsEnd } from "../syntax/calls.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { MEMBER } from "../syntax/keywords.ts";
import type { Range } from "../syntax/range.ts";
import { SOURCES } from "../taint/tables.ts";
import { handsOnWhatFits } from "./declared/handed-on.ts";
import { leavesHarmless } from "./harmless/allowed-characters.ts";
import { givesPartOfName, isPartOfName, isRooted, staysBelow } from "./harmless/paths.ts";
import {
  findsByCondition,
  givesContents,
  HARMLESS_MEMBERS,
  isCleaningByArgument,
  looksUpBy,
  makesHarmless,
  targetsNeeding,
} from "./sanitizers.ts";
import type { Target } from "./target.ts";

/** Maximum parts of a chain of members and calls. Those behind are judged separately. */
const MAX_PARTS = 40;

const MAPPING = /^(?:map|array_map|Select|collect)$/;
const REPLACING = /^(?:replaceAll|gsub|Replace|ReplaceAll|str_replace|replace)$/;

/** A regular expression for one character, or for one of several: `/</g`, `/[<>&]/g`. */
const ONE_OF = /^\/(?:\\?([^\\[\]])|\[([^\]\\^][^\]\\]{0,20})\])\/\w{0,8}$/;

/** Whether a call replaces every occurrence of a character that a text needs to be harmful for the target. */
function replaces(fragment: Fragment, at: number, target: Target): boolean {
  const first = fragment.tokens[at];
  if (first?.kind === "regex") {
    const characters = ONE_OF.exec(first.text)?.slice(1, 3).join("") ?? "";
    const isAll = fragment.language === "ruby" || /g\w{0,6}$/.test(first.text);
    return (
      isAll && target !== "path" && [...characters].some((each) => targetsNeeding(each).includes(target))
    );
  }
  // JavaScript's `replace` replaces only the first occurrence of a string.
  if (
    first?.kind !== "string" ||
    (fragment.language === "javascript" && fragment.text(at - 2) === "replace")
  ) {
    return false;
  }
  return target !== "path" && targetsNeeding(first.text).includes(target);
}

/**
 * Whether a callback among the arguments of a call returns a literal, or one with the number of the item or with what was
 * made harmless: `ids.map(() => "?")`, `ids.Select(_ => "?")`, `ids.map((_, index) => "$" + (index + 1))`,
 * `names.map((name) => escape(name))`, `ids.map { "?" }` of Ruby.
 */
function givesLiteral(fragment: Fragment, open: number, target?: Target): boolean {
  const { partner } = fragment.tokens[open] ?? { partner: -1 };
  if (fragment.text(open) === "{") return fragment.isString(open + 1) && open + 2 === partner;
  return splitAtCommas(fragment, { from: open + 1, to: partner }).some((each) =>
    isOfLiterals(fragment, each, target),
  );
}

/** Maximum tokens of a callback that is read as one that returns a literal. */
const MAX_CALLBACK = 50;

function isOfLiterals(fragment: Fragment, { from, to }: Range, target?: Target): boolean {
  const head = fragment.text(from) === "fn" ? from + 1 : from;
  const last = fragment.text(head) === "(" ? (fragment.tokens[head]?.partner ?? -1) : head;
  const isArrow = /^(?:=>|->)$/.test(fragment.text(last + 1));
  if (!isArrow || last + 2 >= to || to - from > MAX_CALLBACK) return false;
  const number = fragment.text(head + 2) === "," ? fragment.text(head + 3) : undefined;
  for (let at = last + 2; at < to; at++) {
    if (!fragment.isWord(at) || fragment.text(at) === number) continue;
    const { harmless, end } = chainFrom(fragment, at, to, target);
    if (!harmless) return false;
    at = end - 1;
  }
  return true;
}

/** Whether a function passed by name sanitizes each item: `ids.map(Number)`, `ids.map(&:to_i)` of Ruby. */
function cleansEach(fragment: Fragment, open: number, target?: Target): boolean {
  const { tokens } = fragment;
  let at = open + 1;
  while (/^(?:&|:)$/.test(fragment.text(at))) at++;
  let path = fragment.text(at);
  if (tokens[at]?.kind !== "word" && tokens[at]?.kind !== "string") return false;
  for (; MEMBER.has(fragment.text(at + 1)) && fragment.isWord(at + 2); at += 2)
    path += `.${fragment.text(at + 2)}`;
  if (!/^[),]$/.test(fragment.text(at + 1))) return false;
  return makesHarmless(fragment.text(at), fragment.names.resolve(path), target);
}

/** `a.b(…).c[0]` */
export interface Chain {
  /** Names with dots between them, `()` for calls, `[]` for indexing. */
  path: string;
  end: number;
  /** Whether a call or member in it yields a harmless value. */
  harmless: boolean;
  /** Whether a call in it returns what its arguments name, and nothing of the arguments themselves. */
  looksUp: boolean;
  /** The arguments of each call in it. */
  given: Range[];
}

/** Members that say how many on an object of the program, and may hold any text on one that a client fills. */
const NAMED_BY_CLIENTS = /^(?:size|count)$/;
const UPLOADED = /\.files?\b/;

/** Whether the last member of a path is a field of a request: `req.query.size`, `$request->count`. */
function isSent({ language }: Fragment, path: string, name: string): boolean {
  if (!NAMED_BY_CLIENTS.test(name) || (language !== "javascript" && language !== "php")) return false;
  const isSource = (path: string) => SOURCES[language]?.test(path) ?? false;
  const owner = path.split(".").slice(0, -2).join(".");
  return isSource(path) && !isSource(owner) && !UPLOADED.test(path);
}

/** Whether a call or member behind a bracket makes its contents harmless: `(a + b).length`. */
export function isMadeHarmless(fragment: Fragment, close: number, to: number, target?: Target): boolean {
  for (let at = close, parts = 0; at + 2 < to && MEMBER.has(fragment.text(at + 1)); ) {
    if (++parts > MAX_PARTS) return false;
    const name = fragment.text(at + 2);
    if (HARMLESS_MEMBERS.has(name)) return true;
    const call = fragment.tokens[at + 3];
    if (call?.text !== "(" || call.partner < 0) at += 2;
    else if (makesHarmless(name, name, target)) return true;
    else at = call.partner;
  }
  return false;
}

/** Returns the arguments of a call, without those that are harmless at their place. */
function givenTo(fragment: Fragment, name: string, args: Range, target: Target | undefined): Range[] {
  if (target !== "path" || name !== "join") return [args];
  const [first, ...others] = splitAtCommas(fragment, args);
  const isHarmless = (each: Range) => staysBelow(fragment, name, each);
  return first && others.some(isHarmless) ? [first, ...others.filter((each) => !isHarmless(each))] : [args];
}

/** Reads the chain that begins at `start`. */
export function chainFrom(fragment: Fragment, start: number, to: number, target?: Target): Chain {
  let path = fragment.text(start);
  let name = path;
  let end = start + 1;
  let harmless = false;
  let looksUp = false;
  const given: Range[] = [];
  for (let parts = 0; end < to && parts < MAX_PARTS; parts++) {
    const token = fragment.tokens[end];
    if (token?.kind === "open" && (token.text === "(" || token.text === "[") && token.partner > end) {
      if (target === "path" && givesPartOfName(fragment, name, end)) harmless = true;
      if (token.text === "(") {
        if (target && REPLACING.test(name) && replaces(fragment, end + 1, target)) harmless = true;
        if (
          makesHarmless(name, fragment.names.resolve(path), target) &&
          !handsOnWhatFits(fragment, path, name)
        )
          harmless = true;
        // Its arguments are a type and numbers.
        if (fragment.language === "go" && path === "make") harmless = true;
        if (target === "path" && isRooted(fragment, name, end + 1)) harmless = true;
        if (leavesHarmless(fragment, name, end, target)) harmless = true;
        if (isCleaningByArgument(fragment, name, end, target)) harmless = true;
        if (givesKept(fragment, name, path, target)) looksUp = true;
        if (target !== "markup" && findsByCondition(fragment, name, end)) looksUp = true;
        if (givesContents(name, path) && !namesUpload(fragment, end)) looksUp = true;
        if (
          (MAPPING.test(name) || path === "Array.from") &&
          (givesLiteral(fragment, end, target) || cleansEach(fragment, end, target))
        )
          harmless = true;
        given.push(...givenTo(fragment, name, { from: end + 1, to: token.partner }, target));
        path += "()";
      } else {
        if (fragment.language === "php" && target === "path" && fragment.text(end + 1) === "tmp_name")
          harmless = true;
        path += "[]";
      }
      end = token.partner + 1;
      continue;
    }
    if (token?.text === "<" && fragment.isWord(end - 1)) {
      // `Enum.Parse<Kind>(name)`
      const call = typeArgumentsEnd(fragment, end);
      if (call === undefined) break;
      end = call;
      continue;
    }
    if (token?.text === "!" && fragment.language === "java" && fragment.text(end + 1) === "!") {
      // `name!!.toInt()` of Kotlin.
      end += 2;
      continue;
    }
    if (fragment.language === "ruby" && isMarked(fragment, end + 1) && fragment.isWord(end - 1)) {
      name += token?.text;
      path += token?.text;
      end++;
      // Ruby methods with a question mark return a boolean.
      if (token?.text === "?") harmless = true;
      if (givesKept(fragment, name, path, target)) looksUp = true;
      continue;
    }
    if (token?.kind !== "mark" || !MEMBER.has(token.text) || !fragment.isWord(end + 1)) break;
    name = fragment.text(end + 1);
    path += `.${name}`;
    end += 2;
    if (fragment.language === "ruby" && MAPPING.test(name) && givesLiteral(fragment, end)) harmless = true;
    if (HARMLESS_MEMBERS.has(name) && !isSent(fragment, path, name)) harmless = true;
    if (target === "path" && isPartOfName(fragment, path)) harmless = true;
    // The value of a member of an enumeration, which refuses all others: `Kind::from($kind)->value`.
    const isCase = fragment.text(end) !== "(" && /\.(?:from|tryFrom)\(\)\.value$/.test(path);
    if (isCase && fragment.language === "php") harmless = true;
    if (fragment.language === "ruby" && givesKept(fragment, name, path, target)) looksUp = true;
    // Rails escapes angle brackets in JSON.
    if (fragment.language === "ruby" && target === "markup" && name === "to_json") harmless = true;
    // Ruby calls without brackets.
    if (fragment.language === "ruby" && fragment.text(end) !== "(" && makesHarmless(name, path, target)) {
      harmless = true;
    }
  }
  const bare = fragment.language === "ruby" && end < to ? bareArguments(fragment, end) : undefined;
  if (bare) {
    if (makesHarmless(name, fragment.names.resolve(path), target)) harmless = true;
    given.push({ from: bare.from, to: Math.min(bare.to, to) });
    path += "()";
    end = Math.min(bare.to, to);
  }
  return { path, end, harmless, looksUp, given };
}

/** Ruby calls that create an object of the program. Used as an address, the object stands for its own page. */
const MAKERS = /^(?:new|create|build|first_or_create|first_or_initialize)!?$/;
const ADDRESSES = /^(?:URI|Addressable|Net|HTTP|String|Pathname|StringIO)\b/;

/**
 * Whether a call returns a stored or created object, and nothing of its arguments. A stored value may hold markup of
 * any client, but names no file, host or command.
 */
function givesKept({ language }: Fragment, name: string, path: string, target?: Target): boolean {
  if (target === "markup") return false;
  if (looksUpBy(name)) return true;
  const makes = language === "ruby" && target === "address" && MAKERS.test(name);
  return makes && path !== name && !ADDRESSES.test(path);
}

/** Names of a file, or of the body, that a client sent: `$_FILES["photo"]["tmp_name"]`, `req.file.path`, `php://input`. */
const UPLOAD = /^\$?(?:_FILES|tmp(?:_?name)?|temp_?file|uploads?|uploaded\w{0,30})$|^php:\/\/input$/i;

/** Whether the call whose bracket opens at `open` is given a file that a client sent, so that its contents are the client's. */
function namesUpload(fragment: Fragment, open: number): boolean {
  const { partner = -1 } = fragment.tokens[open] ?? {};
  for (let at = open + 1; at < Math.min(partner, open + MAX_UPLOAD); at++) {
    if (UPLOAD.test(fragment.text(at))) return true;
    const isFile = /^files?$/.test(fragment.text(at)) && MEMBER.has(fragment.text(at - 1));
    if (isFile && /^(?:req|request)$/.test(fragment.text(at - 2))) return true;
  }
  return false;
}

/** Maximum tokens that are searched for the name of an upload. */
const MAX_UPLOAD = 24;

/** `Order.find params[:id]`: returns the arguments without brackets of a Ruby chain that ends at `end`. */
function bareArguments(fragment: Fragment, end: number): Range | undefined {
  const at = isMarked(fragment, end) ? end - 2 : end - 1;
  const call = fragment.isWord(at) ? bareCall(fragment, at) : undefined;
  return call?.args[0] && { from: call.args[0].from, to: call.end };
}

/** Returns the spelling of a chain and of its prefixes down to its first member: `req.query.name`, `req.query`. */
export function spellingsOf(fragment: Fragment, start: number, end: number): string[] {
  const found: string[] = [];
  let spelling = "";
  for (let at = start; at < end; at++) {
    const token = fragment.tokens[at];
    const isPart = token?.kind === "mark" || token?.kind === "open";
    if (isPart && at > start + 1) found.unshift(spelling);
    const last = token?.kind === "open" && token.partner > at ? token.partner : at;
    for (const { kind, text } of fragment.tokens.slice(at, last + 1))
      spelling += kind === "string" ? JSON.stringify(text) : text;
    at = last;
  }
  return [spelling, ...found];
}
