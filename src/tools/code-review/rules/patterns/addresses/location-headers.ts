import type { Sighting } from "../../../finding.ts";
import { LEVEL } from "../../../flow/level.ts";
import { provenanceOf } from "../../../flow/provenance.ts";
import type { Fragment } from "../../../syntax/fragment.ts";
import { expressionEnd } from "../../../syntax/functions/functions.ts";
import { MEMBER } from "../../../syntax/keywords.ts";
import { objectOf, optionsIn } from "../../../syntax/options.ts";
import type { Range } from "../../../syntax/range.ts";
import { seenAt } from "../../sightings/sightings.ts";
import { saidOf } from "../../sightings/variants.ts";
import { isOwnAddress } from "./addresses.ts";

const HOLDERS = /^(?:[hH]eaders|[rR]esponse|resp?)$/;
const LOCATION = /^location$/i;

/** Finds a header that redirects to what a client sends: `response.headers["Location"] = url`, `headers: { Location: url }`. */
export function* locationHeaders(fragment: Fragment): Iterable<Sighting> {
  for (const at of fragment.wordsLike(HOLDERS)) {
    const value = assignedBehind(fragment, at) ?? listedBehind(fragment, at);
    if (!value || isOwnAddress(fragment, value, "redirect")) continue;
    const given = provenanceOf(fragment, "address").given(value);
    if (given.level >= LEVEL.request)
      yield seenAt(fragment, [at, value.from], saidOf("redirect", "The Location header", given));
  }
}

/** `headers["Location"] = …`, `Headers.Location = …` */
function assignedBehind(fragment: Fragment, at: number): Range | undefined {
  const isMember = MEMBER.has(fragment.text(at + 1));
  const named = fragment.text(at + 1) === "[" || isMember ? at + 2 : -1;
  if (!LOCATION.test(fragment.text(named)) || (isMember && !/^[hH]/.test(fragment.text(at))))
    return undefined;
  const equals = isMember ? named + 1 : named + 2;
  if (fragment.text(equals) !== "=") return undefined;
  return { from: equals + 1, to: expressionEnd(fragment, equals + 1) };
}

/** `headers: { Location: … }`, `headers={"Location": …}`, `new Headers({ Location: … })` */
function listedBehind(fragment: Fragment, at: number): Range | undefined {
  const isGiven = /^[:=(]$/.test(fragment.text(at + 1)) && /^[[{]$/.test(fragment.text(at + 2));
  const object = isGiven ? objectOf(fragment, { from: at + 2, to: at + 3 }) : undefined;
  return object && optionsIn(fragment, object).find(({ name }) => LOCATION.test(name))?.value;
}
