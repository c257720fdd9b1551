import { expect, it } from "vitest";
import { RULE_EXAMPLES } from "../../../scripts/review-rule-examples.ts";
import { RULE_IDS } from "../../../src/tools/code-review/finding.ts";
import { findingsIn } from "./cases.ts";

it.each(RULE_IDS)("the documented examples of %s are reported or passed over as stated", (rule) => {
  const { path, fires, passes } = RULE_EXAMPLES[rule];
  const only = { rules: { only: [rule] } };
  expect(findingsIn(path, fires, only).map((each) => each.rule)).toContain(rule);
  expect(findingsIn(path, passes, only)).toEqual([]);
});
