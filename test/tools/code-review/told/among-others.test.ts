import { expect, it } from "vitest";
import { RULE_IDS } from "../../../../src/tools/code-review/finding.ts";
import { isLong } from "../../../support/runs.ts";
import { toldOtherwise } from "../whole-names/elsewhere.ts";
import { EXAMPLES } from "../whole-names/examples.ts";

/** Length above which examples are skipped, since they contain other statements anyway. */
const MAX_LENGTH = 160;
/** Tests every n-th example, since thousands are alike. */
const STEP = isLong() ? 1 : 4;

it.each(RULE_IDS)("%s reports the same flaw anywhere in a file and at any depth", (rule) => {
  const own = EXAMPLES.filter((each) => each.rule === rule && each.code.length <= MAX_LENGTH);
  expect(own).not.toEqual([]);
  expect(toldOtherwise(own.filter((_, index) => index % STEP === 0))).toEqual([]);
});
