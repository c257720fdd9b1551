import type { Sighting } from "../../finding.ts";
import { LEVEL } from "../../flow/level.ts";
import { provenanceOf } from "../../flow/provenance.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { expressionEnd } from "../../syntax/functions/functions.ts";
import { indexBy } from "../../syntax/lookup/index-by.ts";
import { optionsOf } from "../../syntax/options.ts";
import type { Range } from "../../syntax/range.ts";
import { SOURCES, seenAt, seenCall, seenOption, severityOf } from "../sightings/sightings.ts";

/** Options that turn escaping off, with the values that do so, and the calls that an ambiguous name belongs to. */
const OFF: Readonly<Record<string, { value: RegExp; calls?: RegExp }>> = {
  autoescape: { value: /^(?:false|False)$/ },
  autoEscape: { value: /^false$/ },
  noEscape: { value: /^true$/ },
  unsafe: { value: /^true$/, calls: /seriali[sz]e/i },
  sanitize: { value: /^false$/, calls: /marked|markdown|remark/i },
  allowedTags: { value: /^false$/ },
  html: { value: /^true$/, calls: /markdown-?it|remarkable/i },
  xssFilter: { value: /^false$/, calls: /helmet/ },
  is_safe: { value: /^True$/, calls: /filter$/ },
  unsafe_allow_html: { value: /^True$/ },
  escape_html_entities_in_json: { value: /^false$/ },
};

/** Names of these options, which are written as strings in Python and PHP. */
const QUOTED = new RegExp(`^(?:${Object.keys(OFF).join("|")})$`);
const ANGULAR = /^(?:enabled|resourceUrlWhitelist|trustedResourceUrlList)$/;

/** Finds options and calls that turn escaping off. */
export function* escapingOff(fragment: Fragment): Iterable<Sighting> {
  const quoted = indexBy(fragment.stringsLike(QUOTED), (index) => fragment.text(index));
  for (const [name, { value, calls }] of Object.entries(OFF)) {
    for (const at of [...(fragment.words.get(name) ?? []), ...(quoted.get(name) ?? [])]) {
      // `context["autoescape"] = False`
      const mark = fragment.text(at + 1) === "]" ? at + 2 : at + 1;
      if (!/^(?:[:=]|=>)$/.test(fragment.text(mark)) || !value.test(fragment.text(mark + 1))) continue;
      const call = calls && fragment.callAround(at);
      if (calls && !calls.test(call ? fragment.names.resolve(call.path) : "")) continue;
      yield seenOption(fragment, at, { message: `${name} is set so that nothing is escaped.` });
    }
  }
  for (const call of fragment.callsOf(ANGULAR)) {
    if (call.name !== "enabled") yield* trustedEverywhere(fragment, call.args);
    else if (
      call.path.endsWith("$sceProvider.enabled") &&
      fragment.text(call.args[0]?.from ?? -1) === "false"
    ) {
      yield seenCall(fragment, call, {
        message: "Angular's strict contextual escaping is switched off.",
        severity: "error",
      });
    }
  }
}

function* trustedEverywhere(fragment: Fragment, args: readonly Range[]): Iterable<Sighting> {
  for (const { from, to } of args) {
    for (let index = from; index < to; index++) {
      if (!fragment.isString(index) || !/^\*\*$|\/\/\*\*|^\*\*\./.test(fragment.text(index))) continue;
      yield seenAt(fragment, [index], {
        message: "Angular loads templates from any host that this pattern admits.",
      });
      return;
    }
  }
}

const VALIDATION = /^(?:ValidateInput|AllowHtml)$/;

/** `[ValidateInput(false)]`, `[AllowHtml]`: ASP.NET admits markup, so every page that shows it must escape it. */
export function* uncheckedRequests(fragment: Fragment): Iterable<Sighting> {
  for (const index of fragment.wordsLike(VALIDATION)) {
    const off = fragment.text(index) === "AllowHtml" || fragment.text(index + 2) === "false";
    if (fragment.text(index - 1) !== "[" || !off) continue;
    yield seenAt(fragment, [index], {
      message: "Requests may bring markup along; whatever shows them must escape it.",
    });
  }
}

