import type { Sighting } from "../../finding.ts";
import { LEVEL } from "../../flow/level.ts";
import { provenanceOf } from "../../flow/provenance.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { expressionEnd } from "../../syntax/functions/functions.ts";
import { SOURCES, seenAt, severityOf } from "../sightings/sightings.ts";

const GO_TYPES = /^(?:HTML|HTMLAttr|JS|JSStr|CSS|URL|Srcset)$/;

/** `var page template.HTML = text` of Go: values of such a type are not escaped. */
export function* markupTypes(fragment: Fragment): Iterable<Sighting> {
  for (const index of fragment.wordsLike(GO_TYPES)) {
    const declared = fragment.text(index + 1) === "=" && fragment.isWord(index - 3);
    if (!declared || fragment.text(index - 2) !== "template") continue;
    const value = { from: index + 2, to: expressionEnd(fragment, index + 2) };
    const level = provenanceOf(fragment, "markup").of(value);
    if (level < LEVEL.unknown) continue;
    const message = `template.${fragment.text(index)} takes ${SOURCES[level]} for markup.`;
    yield seenAt(fragment, [index - 3, index], { message, severity: severityOf(level) });
  }
}

const SAFE_BASES = /^(?:SafeString|SafeText|SafeData|SafeBytes|Markup)$/;
const OWN = "What this makes goes into pages as it is: whatever it puts in must be escaped here.";

/** Finds Python classes that declare their own text to be markup. */
export function* ownMarkup(fragment: Fragment): Iterable<Sighting> {
  for (const index of fragment.words.get("__html__") ?? []) {
    if (fragment.text(index - 1) === "def")
      yield seenAt(fragment, [index - 1], { message: OWN, severity: "info" });
  }
  for (const index of fragment.words.get("html_safe") ?? []) {
    const used = fragment.text(index - 1) === "@" || fragment.text(index + 1) === "(";
    if (used) yield seenAt(fragment, [statementBegin(fragment, index)], { message: OWN, severity: "info" });
  }
  for (const index of fragment.wordsLike(SAFE_BASES)) {
    if (isBase(fragment, index))
      yield seenAt(fragment, [statementBegin(fragment, index)], { message: OWN, severity: "info" });
  }
}

/** Maximum tokens of a class's head. */
const MAX_HEAD = 30;

/** Whether a name is in the brackets behind a class's name. */
function isBase(fragment: Fragment, at: number): boolean {
  for (let index = at - 1; index > at - MAX_HEAD; index--) {
    const token = fragment.tokens[index];
    if (token?.kind === "close" || token?.text === ":") return false;
    if (token?.kind === "open") return token.text === "(" && fragment.text(index - 2) === "class";
  }
  return false;
}

/** Returns the first token of a line. */
function statementBegin(fragment: Fragment, at: number): number {
  const line = fragment.lineOf(at);
  let index = at;
  while (at - index < MAX_HEAD && fragment.lineOf(index - 1) === line) index--;
  return index;
}
