import { firstIndex } from "../../../system/binary-search.ts";
import type { Rule, Sighting } from "../finding.ts";
import { LEVEL } from "../flow/level.ts";
import { literalIn } from "../flow/literal.ts";
import { provenanceOf } from "../flow/provenance.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { expressionEnd } from "../syntax/functions/functions.ts";
import { MEMBER } from "../syntax/keywords.ts";
import type { Range } from "../syntax/range.ts";
import { sinksOf } from "../taint/tables.ts";
import { givenAddresses, isLocation, wherePageGoes } from "./patterns/addresses/page-addresses.ts";
import { isObject, writesToResponse } from "./patterns/answers.ts";
import { isOtherBody, isSentAsPage, isSentOtherwise, SENDING } from "./patterns/content-types.ts";
import {
  bareEnvironments,
  castToMarkup,
  escapingOff,
  overwrittenEscape,
  uncheckedRequests,
} from "./patterns/html-escaping.ts";
import { htmlTexts } from "./patterns/html-text.ts";
import { markupTypes, ownMarkup } from "./patterns/markup-types.ts";
import { isOtherResponse } from "./patterns/python-responses.ts";
import { isOwnRoute, isPlainAttribute, railsPages } from "./patterns/rails-pages.ts";
import { returnedPages } from "./patterns/returned-pages.ts";
import { SOURCES, seenAt, seenCall, severityOf } from "./sightings/sightings.ts";
import { type Reached, reached } from "./sightings/sinks.ts";
import { templateSightings } from "./templates/html-templates.ts";

const { unknown, parameter, request } = LEVEL;

/** Calls that turn a text into a page's markup without escaping it. */
const SINKS = sinksOf("unsafe-html");

export const unsafeHtml: Rule = {
  id: "unsafe-html",
  category: "security",
  severity: "warning",
  cwe: 79,
  languages: ["javascript", "python", "go", "java", "ruby", "php", "csharp", "rust", "markup"],
  message: "A value becomes markup without being escaped, so that it can bring scripts along.",
  suggestion:
    "Set it as text, leave the template's escaping on, or clean it with a library made for that (DOMPurify).",
  *check(fragment) {
    if (fragment.language === "markup") return yield* templateSightings(fragment);
    for (const hit of reached(fragment, SINKS, "markup"))
      if (hit.certain || isMarkup(fragment, hit)) yield sighted(fragment, hit);
    yield* htmlTexts(fragment);
    yield* escapingOff(fragment);
    if (fragment.language === "javascript") {
      yield* assignments(fragment);
      yield* givenAddresses(fragment);
      yield* selectors(fragment);
      yield* elements(fragment);
      yield* handMadeEscapes(fragment);
    }
    if (fragment.language === "ruby") yield* railsPages(fragment);
    if (fragment.language === "csharp") {
      yield* uncheckedRequests(fragment);
      yield* castToMarkup(fragment);
    }
    if (fragment.language === "go") yield* markupTypes(fragment);
    if (fragment.language === "python") {
      yield* bareEnvironments(fragment);
      yield* returnedPages(fragment);
      yield* ownMarkup(fragment);
    }
    if (TEMPLATES.test(fragment.path)) yield* templateSightings(fragment);
  },
};

/** Templates in a language that is read as code too. */
const TEMPLATES = /\.(?:erb|cshtml|razor|blade\.php)$/;

function sighted(fragment: Fragment, { call, level, says, by }: Reached): Sighting {
  const message = says ?? `${call.name}() puts ${SOURCES[level]} into the page as markup.`;
  return seenCall(fragment, call, { message, severity: level === unknown ? "info" : severityOf(level), by });
}

const POSITIONING = /^\$\w{1,30}\.(?:append|prepend|after|before|replaceWith|wrap\w{0,5})$/;

