import { expect, it } from "vitest";
import { RULE_IDS } from "../../../../src/tools/code-review/finding.ts";
import { isLong } from "../../../support/runs.ts";
import { toldOtherwise } from "../whole-names/elsewhere.ts";
import { EXAMPLES } from "../whole-names/examples.ts";

/** Longer ones have others around them as they are. */
const MAX_LENGTH = 160;
/** So many are passed over for one that is looked at, since there are thousands alike. */
const STEP = isLong() ? 1 : 4;

it.each(RULE_IDS)("%s reports the same wherever in a file a flaw stands, and however deep", (rule) => {
  const own = EXAMPLES.filter((each) => each.rule === rule && each.code.length <= MAX_LENGTH);
  expect(own).not.toEqual([]);
  expect(toldOtherwise(own.filter((_, index) => index % STEP === 0))).toEqual([]);
});
