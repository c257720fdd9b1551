import type { FileChange, Line } from "./diff/file-change.ts";
import { parseDiff } from "./diff/parse.ts";
import type { WholeFile } from "./diff/whole-file.ts";
import type { Finding, RuleId, Severity } from "./finding.ts";
import { createFingerprints } from "./fingerprint.ts";
import { type LittleRead, littleReadIn } from "./language/little-read.ts";
import { Project } from "./project.ts";
import { RULES } from "./rules.ts";
import { Seeing, type Seen } from "./seeing.ts";
import { bySeverity, isAtLeast } from "./severity.ts";
import { snippetOf } from "./snippet.ts";

export interface ReviewInput {
  diff: string;
  /** Whole files: of the diff after the change, for the context outside of its hunks, and others that they import. */
  files?: readonly WholeFile[] | undefined;
  /** Where imports lead, by file and by what is written there. */
  imports?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
  rules?: { only?: readonly RuleId[]; except?: readonly RuleId[] };
  minSeverity?: Severity;
}

export interface Review {
  findings: Finding[];
  summary: {
    files: number;
    skipped: { file: string; reason: string }[];
    littleRead: LittleRead[];
    addedLines: number;
    bySeverity: Record<Severity, number>;
    suppressed: number;
    score: number;
  };
  rules: number;
}

/** Maximum characters of a hunk. Hand-written ones are far smaller, and tokens take a hundred times the memory. */
const MAX_HUNK = 4 << 20;
/** Maximum findings in a review. More are counted, but not returned. */
const MAX_FINDINGS = 1000;
/** Points that a finding deducts from a score of 100. */
const WEIGHTS: Record<Severity, number> = { error: 20, warning: 5, info: 1 };

/** Reviews the lines that a diff adds. The result is deterministic. */
export function review(input: ReviewInput): Review {
  const { diff, files = [], imports = {}, rules = {}, minSeverity = "info" } = input;
  const contents = new Map(files.map(({ path, content }) => [path, content]));
  const changes = parseDiff(diff);
  const chosen = RULES.filter(
    ({ id }) => (rules.only?.includes(id) ?? true) && !(rules.except?.includes(id) ?? false),
  );
  const summary: Review["summary"] = {
    files: changes.length,
    skipped: [],
    littleRead: [],
    addedLines: 0,
    bySeverity: { error: 0, warning: 0, info: 0 },
    suppressed: 0,
    score: 100,
  };
  const leads = Object.entries(imports).map(([path, own]) => [path, new Map(Object.entries(own))] as const);
  const seeing = new Seeing(new Project(changes, contents, new Map(leads)), chosen);
  const orders = new Map(changes.map(({ path }, order) => [path, order]));
  const found: Placed[] = [];
  const note = (seen: Seen, order = orders.get(seen.path) ?? 0) => {
    summary.suppressed += seen.suppressed ? 1 : 0;
    if (seen.suppressed || !isAtLeast(seen.severity, minSeverity)) return;
    summary.bySeverity[seen.severity]++;
    found.push({ ...seen, order });
  };
  const read: string[] = [];
  for (const [order, change] of changes.entries()) {
    const reason = reasonToSkip(change);
    if (reason) {
      summary.skipped.push({ file: change.path, reason });
      continue;
    }
    read.push(change.path);
    for (const seen of seeing.inChange(change)) note(seen, seen.path === change.path ? order : undefined);
    for (const { lines } of change.hunks) summary.addedLines += lines.filter(({ added }) => added).length;
  }
  for (const seen of seeing.behindCalls()) note(seen);
  summary.littleRead = littleReadIn(read, chosen);
  const { error, warning, info } = summary.bySeverity;
  const lost = error * WEIGHTS.error + warning * WEIGHTS.warning + info * WEIGHTS.info;
  summary.score = Math.max(0, 100 - lost);
  return { findings: findingsOf(found), summary, rules: RULES.length };
}

/** The line by which git stands for all that changed in a submodule. */
const SUBMODULE = /^Subproject commit [0-9a-f]{40,64}(?:-dirty)?$/;

function reasonToSkip({ kind, binary, hunks }: FileChange): string | undefined {
  if (binary) return "binary";
  if (kind === "deleted") return "deleted";
  const added = hunks.flatMap(({ lines }) => lines.filter(({ added }) => added));
  if (added.length === 1 && added.every(({ text }) => SUBMODULE.test(text))) return "submodule";
  if (hunks.some(({ lines }) => lengthOf(lines) > MAX_HUNK)) return "a hunk of more than 4 MiB";
  if (added.length > 0) return undefined;
  if (kind === "mode") return "mode change only";
  if (kind === "renamed" || kind === "copied") return `${kind} without added lines`;
  return "no added lines";
}

function lengthOf(lines: readonly Line[]): number {
  return lines.reduce((length, { text }) => length + text.length, 0);
}

interface Placed extends Seen {
  /** The file's place in the diff. */
  order: number;
}

/** Returns the most severe findings, at most `MAX_FINDINGS`, in the order of the diff. */
function findingsOf(found: readonly Placed[]): Finding[] {
  const kept = found.length > MAX_FINDINGS ? found.toSorted(bySeverity).slice(0, MAX_FINDINGS) : [...found];
  kept.sort((a, b) => a.order - b.order || a.source.number - b.source.number || a.column - b.column);
  const secrets = new Map<Line, string[]>();
  for (const { source, secret } of found) {
    if (secret) secrets.set(source, [...(secrets.get(source) ?? []), secret]);
  }
  const fingerprint = createFingerprints();
  return kept.map(({ rule, severity, message, suggestion, cwe, path, source, column }) => ({
    rule: rule.id,
    severity,
    category: rule.category,
    file: path,
    line: source.number,
    column: column + 1,
    snippet: snippetOf(source.text, column, secrets.get(source) ?? []),
    message,
    suggestion,
    fingerprint: fingerprint(rule.id, path, source.text),
    ...(cwe !== undefined && { cwe: `CWE-${cwe}` }),
  }));
}
