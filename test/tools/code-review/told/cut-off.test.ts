import { expect, it } from "vitest";
import { RULE_IDS } from "../../../../src/tools/code-review/finding.ts";
import { isLong, runs } from "../../../support/runs.ts";
import { findingsIn } from "../cases.ts";
import { EXAMPLES } from "../whole-names/examples.ts";

/** Length above which examples are skipped, since they only have more of the same. */
const MAX_LENGTH = 160;
/** Number of places at which each example is cut. */
const CUTS = runs(1);
/** Tests every n-th example, since thousands are alike. */
const STEP = isLong() ? 1 : 3;

/** Hunks begin and end anywhere: in the middle of a call, before a value, after an operator. */
it.each(RULE_IDS)("%s reports only existing lines for code that is cut off anywhere", (rule) => {
  const own = EXAMPLES.filter((each) => each.rule === rule && each.code.length <= MAX_LENGTH);
  expect(own).not.toEqual([]);
  for (const [turn, { path, code }] of own.filter((_, index) => index % STEP === 0).entries()) {
    const places = [...code.matchAll(/\w+|[^\w\s]/g)];
    for (let cut = 0; cut < CUTS; cut++) {
      const at = places[(turn + cut * 7) % places.length]?.index ?? 0;
      for (const part of turn % 2 === 0 ? [code.slice(0, at)] : [code.slice(at)]) {
        const found = findingsIn(path, part, { rules: { only: [rule] } });
        const last = part.split("\n").length;
        expect(found.filter(({ line }) => line < 1 || line > last)).toEqual([]);
      }
    }
  }
});

it.each([
  ["a.ts", ".escape = (text) => text;", ["1:2"]],
  ["a.ts", ".escapeMarkup = false;", ["1:2"]],
  ["a.ts", "x.escapeMarkup = false;", ["1:1"]],
  ["a.ts", "innerHTML:", []],
  ["a.ts", "el.innerHTML =", []],
  ["a.ts", "window.location =", []],
  ["a.ts", "$(", []],
])("unsafe-html reads code that is cut off in %s: %j", (path, code, places) => {
  const found = findingsIn(path, code, { rules: { only: ["unsafe-html"] } });
  expect(found.map(({ line, column }) => `${line}:${column}`)).toEqual(places);
});

it.each([
  [".pseudoRandomBytes(8);", ["1:1"]],
  ["crypto.pseudoRandomBytes(8);", ["1:1"]],
  ["pseudoRandomBytes(8);", ["1:1"]],
])("insecure-randomness reads code that is cut off in a.ts: %j", (code, places) => {
  const found = findingsIn("a.ts", code, { rules: { only: ["insecure-randomness"] } });
  expect(found.map(({ line, column }) => `${line}:${column}`)).toEqual(places);
});

it.each([
  ["h.ServerCertificateCustomValidationCallback = (a, b, c, d) => true", true],
  ["h.ServerCertificateCustomValidationCallback = (a, b, c, d) => { }", true],
  ["h.ServerCertificateCustomValidationCallback = (a, b, c, d) => ", false],
  ["h.ServerCertificateCustomValidationCallback = (a, b, c, d) => {", false],
  ["h.ServerCertificateCustomValidationCallback = (a, b, c, d) =", false],
])("tls-verification-disabled reports a callback only if it is complete: %s", (code, isReported) => {
  const found = findingsIn("A.cs", code, { rules: { only: ["tls-verification-disabled"] } });
  expect(found.length > 0).toBe(isReported);
});

it.each([
  ["a.ts", "== a"],
  ["a.ts", "a =="],
  ["a.py", "is 5"],
  ["a.py", "5 is"],
  ["a.php", "<?php $token =="],
])("loose-equality ignores a comparison in %s that is cut off: %s", (path, code) => {
  expect(findingsIn(path, code, { rules: { only: ["loose-equality"] } })).toEqual([]);
});
