import { systemClock } from "../../src/system/clock.ts";
import type { RuleId } from "../../src/tools/code-review/finding.ts";
import { review } from "../../src/tools/code-review/review.ts";
import { hardLines, LENGTH, writtenExpressions } from "../../test/tools/code-review/support/hard-lines.ts";
import { readRows } from "../data/rows.ts";
import { DATA, findingsIn, share } from "./review/cases.ts";
import { followedValues } from "./review/followed-values.ts";
import { otherLanguages } from "./review/other-languages.ts";

const ADDED_LINES = 10_000;

/** Measures precision and recall on code with external labels, noise on ordinary commits, and time for a large diff. */
export async function run(): Promise<void> {
  followedValues();
  otherLanguages();
  labelledLines();
  secretFiles();
  removedLater();
  fixedLater();
  background();
  slowestExpression();
}

/** A class of labels: the rules that cover it, the recall/precision of naive regular expressions, and the target. */
interface Yardstick {
  name: string;
  rules: readonly RuleId[];
  /** Selects labels of the class `other-security` by the name of their rule. */
  labels?: RegExp;
  naive: string;
  beat: string;
}

const YARDSTICKS: readonly Yardstick[] = [
  { name: "secret", rules: ["hardcoded-secret", "private-key"], naive: ".97/.51", beat: ".95/.80" },
  { name: "command-injection", rules: ["command-injection"], naive: ".58/.88", beat: ".95/.80" },
  { name: "code-injection", rules: ["code-evaluation"], naive: ".74/.31", beat: ".95/.80" },
  { name: "sql-injection", rules: ["sql-injection"], naive: ".79/.36", beat: ".80/.70" },
  { name: "xss", rules: ["unsafe-html"], naive: ".40/.18", beat: ".75/.80" },
  { name: "path-traversal", rules: ["path-traversal"], naive: "none", beat: ".80/.60" },
  {
    name: "weak-crypto",
    rules: ["weak-cryptography", "insecure-randomness"],
    naive: "0/0",
    beat: ".80/.60",
  },
  {
    name: "other-security",
    rules: ["tls-verification-disabled"],
    labels: /tls|ssl/,
    naive: "none",
    beat: ".80/.60",
  },
  {
    name: "other-security",
    rules: ["unsafe-deserialization"],
    labels: /deserialization/,
    naive: "none",
    beat: ".80/.60",
  },
];

interface Label {
  line: number;
  kind: "ruleid" | "ok" | "todoruleid" | "todook";
  rule: string;
  class: string;
}

/**
 * Measures findings against labelled lines; a label counts only on its own line. Precision is given twice: over
 * the lines that have a label, and over all findings in a file with labels of the class, where findings on lines
 * without one count as wrong.
 */
function labelledLines(): void {
  const rows = readRows<{ id: string; expect: Label[]; text: string }>(DATA, "semgrep_annotated");
  if (!rows) return;
  for (const { name, rules, labels = /./, naive, beat } of YARDSTICKS) {
    const [hits, missed, wrong, unlabelled] = [[], [], [], []] as string[][] as [
      string[],
      string[],
      string[],
      string[],
    ];
    for (const { id, expect, text } of rows) {
      const own = expect.filter((label) => label.class === name && labels.test(label.rule));
      if (own.length === 0) continue;
      const linesOf = (kind: Label["kind"]) =>
        new Set(own.filter((each) => each.kind === kind).map(({ line }) => line));
      const bad = linesOf("ruleid");
      const fine = linesOf("ok");
      const seen = new Set(findingsIn(id, text, rules).map(({ line }) => line));
      for (const line of bad) (seen.has(line) ? hits : missed).push(`${id}:${line}`);
      for (const line of seen)
        if (!bad.has(line)) (fine.has(line) ? wrong : unlabelled).push(`${id}:${line}`);
    }
    const reported = hits.length + wrong.length;
    console.log(
      `${rules.join(" + ")}: precision ${share(hits.length, reported)}, recall ${share(hits.length, hits.length + missed.length)} ` +
        `(naive ${naive}, to beat ${beat}); with unlabelled lines as wrong, precision ${share(hits.length, reported + unlabelled.length)}`,
    );
    if (process.env.BENCH_LINES) {
      for (const [what, lines] of Object.entries({ missed, wrong, unlabelled }))
        for (const line of lines) console.log(`  ${what} ${line}`);
    }
  }
}

function secretFiles(): void {
  const rows = readRows<{ id: string; input_name: string; expect: { line: number }[]; text: string }>(
    DATA,
    "secretlint_snapshots",
  );
  if (!rows) return;
  const [hits, missed, wrong] = [[], [], []] as string[][] as [string[], string[], string[]];
  for (const { id, input_name, expect, text } of rows) {
    const found = findingsIn(input_name, text, ["hardcoded-secret", "private-key"]);
    if (expect.length > 0) (found.length > 0 ? hits : missed).push(id);
    else if (found.length > 0) wrong.push(id);
  }
  console.log(
    `secretlint's files: precision ${share(hits.length, hits.length + wrong.length)}, ` +
      `recall ${share(hits.length, hits.length + missed.length)} (naive .77/.35 on the whole set)`,
  );
  if (process.env.BENCH_LINES) {
    for (const id of missed) console.log(`  missed ${id}`);
    for (const id of wrong) console.log(`  wrong ${id}`);
  }
}

const MINED: Record<string, RuleId> = {
  "debug-leftover": "debug-leftover",
  "only-or-skip-test": "disabled-test",
  "todo-left": "unresolved-todo",
};

