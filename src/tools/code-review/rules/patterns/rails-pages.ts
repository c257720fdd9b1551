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
const PAGES = /^(?:text|html|inline)$/;
const RENDERING = /^render(?:_to_string)?$/;

/** Markup that Rails sends without escaping it. */
export function* railsPages(fragment: Fragment): Iterable<Sighting> {
  yield* htmlSafe(fragment);
  for (const call of fragment.callsOf(RENDERING)) {
    const page = optionsOf(fragment, call.args).find(({ name }) => PAGES.test(name));
    if (!page) continue;
    const level = provenanceOf(fragment, "markup").of(page.value);
    // What stands inline is a template, and runs; a text was sent as HTML, and html: escapes what is not marked safe.
    if (level < (page.name === "html" ? request : unknown)) continue;
    const message = `${call.name} sends ${SOURCES[level]} as a page.`;
    yield seenCall(fragment, call, { message, severity: severityOfPage(level, page.name) });
  }
}

function severityOfPage(level: Level, name: string): Severity {
  return level === request ? "error" : level === unknown && name === "text" ? "info" : "warning";
}

/** `value.html_safe` says that the value is markup. */
function* htmlSafe(fragment: Fragment): Iterable<Sighting> {
  for (const index of fragment.words.get("html_safe") ?? []) {
    if (!MEMBER.has(fragment.text(index - 1))) continue;
    // Before a plain string there is no path.
    const from = Math.min(pathBefore(fragment, index).start, index - 2);
    const provenance = provenanceOf(fragment, "markup");
    const before = fragment.tokens[index - 2];
    // What a call makes of fixed texts, such as `t("title")`, is fixed as well.
    const given = before?.text === ")" ? { from: before.partner, to: index - 1 } : { from, to: index - 1 };
    const level = Math.min(provenance.of({ from, to: index - 1 }), provenance.of(given)) as Level;
    if (level < unknown) continue;
    const message = `html_safe takes ${SOURCES[level]} for markup.`;
    yield seenAt(fragment, [from, index], { message, severity: severityOf(level) });
  }
}

/** Makes of `params` a hash, of which Rails makes an address of its own. */
const HASHED = /^params\.(?:slice|merge|permit!?|except|to_unsafe_h|to_h)\b/;

/** `order_url(order)`, `action: "show"`, `params.merge(page: 2)`, `Order.find(id)`: Rails writes the address itself. */
export function isOwnRoute(fragment: Fragment, { from, to }: Range): boolean {
  const isKeyed = /^(?:\{|:)$/.test(fragment.text(from)) || /^(?:=>|:)$/.test(fragment.text(from + 1));
  if (isKeyed && fragment.text(from + 2) !== ":") return true;
  if (!fragment.isWord(from)) return false;
  const { path, end } = chainFrom(fragment, from, to);
  if (end !== to) return false;
  const name = /(\w{1,80}!?)(?:\(\))?$/.exec(path)?.[1] ?? "";
  // A record may have a column that is called so.
  const isRoute = /_path$/.test(name) || (/_url$/.test(name) && !path.includes("."));
  return isRoute || HASHED.test(path) || looksUpBy(name);
}
