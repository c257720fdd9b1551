import { expect, it } from "vitest";
import type { RuleId } from "../../../../src/tools/code-review/finding.ts";
import { findingsIn } from "../cases.ts";

/** Code on either side of what a rule tells apart, and the places that it reports: `line:column`, or `line`. */
export type Edge = readonly [code: string, ...places: string[]];

/** What a rule says of each, in a file of that path: of what is reported where it begins, else nothing. */
export function edges(rule: RuleId, path: string, cases: readonly Edge[]): void {
  it.each(cases.map(([code, ...places]) => ({ code, places })))(
    `${rule} in ${path}: $code`,
    ({ code, places }) => {
      const found = findingsIn(path, code, { rules: { only: [rule] } });
      const isLines = places.every((place) => !place.includes(":"));
      expect(found.map(({ line, column }) => (isLines ? `${line}` : `${line}:${column}`))).toEqual(places);
    },
  );
}
