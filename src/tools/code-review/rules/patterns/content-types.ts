import type { Call } from "../../syntax/calls.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { MEMBER } from "../../syntax/keywords.ts";
import { optionsOf } from "../../syntax/options.ts";

/** Calls that send a body, whose content type may be set elsewhere. */
export const SENDING =
  /^(?:(?:Streaming)?HttpResponse\w{0,20}|StreamingResponse|make_response|[rR]esponse|make|Content|send|write|end|print|println|printf|append|format|Write|WriteAsync|Fprintf|Fprint|Fprintln|WriteString|echo|print_r)$/;
/** Content types in which browsers run no scripts. */
const OTHER =
  /^(?:Content-Type:\s{0,4})?(?:text\/(?:plain|csv|css|event-stream)|application\/(?!(?:xhtml|xml)\b)[\w.+-]{2,60}|image\/(?!svg\b)\w{2,20}|audio\/\w{2,20}|video\/\w{2,20})\b|^(?:text|txt|json|csv|css)$/i;
const PAGE = /^(?:Content-Type:\s{0,4})?(?:html$|(?:text\/html|application\/xhtml|image\/svg)\b)/i;
const OPTIONS = /^(?:content_?type|mime_?type|media_?type)$/i;
const SETTING =
  /^(?:setContentType|type|contentType|header|setHeader|Set|set|writeHead|ContentType|content_type)$/;
/** What such a call sets besides other headers, `Set("Cache-Control", "no-cache")`. */
const TYPE_LIKE =
  /^(?:text|application|image|audio|video|multipart|font)\/|^(?:html|text|txt|json|csv|css|xml|svg)\b/i;
/** Maximum tokens above a call that are searched for its content type. */
const MAX_LOOKED_AT = 2000;

/** Whether code above a call in its function sets the content type of a page. */
export function isSentAsPage(fragment: Fragment, call: Call): boolean {
  const from = Math.max(fragment.names.functionAt(call.at)?.body.from ?? 0, call.at - MAX_LOOKED_AT);
  const above = fragment.tokens.slice(from, call.at);
  return above.some(
    ({ kind, text }, index) => kind === "string" && PAGE.test(text) && isType(fragment, from + index),
  );
}

/** Whether a call, or code above it in its function, sets a content type other than that of a page. */
export function isSentOtherwise(fragment: Fragment, call: Call): boolean {
  for (const { name, value } of optionsOf(fragment, call.args)) {
    if (OPTIONS.test(name)) return OTHER.test(fragment.text(value.from));
  }
  const behind = typeBehind(fragment, call) ?? typeGivenLater(fragment, call);
  if (behind !== undefined) return OTHER.test(behind);
  const last = call.args.at(-1);
  if (call.args.length > 1 && last && OTHER.test(typeAt(fragment, last.from))) return true;
  const from = Math.max(fragment.names.functionAt(call.at)?.body.from ?? 0, call.at - MAX_LOOKED_AT);
  for (let at = call.at - 1; at >= from; at--) {
    if (!fragment.isString(at) || !isType(fragment, at) || isOptionOfAnother(fragment, at)) continue;
    return OTHER.test(fragment.text(at));
  }
  return false;
}

/** `HttpResponse(a, content_type="text/csv")` does not apply to the responses below it. */
function isOptionOfAnother(fragment: Fragment, at: number): boolean {
  return fragment.text(at - 1) === "=" && SENDING.test(fragment.callAround(at)?.name ?? "");
}

/** `response($text)->header("Content-Type", "text/plain")` of Laravel */
function typeBehind(fragment: Fragment, { end }: Call): string | undefined {
  const isSet =
    /^(?:\.|->)$/.test(fragment.text(end)) && /^(?:header|withHeader)$/.test(fragment.text(end + 1));
  return isSet && /^content-type$/i.test(fragment.text(end + 3)) ? fragment.text(end + 5) : undefined;
}

/** `response["Content-Type"] = "text/csv"` behind `response = HttpResponse(text)` of Python */
function typeGivenLater(fragment: Fragment, { start, at, end }: Call): string | undefined {
  if (fragment.language !== "python" || fragment.text(start - 1) !== "=") return undefined;
  const to = fragment.names.functionAt(at)?.body.to ?? fragment.tokens.length;
  for (const use of fragment.usesIn(fragment.text(start - 2), { from: end, to })) {
    const named = MEMBER.has(fragment.text(use + 1)) ? use + 2 : use;
    if (fragment.text(named + 1) === "[" && fragment.text(named + 4) === "=") {
      if (/^content-type$/i.test(fragment.text(named + 2))) return fragment.text(named + 5);
    } else if (named > use && OPTIONS.test(fragment.text(named)) && fragment.text(named + 1) === "=")
      return fragment.text(named + 2);
  }
  return undefined;
}

const OTHER_CONSTANT = /^(?:APPLICATION_(?!XHTML|XML)|TEXT_(?!HTML|XML)|IMAGE_|MULTIPART_)/;

const PAGE_CONSTANT = /^(?:TEXT_HTML|APPLICATION_XHTML|TEXT_XML|APPLICATION_XML)(?![A-Za-z])/;

/**
 * `ResponseEntity.ok().contentType(MediaType.APPLICATION_PDF).body(file)` of Spring. A type that is found out at run time,
 * `contentType(typeOf(file))`, is that of a file, not of a page that was put together here.
 */
export function isOtherBody(fragment: Fragment, { name, start, at }: Call): boolean {
  if (name !== "body") return false;
  const chain = fragment.tokens.slice(start, at);
  if (chain.some(({ kind, text }) => (kind === "string" ? OTHER.test(text) : OTHER_CONSTANT.test(text))))
    return true;
  const type = chain.findIndex(({ text }) => text === "contentType");
  return type >= 0 && !chain.some(({ kind, text }) => (kind === "string" ? PAGE : PAGE_CONSTANT).test(text));
}

function typeAt(fragment: Fragment, at: number): string {
  return fragment.isString(at) && fragment.text(at).includes("/") ? fragment.text(at) : "";
}

/** Whether a string is set as a content type: `setContentType("text/plain")`, `header("Content-Type: text/plain")`. */
function isType(fragment: Fragment, at: number): boolean {
  const text = fragment.text(at);
  if (/^Content-Type:/i.test(text)) return true;
  const before = fragment.text(at - 2);
  return /^content-type$/i.test(before) || (SETTING.test(before) && TYPE_LIKE.test(text));
}
