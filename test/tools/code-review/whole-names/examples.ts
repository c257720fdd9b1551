import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RULE_EXAMPLES } from "../../../../scripts/review-rule-examples.ts";
import { RULE_IDS, type RuleId } from "../../../../src/tools/code-review/finding.ts";
import { FILES } from "../cases.ts";
import { KNOWN_CASES } from "../support/known-cases.ts";
import { TAINT_FILES } from "../support/taint-files.ts";

export interface Example {
  rule: RuleId;
  path: string;
  code: string;
}

const CATALOGUE = join(import.meta.dirname, "../catalogue");

/** All code that other tests expect a rule to report: of frameworks, the catalogue, sinks and the documentation. */
export const EXAMPLES: readonly Example[] = [
  ...KNOWN_CASES.flatMap(({ cases }) =>
    cases.flatMap(({ must, rule, path, code }) => (must ? [{ rule, path, code }] : [])),
  ),
  ...readdirSync(CATALOGUE).flatMap((file) =>
    readFileSync(join(CATALOGUE, file), "utf8")
      .split(/^=== /m)
      .slice(1)
      .flatMap((group) => {
        const [path = "", ...lines] = group.split("\n");
        return lines
          .filter(Boolean)
          .map((code) => ({ rule: file.replace(".txt", "") as RuleId, path, code }));
      }),
  ),
  ...TAINT_FILES.flatMap(({ language, sinks = {} }) =>
    Object.entries(sinks).flatMap(([rule, entries]) =>
      entries.map(({ example }) => ({ rule: rule as RuleId, path: FILES[language], code: example })),
    ),
  ),
  ...RULE_IDS.map((rule) => ({ rule, path: RULE_EXAMPLES[rule].path, code: RULE_EXAMPLES[rule].fires })),
];
