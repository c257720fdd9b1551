import { expect, it } from "vitest";
import type { RuleId } from "../../../src/tools/code-review/finding.ts";
import { findingsIn } from "./cases.ts";
import { toldOtherwise } from "./whole-names/elsewhere.ts";
import { partlyKnown, saidInGeneral } from "./whole-names/whole-names.ts";

/** Code on either side of a rule's edge, and the places that the rule reports: `line:column`, or `line`. */
export type Edge = readonly [code: string, ...places: string[]];

/**
 * Tests a rule's findings for each case, in a file of that path: only the given places are reported. Messages must
 * name the flaw rather than the rule in general. Names must be matched as a whole, and findings must not depend on
 * the place in a file.
 */
export function edges(rule: RuleId, path: string, cases: readonly Edge[]): void {
  it.each(cases.map(([code, ...places]) => ({ code, places })))(
    `${rule} in ${path}: $code`,
    ({ code, places }) => {
      const found = findingsIn(path, code, { rules: { only: [rule] } });
      const isLines = places.every((place) => !place.includes(":"));
      expect(found.map(({ line, column }) => (isLines ? `${line}` : `${line}:${column}`))).toEqual(places);
      expect(saidInGeneral(found)).toEqual([]);
    },
  );
  it(`${rule} in ${path} matches names only as a whole`, () => {
    const reported = cases.filter(([, ...places]) => places.length > 0);
    expect(partlyKnown(reported.map(([code]) => ({ rule, path, code }))).partly).toEqual([]);
  });
  it(`${rule} in ${path} reports the same in any context`, () =>
    expect(toldOtherwise(cases.map(([code]) => ({ rule, path, code })))).toEqual([]));
}
