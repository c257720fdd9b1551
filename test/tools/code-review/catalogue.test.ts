import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RuleId } from "../../../src/tools/code-review/finding.ts";
import { findingsIn } from "./cases.ts";

const FOLDER = join(import.meta.dirname, "catalogue");

/**
 * The same mistakes in many libraries and languages: a file for each rule, a heading for each language, a line
 * for each way to write it. Every line must be reported.
 */
describe.each(readdirSync(FOLDER).map((file) => file.replace(".txt", "") as RuleId))("%s", (rule) => {
  const groups = readFileSync(join(FOLDER, `${rule}.txt`), "utf8")
    .split(/^=== /m)
    .slice(1);
  it.each(groups.map((group) => group.split("\n")))(
    "reports every listed spelling in %s",
    (path, ...lines) => {
      const missed = lines.filter(
        (line) => line !== "" && findingsIn(path, line, { rules: { only: [rule] } }).length === 0,
      );
      expect(missed).toEqual([]);
    },
  );
});
