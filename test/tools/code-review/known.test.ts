import { describe, expect, it } from "vitest";
import { findingsIn } from "./cases.ts";
import { KNOWN_CASES } from "./support/known-cases.ts";

describe.each(KNOWN_CASES)("$file", ({ cases }) => {
  it.each([...new Set(cases.map(({ rule }) => rule))])("has the expected findings of %s", (rule) => {
    const own = cases.filter((each) => each.rule === rule);
    const wrong = own.filter(
      ({ path, code, must }) => findingsIn(path, code, { rules: { only: [rule] } }).length > 0 !== must,
    );
    expect(wrong.map(({ must, code }) => `${must ? "missed" : "reported"}: ${code}`)).toEqual([]);
  });
});
