import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RuleId } from "../../../../src/tools/code-review/finding.ts";

const FOLDER = join(import.meta.dirname, "../known");

export interface KnownCase {
  rule: RuleId;
  path: string;
  code: string;
  /** Whether the rule must report the code. Otherwise it must not. */
  must: boolean;
}

/**
 * Wrong and right code in frameworks of each language, by file: blocks between lines of `---`, each headed by the
 * rule that must report it and the name of its file. After an exclamation mark, the rule must not report it.
 */
export const KNOWN_CASES: readonly { file: string; cases: readonly KnownCase[] }[] = readdirSync(FOLDER, {
  recursive: true,
  encoding: "utf8",
})
  .filter((file) => file.endsWith(".txt"))
  .map((file) => ({
    file,
    cases: readFileSync(join(FOLDER, file), "utf8")
      .split(/^---\n/m)
      .map(caseOf),
  }));

function caseOf(block: string): KnownCase {
  const [head = "", ...lines] = block.trimEnd().split("\n");
  const [rule, path] = head.replace(/^!/, "").split(" ");
  return { rule: rule as RuleId, path: path ?? "", code: lines.join("\n"), must: !head.startsWith("!") };
}
