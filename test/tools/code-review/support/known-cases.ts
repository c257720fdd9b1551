import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RuleId } from "../../../../src/tools/code-review/finding.ts";

const FOLDER = join(import.meta.dirname, "../known");

export interface KnownCase {
  rule: RuleId;
  path: string;
  code: string;
  /** Whether the rule must report it, or else be silent. */
  must: boolean;
}

/**
 * What frameworks of each language do wrong and right, by file: blocks between lines of `---`, each begun by the
 * rule that must report it and the name of its file. Behind an exclamation mark the rule must be silent.
 */
export const KNOWN_CASES: readonly { file: string; cases: readonly KnownCase[] }[] = readdirSync(FOLDER).map(
  (file) => ({
    file,
    cases: readFileSync(join(FOLDER, file), "utf8")
      .split(/^---\n/m)
      .map(caseOf),
  }),
);

function caseOf(block: string): KnownCase {
  const [head = "", ...lines] = block.trimEnd().split("\n");
  const [rule, path] = head.replace(/^!/, "").split(" ");
  return { rule: rule as RuleId, path: path ?? "", code: lines.join("\n"), must: !head.startsWith("!") };
}
