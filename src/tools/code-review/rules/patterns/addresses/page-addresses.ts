import type { Sighting } from "../../../finding.ts";
import { LEVEL } from "../../../flow/level.ts";
import { provenanceOf } from "../../../flow/provenance.ts";
import { TEMPLATE_OPEN } from "../../../lexer/token.ts";
import type { Fragment } from "../../../syntax/fragment.ts";
import type { Range } from "../../../syntax/range.ts";
import { SOURCES, seenAt } from "../../sightings/sightings.ts";
import { isOwnPage } from "./addresses.ts";

const { unknown, request } = LEVEL;
const GOING = /^(?:(?:window|document|self|top|parent|globalThis)\.)?location\.(?:assign|replace)$/;

/** Whether a member is the address of the page: `location.href`, `window.location`. */
export function isLocation(fragment: Fragment, at: number): boolean {
  if (fragment.text(at) === "href") return fragment.text(at - 2) === "location";
  return (
    fragment.text(at) === "location" &&
    /^(?:window|document|\$window|top|parent|self)$/.test(fragment.text(at - 2))
  );
}

/** `location.assign(value)`, `window.location.replace(value)` */
export function* givenAddresses(fragment: Fragment): Iterable<Sighting> {
  for (const { path, at, args } of fragment.callsOf(/^(?:assign|replace)$/))
    if (args[0] && GOING.test(path)) yield* wherePageGoes(fragment, at, args[0]);
}

/** Finds that the page goes to an address whose beginning a client chooses. `at` is the member or call that is given it. */
export function* wherePageGoes(fragment: Fragment, at: number, value: Range): Iterable<Sighting> {
  const first = { from: value.from, to: firstOperandEnd(fragment, value) };
  if (isOwnPage(fragment, first)) return;
  const level = provenanceOf(fragment, "markup").of(first);
  const angular = fragment.text(at - 2) === "$window" || fragment.text(at - 4) === "$window";
  if (level < (angular ? unknown : request)) return;
  const message = `The page goes to an address that begins with ${SOURCES[level]}; "javascript:" is one too.`;
  yield seenAt(fragment, [at, value.from], { message, severity: level === request ? "warning" : "info" });
}

function firstOperandEnd(fragment: Fragment, { from, to }: Range): number {
  for (let index = from; index < to; index++) {
    const token = fragment.tokens[index];
    if (token?.kind === "open" && token.text !== TEMPLATE_OPEN && token.partner > 0) index = token.partner;
    else if (token?.text === "+" && index > from) return index;
    else if (token?.text === TEMPLATE_OPEN)
      return fragment.isString(index + 1) && fragment.text(index + 1) !== "" ? index : to;
  }
  return to;
}
