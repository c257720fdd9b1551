import { defined } from "../../system/defined.ts";
import type { FileChange, Line } from "./diff/file-change.ts";
import { parseDiff } from "./diff/parse.ts";
import { type WholeFile, wholeWhere } from "./diff/whole-file.ts";
import type { Finding, Place, Rule, RuleId, Severity, Sighting } from "./finding.ts";
import { createFingerprints } from "./fingerprint.ts";
import { type LittleRead, littleReadIn } from "./language/little-read.ts";
import { adviceFor } from "./rules/sightings/advice.ts";
import { RULES } from "./rules.ts";
import { appliesTo, bySeverity, isAtLeast, isInTestModule, severityIn } from "./severity.ts";
import { snippetOf } from "./snippet.ts";
import { isSuppressed } from "./suppression.ts";
import type { Fragment } from "./syntax/fragment.ts";
import { fragmentsOf } from "./syntax/fragments.ts";

export interface ReviewInput {
  diff: string;
  /** Whole files of the diff after the change, for the context outside of its hunks. */
  files?: readonly WholeFile[] | undefined;
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
export function review({ diff, files = [], rules = {}, minSeverity = "info" }: ReviewInput): Review {
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
  const found: Seen[] = [];
  const read: string[] = [];
  for (const [order, change] of changes.entries()) {
    const reason = reasonToSkip(change);
    if (reason) {
      summary.skipped.push({ file: change.path, reason });
      continue;
    }
    read.push(change.path);
    for (const seen of seenIn(wholeWhere(change, contents.get(change.path)), chosen)) {
      summary.suppressed += seen.suppressed ? 1 : 0;
      if (seen.suppressed || !isAtLeast(seen.severity, minSeverity)) continue;
      summary.bySeverity[seen.severity]++;
      found.push({ ...seen, order });
    }
    for (const { lines } of change.hunks) summary.addedLines += lines.filter(({ added }) => added).length;
  }
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

interface Seen extends Place {
  rule: Rule;
  severity: Severity;
  message: string;
  suggestion: string;
  cwe?: number;
  suppressed: boolean;
  secret?: string;
  path: string;
  source: Line;
  /** The file's place in the diff. */
  order: number;
}

function* seenIn({ path, hunks }: FileChange, rules: readonly Rule[]): Iterable<Seen> {
  for (const { lines } of hunks) {
    if (!lines.some(({ added }) => added)) continue;
    const taken = new Set<string>();
    const applicable = rules.filter((rule) => appliesTo(rule, path));
    for (const [index, fragment] of fragmentsOf(path, lines).entries()) {
      for (const rule of applicable) {
        // Markup with scripts has two fragments of the same text; rules for any language check the first one only.
        const applies = rule.languages === "any" ? index === 0 : rule.languages.includes(fragment.language);
        if (!applies) continue;
        for (const sighting of rule.check(fragment)) {
          const place = sighting.places.find(({ line }) => fragment.isAdded(line));
          if (!place || taken.has(`${rule.id} ${place.line}`)) continue;
          taken.add(`${rule.id} ${place.line}`);
          yield seenAs(sighting, place, rule, fragment);
        }
      }
    }
  }
}

function seenAs(
  { severity, message, suggestion, cwe, secret }: Sighting,
  place: Place,
  rule: Rule,
  fragment: Fragment,
): Seen {
  const { path, language, lines } = fragment;
  const ofClass = cwe ?? rule.cwe;
  return {
    ...place,
    rule,
    severity: severityIn(path, rule, severity ?? rule.severity, isInTestModule(fragment, place.line)),
    message: message ?? rule.message,
    suggestion: suggestion ?? adviceFor(rule.id, language) ?? rule.suggestion,
    ...defined({ cwe: ofClass }),
    suppressed: isSuppressed(lines, place.line, rule.id),
    ...defined({ secret }),
    path,
    source: lines[place.line] as Line,
    order: 0,
  };
}

/** Returns the most severe findings, at most `MAX_FINDINGS`, in the order of the diff. */
function findingsOf(found: readonly Seen[]): Finding[] {
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