/** Measures findings on lines that a later commit removed as leftovers. */
function removedLater(): void {
  const rows = readRows<{ id: string; cls: string; diff: string; label_lines: number[] }>(
    DATA,
    "mined_introducing_diffs",
  );
  if (!rows) return;
  for (const [name, rule] of Object.entries(MINED)) {
    const [hits, missed, others] = [[], [], []] as string[][] as [string[], string[], string[]];
    for (const { id, diff, label_lines } of rows.filter(({ cls }) => cls === name)) {
      const seen = new Set(review({ diff, rules: { only: [rule] } }).findings.map(({ line }) => line));
      for (const line of label_lines) (seen.has(line) ? hits : missed).push(`${id}:${line}`);
      for (const line of seen) if (!label_lines.includes(line)) others.push(`${id}:${line}`);
    }
    console.log(
      `${rule} on ${hits.length + missed.length} lines that a later commit removed: ` +
        `recall ${share(hits.length, hits.length + missed.length)} (to beat .60), ` +
        `precision ${share(hits.length, hits.length + others.length)} with lines nobody removed as wrong`,
    );
    if (process.env.BENCH_LINES) {
      for (const line of missed) console.log(`  missed ${line}`);
      for (const line of others) console.log(`  other ${line}`);
    }
  }
}

/** Counts the changes that introduce a fault, and those that fix it, with findings. */
function fixedLater(): void {
  for (const name of ["semgrep_fix_pairs", "security_fix_commits"]) {
    const rows = readRows<{ id: string; diff_fix: string; diff_introduce: string }>(DATA, name);
    if (!rows) continue;
    const count = (side: "diff_fix" | "diff_introduce") =>
      rows.filter((row) => review({ diff: row[side], minSeverity: "warning" }).findings.length > 0).length;
    console.log(
      `${name}: of ${rows.length} changes, ${count("diff_introduce")} are reported that bring the fault in ` +
        `and ${count("diff_fix")} that mend it`,
    );
    if (process.env.BENCH_LINES) {
      for (const { id, diff_fix, diff_introduce } of rows) {
        const list = (diff: string) =>
          review({ diff })
            .findings.map(({ rule, line, severity }) => `${rule}:${line}:${severity}`)
            .join(" ");
        console.log(`  ${id}  IN ${list(diff_introduce)}  FIX ${list(diff_fix)}`);
      }
    }
  }
}

function background(): void {
  const rows = readRows<{ id: string; diff: string }>(DATA, "background_diffs");
  if (!rows) return;
  const byRule = new Map<string, number>();
  let [lines, serious] = [0, 0];
  for (const { id, diff } of rows) {
    const { findings, summary } = review({ diff });
    lines += summary.addedLines;
    serious += summary.bySeverity.error + summary.bySeverity.warning;
    for (const { rule, severity, line, snippet } of findings) {
      byRule.set(rule, (byRule.get(rule) ?? 0) + 1);
      if (process.env.BENCH_LINES) console.log(`  ${rule} ${severity} ${id}:${line} ${snippet}`);
    }
  }
  const total = [...byRule.values()].reduce((sum, count) => sum + count, 0);
  const rate = (count: number) => ((1000 * count) / lines).toFixed(2);
  console.log(
    `background, ${lines} added lines: ${rate(total)} findings per 1,000 (to beat 3), ` +
      `${rate(serious)} at warning and above (to beat 1)`,
  );
  for (const [rule, count] of [...byRule].sort((a, b) => b[1] - a[1]))
    console.log(`  ${rule} ${rate(count)}`);
  speed(rows.map(({ diff }) => diff));
}

/** Times the review of real diffs, repeated until they add 10,000 lines. */
function speed(diffs: readonly string[]): void {
  const chosen: string[] = [];
  for (let added = 0, at = 0; added < ADDED_LINES; at++) {
    const diff = diffs[at % diffs.length] as string;
    added += review({ diff }).summary.addedLines;
    chosen.push(diff);
  }
  const diff = chosen.map((each) => (each.endsWith("\n") ? each : `${each}\n`)).join("");
  const runs = Array.from({ length: 5 }, () => {
    const [begin, used] = [systemClock.monotonic(), process.cpuUsage()];
    review({ diff });
    const { user, system } = process.cpuUsage(used);
    return { ms: systemClock.monotonic() - begin, processorMs: (user + system) / 1000 };
  });
  const least = (of: (run: (typeof runs)[number]) => number) => Math.min(...runs.map(of)).toFixed(0);
  const { summary } = review({ diff });
  const bytes = (Buffer.byteLength(diff) / 1e6).toFixed(2);
  console.log(
    `${summary.addedLines} added lines of ${summary.files} files (${bytes} MB), best of five: ` +
      `${least(({ ms }) => ms)} ms, ${least(({ processorMs }) => processorMs)} ms of processor time (to beat 300)`,
  );
}

/** Times the slowest regular expression on lines made to be hard for it. */
function slowestExpression(): void {
  let slowest = { ms: 0, expression: "" };
  for (const expression of writtenExpressions()) {
    for (const line of hardLines(expression)) {
      const begin = systemClock.monotonic();
      expression.test(line);
      const ms = systemClock.monotonic() - begin;
      if (ms > slowest.ms) slowest = { ms, expression: String(expression) };
    }
  }
  console.log(
    `slowest regular expression on ${LENGTH} hard characters: ${slowest.ms.toFixed(0)} ms, ${slowest.expression.slice(0, 80)}`,
  );
}
