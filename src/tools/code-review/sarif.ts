import { packageVersion } from "../../system/package.ts";
import type { Finding, Rule, Severity } from "./finding.ts";
import { type ReviewInput, review } from "./review.ts";
import { RULES } from "./rules.ts";

const LEVELS: Record<Severity, "error" | "warning" | "note"> = {
  error: "error",
  warning: "warning",
  info: "note",
};
/** `security-severity`, by which GitHub ranks security findings, on the CVSS scale. */
const SECURITY: Record<Severity, string> = { error: "8.5", warning: "6.0", info: "3.0" };

/** Reviews a diff and returns a SARIF 2.1.0 log (OASIS), the format of code scanning services. */
export function reviewAsSarif(input: ReviewInput) {
  const { findings, summary } = review(input);
  return {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "Toolplane", semanticVersion: packageVersion, rules: RULES.map(ruleOf) } },
        columnKind: "utf16CodeUnits",
        results: findings.map(resultOf),
        properties: { summary },
      },
    ],
  };
}

function ruleOf({ id, message, suggestion, severity, category, cwe }: Rule) {
  return {
    id,
    name: id.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase()),
    shortDescription: { text: message },
    help: { text: suggestion },
    defaultConfiguration: { level: LEVELS[severity] },
    properties: {
      tags: [category, ...(cwe === undefined ? [] : [`external/cwe/cwe-${String(cwe).padStart(3, "0")}`])],
      ...(category === "security" && { "security-severity": SECURITY[severity] }),
    },
  };
}

function resultOf({
  rule,
  severity,
  message,
  suggestion,
  file,
  line,
  column,
  snippet,
  fingerprint,
}: Finding) {
  return {
    ruleId: rule,
    ruleIndex: RULES.findIndex(({ id }) => id === rule),
    level: LEVELS[severity],
    message: { text: `${message} ${suggestion}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: {
            uri: file.toWellFormed().split("/").map(encodeURIComponent).join("/"),
            uriBaseId: "%SRCROOT%",
          },
          region: { startLine: line, startColumn: column, snippet: { text: snippet } },
        },
      },
    ],
    partialFingerprints: { "toolplane/v1": fingerprint },
  };
}
