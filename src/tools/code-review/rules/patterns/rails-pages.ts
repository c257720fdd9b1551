import type { Severity, Sighting } from "../../finding.ts";
import { LEVEL, type Level } from "../../flow/level.ts";
import { provenanceOf } from "../../flow/provenance.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { MEMBER } from "../../syntax/keywords.ts";
import { optionsOf } from "../../syntax/options.ts";
import { statementEnd } from "../../syntax/statements.ts";
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
    let from = index - 2;
    const before = fragment.tokens[from];
    if (before?.kind === "close" && before.partner >= 0) from = before.partner;
    while (MEMBER.has(fragment.text(from - 1))) from -= 2;
    const level: Level = provenanceOf(fragment, "markup").of({
      from,
      to: Math.min(index - 1, statementEnd(fragment, from)),
    });
    if (level < unknown) continue;
    const message = `html_safe takes ${SOURCES[level]} for markup.`;
    yield seenAt(fragment, [from, index], {
      message,
      severity: level === unknown ? "info" : severityOf(level),
    });
  }
}
