import type { Rule, Severity } from "./finding.ts";
import type { Fragment } from "./syntax/fragment.ts";
import { oncePerFragment } from "./syntax/lookup/once-per-fragment.ts";

const RANK: Record<Severity, number> = { error: 0, warning: 1, info: 2 };

/** Folders of tests, examples, documentation and vendored code, which does not run in production. */
const FOLDERS =
  /(?:^|\/)_{0,2}(?:tests?|__tests__|__mocks__|spec|specs|e2e|fixtures?|testdata|mocks?|examples?|samples?|demos?|docs?|vendor|vendored|third[_-]?party|node_modules|snapshots?|__snapshots__|benchmarks?)_{0,2}\//i;
/** `plugins/codemirror-5.17.0/`: what somebody else released. Two numbers are as often one's own: `api-v1.0/`. */
const RELEASES = /(?:^|\/)[\w.-]{1,60}-v?\d{1,3}\.\d{1,3}\.\d{1,4}\//;
/** `src/androidTest/`, `integrationTests/` */
const TEST_SETS = /(?:^|\/)[a-z][A-Za-z]{0,30}Tests?\//;
const TESTS =
  /[._-](?:test|tests|spec|e2e|mock|fixture|stories|bench)\.[a-z]{1,5}$|(?:^|\/)test_[^/]{1,100}\.py$|_test\.(?:go|py|rb|dart)$|Tests?\.(?:java|kt|cs|php|swift)$|(?:^|\/)(?:unit)?tests?(?:[_-][^/]{1,100})?\.(?:c|cc|cpp|cxx|h|hpp)$/i;
/** `app.min.js`, `jquery-4.0.0.slim.js` */
const LIBRARIES = /\.min\.js$|[.-]\d{1,2}\.\d{1,3}(?:\.\d{1,3})?(?:\.[a-z]{2,8})?\.js$/i;
/** Texts, and pages of manuals: `tool.1`. */
const TEXTS = /\.(?:md|mdx|rst|adoc|snap)$|(?:^|\/)[\w-]{1,80}\.[1-8]$/i;
/** Descriptions of an API, whose examples are documentation. */
const DESCRIPTIONS = /(?:^|\/)(?:openapi|swagger)(?:[.-][\w.-]{1,40})?\.(?:ya?ml|json)$/i;
/** Programs that build tools write to be started by. */
const WRAPPERS = /(?:^|\/)(?:gradlew|mvnw)(?:\.bat|\.cmd)?$/;
const ASIDE = [FOLDERS, RELEASES, TEST_SETS, TESTS, LIBRARIES, TEXTS, DESCRIPTIONS, WRAPPERS];

/** What generators write, beside its source: protobuf and gRPC, Kubernetes' code-generator, Dart's, minifiers. */
const GENERATED =
  /\.min\.(?:m|c)?js$|_pb2(?:_grpc)?\.pyi?$|\.pb(?:\.gw|\.validate)?\.(?:go|cc|h)$|_(?:grpc_)?pb\.(?:js|ts|d\.ts|rb)$|(?:^|\/)zz_generated\.[\w.]{1,40}\.go$|\.g\.dart$/;

/** Whether a rule applies to a file. Notes and style of generated code are those of its source or of its generator. */
export function appliesTo({ category, everywhere }: Rule, path: string): boolean {
  return category === "security" || everywhere === true || !GENERATED.test(path);
}

/** Whether a file is a test, an example, documentation or vendored, judged by its path. */
export function isAside(path: string): boolean {
  return ASIDE.some((form) => form.test(path));
}

/** Returns the severity of a finding, lowered by one step in tests, fixtures, examples and vendored code. */
export function severityIn(path: string, rule: Rule, severity: Severity, isTest = false): Severity {
  if (rule.everywhere || !(isTest || isAside(path))) return severity;
  return severity === "error" ? "warning" : "info";
}

/** Whether a line is in `#[cfg(test)] mod tests { … }` of Rust, which is part of the file under test. */
export function isInTestModule(fragment: Fragment, line: number): boolean {
  return fragment.language === "rust" && testLinesOf(fragment)[line] === 1;
}

/** Maximum tokens from a `cfg` attribute to the opening brace of the item that it applies to. */
const MAX_HEAD = 40;

/** 1 for each line of an item under `#[cfg(test)]`. */
const testLinesOf = oncePerFragment((fragment: Fragment) => {
  const lines = new Uint8Array(fragment.lines.length);
  // The items begin in the order of their attributes, so what an earlier one covers is not filled again.
  let covered = 0;
  for (const at of fragment.words.get("cfg") ?? []) {
    const open = fragment.tokens[testItemBehind(fragment, at)];
    if (!open) continue;
    const end = (fragment.tokens[open.partner]?.line ?? lines.length) + 1;
    lines.fill(1, Math.max(covered, open.line), end);
    covered = Math.max(covered, end);
  }
  return lines;
});

/** Returns the index of the brace of the item that a `cfg(test)` applies to; -1 if there is none. */
function testItemBehind({ tokens }: Fragment, at: number): number {
  const { text, partner = -1 } = tokens[at + 1] ?? {};
  if (text !== "(" || partner < 0 || partner > at + MAX_HEAD) return -1;
  if (!tokens.slice(at, partner).some(({ text }) => text === "test")) return -1;
  for (let index = partner + 1; index < at + MAX_HEAD; index++) {
    const token = tokens[index];
    if (!token || token.text === ";") return -1;
    if (token.text === "{") return index;
  }
  return -1;
}

export function isAtLeast(severity: Severity, least: Severity): boolean {
  return RANK[severity] <= RANK[least];
}

export function bySeverity(a: { severity: Severity }, b: { severity: Severity }): number {
  return RANK[a.severity] - RANK[b.severity];
}
