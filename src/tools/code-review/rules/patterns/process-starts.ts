import type { Sighting } from "../../finding.ts";
import { LEVEL } from "../../flow/level.ts";
import { provenanceOf } from "../../flow/provenance.ts";
import { receiverPath } from "../../flow/receivers.ts";
import { enclosingBracket } from "../../syntax/brackets.ts";
import { pathBefore } from "../../syntax/calls.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { expressionEnd } from "../../syntax/functions/functions.ts";
import { MEMBER } from "../../syntax/keywords.ts";
import { SOURCES, seenAt, severityOf } from "../sightings/sightings.ts";

const { parameter, unknown } = LEVEL;

const START_INFO = /^(?:FileName|Arguments)$/;

/** `info.FileName = value`, `new ProcessStartInfo { Arguments = "/c " + value }`. */
export function* startInfos(fragment: Fragment): Iterable<Sighting> {
  for (const index of fragment.wordsLike(START_INFO)) {
    if (fragment.text(index + 1) !== "=" || !isOfProcess(fragment, index)) continue;
    const value = { from: index + 2, to: expressionEnd(fragment, index + 2) };
    const level = provenanceOf(fragment, "shell").of(value);
    const texts = fragment.tokens.slice(value.from, value.to).filter(({ kind }) => kind === "string");
    const shell = texts.some(({ text }) => /^\s{0,4}[-/]c\s/i.test(text));
    if (level < (shell ? unknown : parameter) || (fragment.text(index) === "Arguments" && !shell)) continue;
    yield seenAt(fragment, [startBehind(fragment, index), index], {
      message: `The process started here gets ${SOURCES[level]} as its command.`,
      severity: level === unknown ? "warning" : severityOf(level),
    });
  }
}

const STARTING = /\b(?:Process)?Start(?:Info)?\b/;

/** Whether a member belongs to the start of a process. Other classes have a `FileName` too. */
function isOfProcess(fragment: Fragment, index: number): boolean {
  if (fragment.text(index) !== "FileName") return true;
  if (MEMBER.has(fragment.text(index - 1))) {
    const { path, start } = pathBefore(fragment, index);
    return STARTING.test(`${path} ${receiverPath(fragment, path, start)}`);
  }
  const open = enclosingBracket(fragment, index) ?? 0;
  return STARTING.test(fragment.texts({ from: Math.max(0, open - 6), to: open }).join(" "));
}

/** Maximum tokens behind a setting of a process that are searched for its start. */
const MAX_TO_START = 200;

/** Returns the call around or behind a setting that starts the process, or the setting itself: the place to report. */
function startBehind(fragment: Fragment, index: number): number {
  for (const { name, start } of fragment.callsAround(index)) if (name === "Start") return start;
  const end = fragment.names.functionAt(index)?.body.to ?? fragment.tokens.length;
  for (let at = index; at < Math.min(end, index + MAX_TO_START); at++) {
    if (fragment.text(at) === "Start" && fragment.text(at + 1) === "(") return pathBefore(fragment, at).start;
  }
  return index;
}
