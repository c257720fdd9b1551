import { firstIndex } from "../../../../system/binary-search.ts";
import type { Sighting } from "../../finding.ts";
import { valuesIn } from "../../flow/harmless/formats.ts";
import { isEscaping } from "../../flow/harmless/templates.ts";
import { LEVEL } from "../../flow/level.ts";
import { provenanceOf } from "../../flow/provenance.ts";
import { highestOf } from "../../flow/value.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { expressionEnd } from "../../syntax/functions/functions.ts";
import { MEMBER } from "../../syntax/keywords.ts";
import { type TextExpression, textExpressionsOf } from "../../syntax/text-expression.ts";
import { SOURCES, seenAt, severityOf } from "../sightings/sightings.ts";

const { unknown, request } = LEVEL;

/** A tag of HTML, opened or closed. */
const TAG =
  /<\/?(?:!doctype|html|head|body|div|span|p|h[1-6]|a|b|i|u|em|strong|ul|ol|li|table|t[rdh]|thead|tbody|form|input|button|select|option|textarea|label|img|iframe|svg|style|link|meta|title|br|hr|pre|code|section|article|header|footer|nav|main|script|video|audio|font|center)\b[^>]{0,400}>?/i;
const SCRIPT = /<script\b|<\/script>/i;

/** Finds markup that is built as text. */
export function* htmlTexts(fragment: Fragment): Iterable<Sighting> {
  const begun: number[] = [];
  for (const text of textExpressionsOf(fragment)) {
    if (!text.text.includes("<") || !TAG.test(text.text)) continue;
    begun.push(text.from);
    if (isOnlyLogged(fragment, text.from) || isSafeBuffer(fragment, text) || isEscaping(fragment, text.from))
      continue;
    if (text.joined) yield* joined(fragment, text);
    else yield* joinedList(fragment, text);
  }
  if (begun.length > 0) yield* additions(fragment, begun);
}

function* joined(fragment: Fragment, text: TextExpression): Iterable<Sighting> {
  const values = valuesIn(fragment, text).map((value) => provenanceOf(fragment, "markup").given(value));
  const { level, by } = highestOf(values);
  const scripted = SCRIPT.test(text.text) && fragment.language === "javascript";
  if (level < request && !(scripted && level >= unknown)) return;
  const message = `Markup is put together with ${SOURCES[level]}.`;
  yield seenAt(fragment, [text.from, text.at, text.to - 1], {
    message,
    severity: level === request ? severityOf(level) : "info",
    by,
  });
}

/** `["<b>", name, "</b>"].join("")` */
function* joinedList(fragment: Fragment, { at }: TextExpression): Iterable<Sighting> {
  if (fragment.language !== "javascript") return;
  const before = fragment.text(at - 1);
  if (before !== "[" && before !== ",") return;
  let open = at - 1;
  while (open > at - 24 && fragment.text(open) !== "[") open--;
  const list = fragment.tokens[open];
  if (list?.text !== "[" || list.partner < at || fragment.text(list.partner + 2) !== "join") return;
  const { level, by } = provenanceOf(fragment, "markup").given({ from: open + 1, to: list.partner });
  if (level < unknown) return;
  const message = `Markup is put together with ${SOURCES[level]}.`;
  yield seenAt(fragment, [open, at], {
    message,
    severity: level === unknown ? "info" : severityOf(level),
    by,
  });
}

/**
 * `html = html.concat(value)`, `html += value` behind a text that began as markup.
 *
 * @param begun starts of such texts, in ascending order
 */
function* additions(fragment: Fragment, begun: readonly number[]): Iterable<Sighting> {
  for (let index = 0; index < fragment.tokens.length; index++) {
    const text = fragment.text(index);
    const concat = text === "concat" && fragment.text(index + 1) === "(" && fragment.text(index - 1) === ".";
    if (!concat && text !== "+=") continue;
    const name = concat ? index - 2 : index - 1;
    if (!fragment.isWord(name)) continue;
    const start = fragment.names.definition(fragment.text(name), name);
    if (!start) continue;
    const first = begun[firstIndex(begun, (from) => from >= start.value.from)];
    if (first === undefined || first >= start.value.to) continue;
    const close = fragment.tokens[index + 1]?.partner ?? index;
    const value = concat
      ? { from: index + 2, to: close }
      : { from: index + 1, to: expressionEnd(fragment, index + 1) };
    const { level, by } = provenanceOf(fragment, "markup").given(value);
    if (level < request) continue;
    yield seenAt(fragment, [name], {
      message: `Markup gets ${SOURCES[request]} added.`,
      severity: "error",
      by,
    });
  }
}

/** `"<b>".html_safe + value` of Ruby: Rails escapes what is added to such a text. */
function isSafeBuffer(fragment: Fragment, { at }: TextExpression): boolean {
  return MEMBER.has(fragment.text(at + 1)) && fragment.text(at + 2) === "html_safe";
}

/** Whether a text is only logged, thrown or used in a test, and does not become part of a page. */
function isOnlyLogged(fragment: Fragment, from: number): boolean {
  for (const { path, name } of fragment.callsAround(from)) {
    if (/^(?:console|logger|log|logging|Log|expect|assert)\b/.test(path)) return true;
    if (/^(?:\w{0,40}Error|it|test|describe)$/.test(name)) return true;
  }
  return false;
}
