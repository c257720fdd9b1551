import type { Rule, Severity } from "./finding.ts";

const RANK: Record<Severity, number> = { error: 0, warning: 1, info: 2 };

/** Where code is tried, shown or brought in from elsewhere, and does not run for anyone. */
const FOLDERS =
  /(?:^|\/)(?:tests?|__tests__|__mocks__|spec|specs|e2e|fixtures?|testdata|mocks?|examples?|samples?|demos?|docs?|vendor|vendored|third[_-]?party|node_modules|snapshots?|__snapshots__|benchmarks?)\//i;
const TESTS =
  /[._-](?:test|tests|spec|e2e|mock|fixture|stories|bench)\.[a-z]{1,5}$|(?:^|\/)test_[^/]{1,100}\.py$|_test\.(?:go|py|rb|dart)$|Tests?\.(?:java|kt|cs|php|swift)$/i;
/** `app.min.js`, `jquery-4.0.0.slim.js` */
const LIBRARIES = /\.min\.js$|[.-]\d{1,2}\.\d{1,3}(?:\.\d{1,3})?(?:\.[a-z]{2,8})?\.js$/i;
const TEXTS = /\.(?:md|mdx|rst|adoc|snap)$/i;
const ASIDE = [FOLDERS, TESTS, LIBRARIES, TEXTS];

/** A finding's severity where its file lies: a step lower in tests, fixtures, examples and vendored code. */
export function severityIn(path: string, rule: Rule, severity: Severity): Severity {
  if (rule.everywhere || !ASIDE.some((form) => form.test(path))) return severity;
  return severity === "error" ? "warning" : "info";
}

export function isAtLeast(severity: Severity, least: Severity): boolean {
  return RANK[severity] <= RANK[least];
}

export function bySeverity(a: { severity: Severity }, b: { severity: Severity }): number {
  return RANK[a.severity] - RANK[b.severity];
}
