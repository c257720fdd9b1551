import type { Sighting } from "../../finding.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { MEMBER } from "../../syntax/keywords.ts";
import { seenAt } from "../sightings/sightings.ts";

const TYPE_SETTINGS = /^(?:TypeNameHandling|TypeFilterLevel|JsonTypeInfo)$/;

/** Finds settings that let the input choose its types. */
export function* typeNames(fragment: Fragment): Iterable<Sighting> {
  for (const index of fragment.wordsLike(TYPE_SETTINGS)) {
    const after = fragment.text(index + 2);
    const typed = MEMBER.has(fragment.text(index + 1)) && /^(?:All|Auto|Objects|Arrays|Full)$/.test(after);
    const jackson = fragment.text(index + 1) === "(" && hasClassId(fragment, index);
    if (!typed && !jackson) continue;
    yield seenAt(fragment, [index], { message: "The input chooses which types are made of it." });
  }
}

/** `@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)` */
function hasClassId(fragment: Fragment, index: number): boolean {
  const open = fragment.tokens[index + 1];
  for (let at = index + 2; at < (open?.partner ?? 0); at++) {
    if (/^(?:CLASS|MINIMAL_CLASS)$/.test(fragment.text(at))) return true;
  }
  return false;
}
