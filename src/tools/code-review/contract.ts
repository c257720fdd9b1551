import * as z from "zod";
import { named } from "../../contract/components.ts";
import { computedEndpoint } from "../../contract/endpoint.ts";
import { CATEGORIES, RULE_IDS, SEVERITIES } from "./finding.ts";

const Count = z.int().nonnegative();
const RuleIds = z.array(z.enum(RULE_IDS)).max(RULE_IDS.length);
const Severity = z.enum(SEVERITIES);
const Path = z.string().min(1).max(4096);

const Finding = z.object({
  rule: z.enum(RULE_IDS),
  severity: Severity,
  category: z.enum(CATEGORIES),
  file: z.string(),
  line: z.int().describe("1-based, in the new file; always an added line"),
  column: z.int().describe("1-based, in UTF-16 units"),
  snippet: z.string().describe("The line, secrets masked"),
  message: z.string(),
  suggestion: z.string(),
  fingerprint: z.string().describe("Stays when lines above come or go"),
  cwe: z.string().optional().describe("Such as CWE-89"),
});

named({ ReviewFinding: Finding, ReviewSeverity: Severity });

export const codeReviewContract = {
  review: computedEndpoint({
    name: "code-review.review",
    method: "POST",
    path: "/api/v1/tools/code-review",
    summary: "Review what a diff adds against 17 rules",
    description: `Any unified or git diff, merges included; one that contradicts itself is 422 with the line. Only added lines are
reported, judged by the rest of their hunks, or by whole \`files\`. At most the worst 1,000 findings are
returned, in the order of the diff; \`summary\` counts all. A path of tests, fixtures, examples or vendored code
lowers the severity by one step. \`tool-ignore <rule>: reason\` on the line or the one above suppresses a
finding, which \`suppressed\` counts. The score is 100 less 20 for each error, 5 for each warning and 1 for each
info. \`Accept: application/sarif+json\` gives SARIF 2.1.0. Nothing is kept.`,
    scope: "write",
    errors: ["unprocessable"],
    formats: { "application/sarif+json": "`Accept: application/sarif+json`" },
    safe: true,
    example: { diff: "--- a/app.ts\n+++ b/app.ts\n@@ -1,0 +2 @@\n+eval(input);\n" },
    compute: "short",
    input: z.strictObject({
      diff: z.string().describe("What `git diff` prints"),
      files: z
        .array(
          z.strictObject({
            path: Path.describe("As the diff names it after the change"),
            content: z.string().describe("All of it, after the change"),
          }),
        )
        .max(2000)
        .optional()
        .describe(
          "Files of the diff, so that what stands outside of its hunks is known; one that does not have the diff's lines, or more than 1 MiB, is left out of account. Others are only looked up, where `imports` leads to them or from them",
        ),
      imports: z
        .record(Path, z.record(z.string().max(4096), Path))
        .optional()
        .describe(
          'Where imports lead, by file and by what is written there, so that values are followed into functions of other files: `{ "src/app.ts": { "./shell": "src/shell.ts" } }`',
        ),
      rules: z
        .strictObject({ only: RuleIds.optional(), except: RuleIds.optional() })
        .optional()
        .describe("All of them unless said"),
      minSeverity: Severity.optional().describe("Leaves out what weighs less"),
    }),
    output: z.object({
      findings: z.array(Finding),
      summary: z.object({
        files: Count,
        skipped: z.array(z.object({ file: z.string(), reason: z.string() })),
        littleRead: z
          .array(z.object({ language: z.string(), files: Count }))
          .describe(
            "Programming languages that most rules do not know, such as Elixir: read for secrets and the like, so that no finding says nothing about injection there",
          ),
        addedLines: Count,
        bySeverity: z.object({ error: Count, warning: Count, info: Count }),
        suppressed: Count,
        score: z.int().min(0).max(100),
      }),
      rules: Count.describe("How many rules there are"),
    }),
  }),
};
