import type { Sighting } from "../../finding.ts";
import { LEVEL } from "../../flow/level.ts";
import { provenanceOf } from "../../flow/provenance.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { seenVariant } from "../sightings/variants.ts";

/** Maximum parser settings, and maximum parsing calls for each, that are considered. */
const MAX_PARSERS = 50;
const PARSING = /^(?:parse|parseString)$/;
const FEATURES = /^setFeature$/;

/** Finds SAX parsers that are set to resolve external entities and read a text that is not fixed. */
export function* entityParsers(fragment: Fragment): Iterable<Sighting> {
  for (const set of fragment.callsOf(FEATURES).slice(0, MAX_PARSERS)) {
    const [feature, value] = set.args.map(({ to }) => fragment.text(to - 1));
    if (!/^(?:feature_external_[gp]es|external-(?:general|parameter)-entities)$/.test(feature ?? ""))
      continue;
    if (value !== "True" && value !== "1") continue;
    const parser = fragment.text(set.start);
    for (const call of fragment.callsOf(PARSING).slice(0, MAX_PARSERS)) {
      const given = call.args.some(({ from, to }) => fragment.text(to - 1) === parser && to - from <= 3);
      const own = fragment.text(call.start) === parser;
      const value = call.args[0] ?? { from: call.end, to: call.end };
      const passed = provenanceOf(fragment, "code").given(value);
      if (call.at < set.at || (!given && !own) || passed.level < LEVEL.unknown) continue;
      yield seenVariant(fragment, call, "xml-entities", passed);
    }
  }
}