/** `(MarkupString)comment.Body` of Blazor. */
export function* castToMarkup(fragment: Fragment): Iterable<Sighting> {
  for (const at of fragment.words.get("MarkupString") ?? []) {
    if (fragment.text(at - 1) !== "(" || fragment.text(at + 1) !== ")") continue;
    const level = provenanceOf(fragment, "markup").of({ from: at + 2, to: expressionEnd(fragment, at + 2) });
    if (level < LEVEL.unknown) continue;
    const message = `MarkupString puts ${SOURCES[level]} into the page as markup.`;
    yield seenAt(fragment, [at], { message, severity: severityOf(level) });
  }
}

const ENVIRONMENT = /^Environment$/;
const GET_TEMPLATE = /^get_template$/;
/** Templates of what is no markup: `ci.yml.j2`. */
const NO_MARKUP =
  /\.(?:ya?ml|json|toml|ini|cfg|conf|env|service|sh|bash|txt|md|rst|sql|py|go|rs|java|ts|js|c|h|tf|tex|csv)(?:\.(?:j2|jinja2?|tmpl|tpl))?$/;

/** Finds environments of Jinja without autoescaping, which is off by default. */
export function* bareEnvironments(fragment: Fragment): Iterable<Sighting> {
  const taken = [...fragment.callsOf(GET_TEMPLATE)].map(({ args }) => fragment.text(args[0]?.from ?? -1));
  if (taken.length > 0 && taken.every((name) => NO_MARKUP.test(name))) return;
  for (const call of fragment.callsOf(ENVIRONMENT)) {
    const resolved = fragment.names.resolve(call.path);
    if (!/jinja2?\b|^Environment$/.test(resolved)) continue;
    const tokens = fragment.tokens.slice(call.at, call.end);
    const jinja = resolved !== "Environment" || tokens.some(({ text }) => /Loader$|^loader$/.test(text));
    const given = optionsOf(fragment, call.args).find(({ name }) => name === "autoescape");
    const made = given && fragment.text(given.value.from + 1) === "(" ? fragment.text(given.value.from) : "";
    if (made && made !== "select_autoescape" && jinja) {
      const message = `Whether Jinja escapes depends on what ${made}() gives; take True or select_autoescape().`;
      yield seenCall(fragment, call, { message, severity: "info" });
    }
    if (!jinja || tokens.some(({ text }) => text === "autoescape" || text === "**")) continue;
    yield seenCall(fragment, call, { message: "Jinja escapes nothing here; give it autoescape=True." });
  }
}

/** Objects whose `escape` is for selectors, patterns or addresses; programs bring it where an old browser has none. */
const OTHER_ESCAPES = /^(?:CSS|RegExp|Regex|regex|window|globalThis|self|[$_])$/;

/** `Mustache.escape = (text) => text`: the engine's own escaping is replaced. */
export function* overwrittenEscape(fragment: Fragment, equals: number): Iterable<Sighting> {
  const next = fragment.text(equals + 1);
  const off = fragment.text(equals - 1) === "escapeMarkup" && next === "false";
  const isEngine = !OTHER_ESCAPES.test(fragment.text(equals - 3));
  const replaced = fragment.text(equals - 1) === "escape" && isEngine && isFunction(fragment, equals + 1);
  if (!off && !replaced) return;
  yield seenAt(fragment, [equals - 3, equals - 1], {
    message: "The template engine's escaping is switched off.",
  });
}

function isFunction(fragment: Fragment, from: number): boolean {
  const end = fragment.text(from) === "(" ? (fragment.tokens[from]?.partner ?? from) : from;
  return fragment.text(from) === "function" || fragment.text(end + 1) === "=>";
}
