import type { Variant } from "../../../finding.ts";
import { LEVEL } from "../../../flow/level.ts";
import { provenanceOf } from "../../../flow/provenance.ts";
import { HOLE_OPEN, TEMPLATE_OPEN } from "../../../lexer/token.ts";
import type { Call } from "../../../syntax/calls.ts";
import type { Fragment } from "../../../syntax/fragment.ts";
import { MEMBER } from "../../../syntax/keywords.ts";
import type { Range } from "../../../syntax/range.ts";

const OWN_PAGE =
  /^(?:(?:window|document|self)\.)?location(?:\.(?:href|origin|pathname)(?:\.split\([#?&]\)\[0\])?)?$/;

/** What ends the host's name, behind the marks that end one hole of a template and begin the next. */
const ENDS_HOST =
  /^[^\w/?#]{0,4}(?:$|[/?#]|(?:(?:window|document|self)\.)?location\.(?:pathname|search|hash)(?![\w.]))/;

/**
 * Whether an expression is the address of the page itself, which is on its own host and not `javascript:`, or a template
 * that begins with it.
 */
export function isOwnPage(fragment: Fragment, range: Range): boolean {
  const { from, to } = beginningOf(fragment, range);
  const text = fragment.texts({ from, to }).join("");
  if (!OWN_PAGE.test(text)) return false;
  // An origin ends with the name of the host, which what follows it can go on with: `.evil.example`, `@evil.example`.
  if (from === range.from || !text.endsWith("origin")) return true;
  const { partner = to } = fragment.tokens[range.from] ?? {};
  return ENDS_HOST.test(fragment.texts({ from: to, to: Math.min(partner, to + 10) }).join(""));
}

/** The host that a client asked, and a path behind it, with the marks of a template between them. */
const OWN_HOST =
  /^“?https?:\/\/[^\w/]{0,4}(?:r|req|request)\.(?:Host|host|hostname|headers\.host|get_host\(\)|get\(host\))[^\w/.]{1,6}(?:\/|(?:r|req|request)\.(?:URL\.RequestURI\(|URL\.String\(|URL\.Path|RequestURI|url|originalUrl|get_full_path\())/i;

/** Whether an address is on the host that was asked: `"https://" + r.Host + r.RequestURI`. */
function isOnAskedHost(fragment: Fragment, { from, to }: Range): boolean {
  return OWN_HOST.test(fragment.texts({ from, to: Math.min(to, from + 24) }).join(""));
}

const ROUTE = /_(?:path|url)$/;
/** Whether an address is one of the site itself: a route of Rails, the host that was asked, or, when a page asks, its own. */
export function isOwnAddress(fragment: Fragment, { from, to }: Range, variant: Variant | undefined): boolean {
  // `order_url(params[:id])` of Rails
  if (fragment.language === "ruby" && ROUTE.test(fragment.text(from)) && fragment.text(from + 1) === "(")
    return true;
  if (variant === "redirect" && isOnAskedHost(fragment, { from, to })) return true;
  return variant === "request-forgery" && isOwnPage(fragment, { from, to });
}

/** Returns the first value of a template that begins with one. */
function beginningOf(fragment: Fragment, range: Range): Range {
  if (fragment.text(range.from) !== TEMPLATE_OPEN) return range;
  const isEmpty = fragment.isString(range.from + 1) && fragment.text(range.from + 1) === "";
  const hole = range.from + (isEmpty ? 2 : 1);
  const { partner = -1 } = fragment.tokens[hole] ?? {};
  return fragment.text(hole) === HOLE_OPEN && partner > hole ? { from: hole + 1, to: partner } : range;
}

/** Calls that create an address object, which is requested later. */
const HOLDING = /^(?:URL|URI|create)$/;
/** Members that return a part of an address without requesting it. */
const PART =
  /^(?:get(?:Host|Port|DefaultPort|Path|RawPath|File|Query|RawQuery|Ref|Fragment|Protocol|Scheme|Authority|UserInfo)|toURI|host|hostname|port|path|query|scheme|protocol|authority|userInfo|fragment)$/;

/** Whether an address is only parsed, not requested: `new URL(text).getHost()`. */
export function isTakenApart(fragment: Fragment, { name, end }: Call): boolean {
  return HOLDING.test(name) && MEMBER.has(fragment.text(end)) && PART.test(fragment.text(end + 1));
}

/** What undoes the encoding of an address, and the parts of one in which “..” stays. */
const UNRESOLVED = /^(?:decodeURI(?:Component)?|unescape|searchParams|search|hash)$/;

/** Maximum tokens of a definition that are read. */
const MAX_GIVEN = 20;

/** Whether a path is part of `new URL(…)`, here or where its name is defined, which resolves “..”. */
export function isNormalised(fragment: Fragment, { from, to }: Range): boolean {
  const texts = fragment.texts({ from, to });
  if (texts.some((text) => UNRESOLVED.test(text))) return false;
  return holdsAddress(texts) || texts.some((_, index) => isOfAddress(fragment, from + index));
}

function holdsAddress(texts: readonly string[]): boolean {
  return texts.some((text, index) => text === "URL" && texts[index - 1] === "new");
}

/** Whether a name is defined as an address that a client sent, or as a part of one. */
function isOfAddress(fragment: Fragment, at: number): boolean {
  const value = fragment.isWord(at) && fragment.names.definition(fragment.text(at), at)?.value;
  if (!value) return false;
  const given = fragment.texts({ from: value.from, to: Math.min(value.to, value.from + MAX_GIVEN) });
  const isAddress = holdsAddress(given) && !given.some((text) => UNRESOLVED.test(text));
  return isAddress && provenanceOf(fragment, "path").of(value) >= LEVEL.request;
}
