import type { Sighting } from "../../finding.ts";
import { LEVEL } from "../../flow/level.ts";
import { provenanceOf } from "../../flow/provenance.ts";
import { reachingOf } from "../../flow/reaching.ts";
import { isRouted } from "../../flow/sources/python-routes.ts";
import { isRequestPath } from "../../flow/sources/request-sources.ts";
import { TEMPLATE_OPEN } from "../../lexer/token.ts";
import { pathBefore } from "../../syntax/calls.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import type { Range } from "../../syntax/range.ts";
import { statementEnd } from "../../syntax/statements.ts";
import { SOURCES, seenAt, severityOf } from "../sightings/sightings.ts";

/** Python frameworks that send a text returned by a route's function as HTML. */
const FRAMEWORKS = /^(?:flask|bottle|sanic|quart|cherrypy)\b/;

/** Maximum definitions of a name that are checked for a text. */
const MAX_DEFINITIONS = 6;

/** `return "Hello " + name` in a function under `@app.route`. */
export function* returnedPages(fragment: Fragment): Iterable<Sighting> {
  if (![...fragment.names.imports.values()].some((module) => FRAMEWORKS.test(module))) return;
  for (const at of fragment.words.get("return") ?? []) {
    const scope = fragment.names.functionAt(at);
    if (!scope || !isRouted(fragment, scope)) continue;
    const value = { from: at + 1, to: statementEnd(fragment, at + 1) };
    if (!isText(fragment, value)) continue;
    const level = provenanceOf(fragment, "markup").of(value);
    if (level < LEVEL.request) continue;
    const message = `The page that is returned holds ${SOURCES[level]} without escaping.`;
    yield seenAt(fragment, [at], { message, severity: severityOf(level) });
  }
}

/** Whether a value is a text that is built here, or a name of one. Results of functions may be anything. */
function isText(fragment: Fragment, { from, to }: Range, depth = 0): boolean {
  const token = fragment.tokens[from];
  if (from >= to || !token) return false;
  if (token.kind === "string" || token.text === TEMPLATE_OPEN) return true;
  if (token.text === "(")
    return isText(fragment, { from: from + 1, to: Math.max(token.partner, from) }, depth);
  if (token.kind !== "word") return false;
  if (isRequestPath(fragment.language, pathBefore(fragment, from + 2).path)) return true;
  if (to - from > 1 || depth > 2) return false;
  return reachingOf(fragment)
    .definitions(token.text, from)
    .slice(0, MAX_DEFINITIONS)
    .some(({ kind, value }) => (kind === "assign" || kind === "add") && isText(fragment, value, depth + 1));
}