function isMarkup(fragment: Fragment, { call, argument, level }: Reached): boolean {
  const first = fragment.text(argument.from);
  if (SENDING.test(call.name) && isSentOtherwise(fragment, call)) return false;
  // Fastify responds with JSON or plain text by default.
  if (call.path.startsWith("reply.") && !isSentAsPage(fragment, call)) return false;
  if (isOtherResponse(fragment, call) || isOtherBody(fragment, call)) return false;
  if (call.name === "format_html" && !isFormatted(fragment, argument)) return false;
  if (call.name === "setAttribute") {
    return /^(?:on\w{2,20}|srcdoc|innerHTML)$/i.test(literalIn(fragment, call.args[0] as Range)?.text ?? "");
  }
  // Rails escapes the values of attributes.
  if (call.name === "content_tag" && isPlainAttribute(fragment, argument)) return false;
  // An address that begins with a fixed text is not a script.
  if (call.name === "link_to") {
    const isFixed = /^(?:“|"|')/.test(first) && fragment.isString(argument.from + 1);
    if (isFixed || isOwnRoute(fragment, argument)) return false;
  }
  if (/^(?:send|write|end|response|make)$/.test(call.name) && isObject(fragment, argument)) return false;
  if (fragment.language === "go" && /^(?:Fprintf|Fprint|Fprintln|WriteString|Write)$/.test(call.name)) {
    return writesToResponse(fragment, call);
  }
  // jQuery's `after` and similar methods take elements too.
  const isElement =
    first === "$" && fragment.text(argument.from + 1) === "(" && fragment.isString(argument.from + 2);
  // `$pos` may be a position in an editor instead of an element.
  const isPosition = POSITIONING.test(call.path) && !isBuilt(fragment, argument);
  return !isElement && !(isPosition && level < request);
}

/** Whether values are put into the pattern of `format_html`, which escapes only its other arguments. */
function isFormatted(fragment: Fragment, { from, to }: Range): boolean {
  return to - from > 1 && !/^[A-Z_]+$/.test(fragment.text(from));
}

const ASSIGNED = /^(?:innerHTML|outerHTML|srcdoc|href|location|escape|escapeMarkup)$/;

/** `element.innerHTML = value`, `$window.location.href = value`. */
function* assignments(fragment: Fragment): Iterable<Sighting> {
  for (const index of fragment.wordsLike(ASSIGNED)) {
    const mark = fragment.text(index + 1);
    if (mark !== "=" && mark !== "+=") continue;
    const name = fragment.text(index);
    const isMember = MEMBER.has(fragment.text(index - 1));
    const value = { from: index + 2, to: expressionEnd(fragment, index + 2) };
    if (isMember && /HTML$|^srcdoc$/.test(name)) {
      const { level, by } = provenanceOf(fragment, "markup").given(value);
      if (level < unknown) continue;
      const message = `${name} makes markup of ${SOURCES[level]}.`;
      const severity = level === unknown ? "info" : severityOf(level);
      yield seenAt(fragment, [index, value.from], { message, severity, by });
    } else if (isMember && isLocation(fragment, index)) yield* wherePageGoes(fragment, index, value);
    else if (isMember) yield* overwrittenEscape(fragment, index + 1);
  }
}

const JQUERY = /^(?:\$|jQuery)$/;

/** `$(value)`: a text that begins with `<` is made into elements. */
function* selectors(fragment: Fragment): Iterable<Sighting> {
  for (const call of fragment.callsOf(JQUERY)) {
    if (call.path !== call.name || call.args.length === 0) continue;
    const argument = call.args[0] as Range;
    const level = provenanceOf(fragment, "markup").of(argument);
    const joined = argument.to > argument.from + 1;
    if (level < parameter || fragment.text(argument.from) === "function") continue;
    if (level === parameter && !joined && !isBuilt(fragment, argument)) continue;
    const message = `${call.name}() makes elements of ${SOURCES[level]} that begins with "<".`;
    yield seenCall(fragment, call, { message, severity: level === request ? "warning" : "info" });
  }
}

/** Whether a value is built from strings, here or where its name is defined. */
function isBuilt(fragment: Fragment, { from, to }: Range): boolean {
  for (let index = from; index < to; index++) {
    const token = fragment.tokens[index];
    if (token?.kind === "string") return true;
    if (token?.text === "(" && token.partner > index) index = token.partner;
  }
  const value = fragment.names.definition(fragment.text(from), from)?.value;
  return (
    value !== undefined && fragment.tokens.slice(value.from, value.to).some(({ kind }) => kind === "string")
  );
}

const ATTRIBUTES = /^(?:__html|innerHTML|srcDoc|rehypeRaw|allowDangerousHtml|escapeHtml|href)$/;

/** Finds attributes and members of React and similar libraries that make markup of a value. */
function* elements(fragment: Fragment): Iterable<Sighting> {
  for (const index of fragment.wordsLike(ATTRIBUTES)) {
    const isKey = fragment.text(index + 1) === ":";
    const name = fragment.text(index);
    if ((name === "__html" || name === "innerHTML") && isKey) {
      const value = { from: index + 2, to: expressionEnd(fragment, index + 2) };
      const { level, by } = provenanceOf(fragment, "markup").given(value);
      // A call may have sanitized its result.
      const called = fragment.tokens.slice(value.from, value.to).some(({ text }) => text === "(");
      if (level < unknown || (level === unknown && called)) continue;
      const message = `${name === "__html" ? "dangerouslySetInnerHTML" : name} makes markup of ${SOURCES[level]}.`;
      yield seenAt(fragment, [index, index + 2], { message, severity: severityOf(level), by });
    } else if (name === "srcDoc" && fragment.text(index + 1) === "=" && fragment.text(index + 2) === "{") {
      const level = provenanceOf(fragment, "markup").of({
        from: index + 3,
        to: fragment.tokens[index + 2]?.partner ?? index,
      });
      if (level < unknown) continue;
      yield seenAt(fragment, [index], {
        message: `srcDoc makes a page of ${SOURCES[level]}.`,
        severity: severityOf(level),
      });
    } else if (isMarkdownSwitch(fragment, index)) {
      const message = "Markup within Markdown is passed on as it is.";
      yield seenAt(fragment, [elementStart(fragment, index), index], { message });
    } else if (fragment.text(index) === "href" && isKey) yield* reference(fragment, index);
  }
}

function isMarkdownSwitch(fragment: Fragment, index: number): boolean {
  // What is passed on is cleaned behind.
  if (fragment.words.has("rehypeSanitize")) return false;
  const text = fragment.text(index);
  const off = fragment.text(index + 1) === "=" && fragment.text(index + 3) === "false";
  if (text === "allowDangerousHtml") return !off;
  if (text === "rehypeRaw")
    return /^[[,]$/.test(fragment.text(index - 1)) && fragment.text(index + 1) !== "}";
  return text === "escapeHtml" && off;
}

/** Returns the index of the element's name for one of its attributes. */
function elementStart(fragment: Fragment, at: number): number {
  for (let index = at; index > Math.max(0, at - 60); index--) {
    const token = fragment.tokens[index];
    if (token?.kind === "close" && token.partner >= 0) index = token.partner;
    if (fragment.text(index - 1) === "<") return index;
  }
  return at;
}

/** Maximum tokens before an address that are searched for a check of it. */
const MAX_LOOKED_AT = 5000;

/** `createElement("a", { href: input })`, if the address is not checked. */
function* reference(fragment: Fragment, at: number): Iterable<Sighting> {
  const value = { from: at + 2, to: expressionEnd(fragment, at + 2) };
  if (!fragment.isWord(value.from) || provenanceOf(fragment, "markup").of(value) < parameter) return;
  const name = fragment.text(value.from);
  const scope = fragment.names.functionAt(at);
  if (!scope || !holdsCall(fragment, "createElement", scope.body)) return;
  for (let index = Math.max(scope.body.from, at - MAX_LOOKED_AT); index < at; index++) {
    if (
      fragment.text(index) === name &&
      /^(?:startsWith|match|test|includes|protocol)$/.test(fragment.text(index + 2))
    )
      return;
  }
  const message = `A link's address is ${SOURCES[LEVEL.parameter]}; "javascript:" is one too.`;
  yield seenAt(fragment, [at], { message, severity: "info" });
}

/** Whether a call of this name stands in a range. */
function holdsCall(fragment: Fragment, name: string, { from, to }: Range): boolean {
  const calls = fragment.callsNamed(name);
  const next = calls[firstIndex(calls, ({ at }) => at > from)];
  return next !== undefined && next.at < to;
}

const REPLACING = /^replace(?:All)?$/;

/** `.replaceAll("<", "&lt;")`, `.replace("'", "")`: escaping by hand is usually incomplete. */
function* handMadeEscapes(fragment: Fragment): Iterable<Sighting> {
  for (const call of fragment.callsOf(REPLACING)) {
    const [what, by] = call.args;
    const token = what && fragment.tokens[what.from];
    if (!token || !by || !/^(?:<|>|"|'|\\'|\\"|\/[<>"']\/g?)$/.test(token.text)) continue;
    const onlyFirst = call.name === "replace" && (token.kind === "string" || !token.text.endsWith("g"));
    const entity = /^&(?:lt|gt|quot|apos|#\w{2,4});$/.test(fragment.text(by.from));
    if (!entity && !onlyFirst) continue;
    const message = onlyFirst
      ? "Only the first such character is replaced; the next one goes through."
      : "Markup is escaped by hand, which is easily incomplete.";
    yield seenCall(fragment, call, { message, severity: "info" });
  }
}
