import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RuleId } from "../../../src/tools/code-review/finding.ts";
import { findingsIn } from "./cases.ts";

const FOLDER = join(import.meta.dirname, "known");

/**
 * What frameworks of each language do wrong and right: blocks between lines of `---`, each begun by the rule
 * that must report it and the name of its file. Behind an exclamation mark the rule must be silent.
 */
describe.each(readdirSync(FOLDER))("%s", (file) => {
  const blocks = readFileSync(join(FOLDER, file), "utf8").split(/^---\n/m);
  const cases = blocks.map((block) => {
    const [head = "", ...lines] = block.trimEnd().split("\n");
    const [rule, path] = head.replace(/^!/, "").split(" ");
    return { rule: rule as RuleId, path: path ?? "", code: lines.join("\n"), must: !head.startsWith("!") };
  });

  it.each([...new Set(cases.map(({ rule }) => rule))])("is judged by %s", (rule) => {
    const own = cases.filter((each) => each.rule === rule);
    const wrong = own.filter(
      ({ path, code, must }) => findingsIn(path, code, { rules: { only: [rule] } }).length > 0 !== must,
    );
    expect(wrong.map(({ must, code }) => `${must ? "missed" : "reported"}: ${code}`)).toEqual([]);
  });
});
