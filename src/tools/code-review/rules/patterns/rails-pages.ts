import type { Severity, Sighting } from "../../finding.ts";
import { chainFrom } from "../../flow/chain.ts";
import { LEVEL, type Level } from "../../flow/level.ts";
import { provenanceOf } from "../../flow/provenance.ts";
import { looksUpBy } from "../../flow/sanitizers.ts";
import { pathBefore } from "../../syntax/calls.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { MEMBER } from "../../syntax/keywords.ts";
import { optionsOf } from "../../syntax/options.ts";
import type { Range } from "../../syntax/range.ts";
import { SOURCES, seenAt, seenCall, severityOf } from "../sightings/sightings.ts";

const { unknown, request } = LEVEL;
const PAGES = /^(?:text|inline)$/;
const RENDERING = /^render(?:_to_string)?$/;

/** Finds values that Rails sends as markup without escaping them. */
export function* railsPages(fragment: Fragment): Iterable<Sighting> {
  yield* htmlSafe(fragment);
  for (const call of fragment.callsOf(RENDERING)) {
    const page = optionsOf(fragment, call.args).find(({ name }) => PAGES.test(name));
    if (!page) continue;
    const level = provenanceOf(fragment, "markup").of(page.value);
    // `inline:` is a template, which is run. `text:` is sent as HTML. `html:` escapes what is not marked safe.
    if (level < unknown) continue;
    const message = `${call.name} sends ${SOURCES[level]} as a page.`;
    yield seenCall(fragment, call, { message, severity: severityOfPage(level, page.name) });
  }
}

function severityOfPage(level: Level, name: string): Severity {
  return level === request ? "error" : level === unknown && name === "text" ? "info" : "warning";
}

/** Finds `value.html_safe`, which declares the value to be markup. */
function* htmlSafe(fragment: Fragment): Iterable<Sighting> {
  for (const index of fragment.words.get("html_safe") ?? []) {
    if (!MEMBER.has(fragment.text(index - 1))) continue;
    // A plain string has no path, so it is taken by its index.
    const from = Math.min(pathBefore(fragment, index).start, index - 2);
    const provenance = provenanceOf(fragment, "markup");
    const before = fragment.tokens[index - 2];
    // The result of a call with fixed arguments, such as `t("title")`, is fixed too.
    const given = before?.text === ")" ? { from: before.partner, to: index - 1 } : { from, to: index - 1 };
    const level = Math.min(provenance.of({ from, to: index - 1 }), provenance.of(given)) as Level;
    if (level < unknown) continue;
    const message = `html_safe takes ${SOURCES[level]} for markup.`;
    yield seenAt(fragment, [from, index], { message, severity: severityOf(level) });
  }
}

/** Calls that make a hash of `params`, from which Rails builds an address of its own. */
const HASHED = /^params\.(?:slice|merge|permit!?|except|to_unsafe_h|to_h)\b/;

/** Whether Rails builds the address: `order_url(order)`, `action: "show"`, `params.merge(page: 2)`, `Order.find(1)`. */
export function isOwnRoute(fragment: Fragment, { from, to }: Range): boolean {
  const isKeyed = /^(?:\{|:)$/.test(fragment.text(from)) || /^(?:=>|:)$/.test(fragment.text(from + 1));
  if (isKeyed && fragment.text(from + 2) !== ":") return true;
  if (!fragment.isWord(from)) return false;
  const { path, end } = chainFrom(fragment, from, to);
  // `redirect_to order_url(order) if order.open?`
  if (end !== to && !/^(?:if|unless)$/.test(fragment.text(end))) return false;
  const name = /(\w{1,80}!?)(?:\(\))?$/.exec(path)?.[1] ?? "";
  // A record may have a column with a name that ends in `_url`.
  const isRoute = /_path$/.test(name) || (/_url$/.test(name) && !path.includes("."));
  return isRoute || HASHED.test(path) || looksUpBy(name);
}

/** `class: name`, but not an address or a script: `href: params[:url]`. */
export function isPlainAttribute(fragment: Fragment, { from }: Range): boolean {
  const isKeyed = /^(?::|=>)$/.test(fragment.text(from + 1)) && fragment.text(from + 2) !== ":";
  return isKeyed && !/^(?:href|src|srcdoc|action|style|data|on\w{2,20})$/.test(fragment.text(from));
}
