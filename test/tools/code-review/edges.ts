import { expect, it } from "vitest";
import type { RuleId } from "../../../src/tools/code-review/finding.ts";
import { findingsIn } from "./cases.ts";
import { toldOtherwise } from "./whole-names/elsewhere.ts";
import { partlyKnown, saidInGeneral } from "./whole-names/whole-names.ts";

/** Code on either side of what a rule tells apart, and the places that it reports: `line:column`, or `line`. */
export type Edge = readonly [code: string, ...places: string[]];

/**
 * What a rule says of each, in a file of that path: of what is reported where it begins, else nothing. What is
 * reported is said, not what the rule is about in general. The names in it are known as a whole, and it is
 * reported wherever in a file it stands.
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
  it(`${rule} in ${path} knows names as a whole`, () => {
    const reported = cases.filter(([, ...places]) => places.length > 0);
    expect(partlyKnown(reported.map(([code]) => ({ rule, path, code }))).partly).toEqual([]);
  });
  it(`${rule} in ${path} is the same wherever it stands`, () =>
    expect(toldOtherwise(cases.map(([code]) => ({ rule, path, code })))).toEqual([]));
}
