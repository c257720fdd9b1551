import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RULE_EXAMPLES } from "../../../../scripts/review-rule-examples.ts";
import { RULE_IDS, type RuleId } from "../../../../src/tools/code-review/finding.ts";
import { FILES } from "../cases.ts";
import { TAINT_FILES } from "../support/taint-files.ts";

export interface Example {
  rule: RuleId;
  path: string;
  code: string;
}

const read = (folder: string) =>
  readdirSync(join(import.meta.dirname, "..", folder)).map((file) => ({
    name: file.replace(".txt", ""),
    text: readFileSync(join(import.meta.dirname, "..", folder, file), "utf8"),
  }));

/** All code that other tests expect a rule to report: of frameworks, the catalogue, sinks and the documentation. */
export const EXAMPLES: readonly Example[] = [
  ...read("known").flatMap(({ text }) =>
    text.split(/^---\n/m).flatMap((block) => {
      const [head = "", ...lines] = block.trimEnd().split("\n");
      const [rule, path = ""] = head.split(" ");
      return head.startsWith("!") ? [] : [{ rule: rule as RuleId, path, code: lines.join("\n") }];
    }),
  ),
  ...read("catalogue").flatMap(({ name, text }) =>
    text
      .split(/^=== /m)
      .slice(1)
      .flatMap((group) => {
        const [path = "", ...lines] = group.split("\n");
        return lines.filter(Boolean).map((code) => ({ rule: name as RuleId, path, code }));
      }),
  ),
  ...TAINT_FILES.flatMap(({ language, sinks = {} }) =>
    Object.entries(sinks).flatMap(([rule, entries]) =>
      entries.map(({ example }) => ({ rule: rule as RuleId, path: FILES[language], code: example })),
    ),
  ),
  ...RULE_IDS.map((rule) => ({ rule, path: RULE_EXAMPLES[rule].path, code: RULE_EXAMPLES[rule].fires })),
];
