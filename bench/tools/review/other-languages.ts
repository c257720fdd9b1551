import type { RuleId } from "../../../src/tools/code-review/finding.ts";
import { readRows } from "../../data/rows.ts";
import { DATA, findingsIn, halfOf, share } from "./cases.ts";

interface Label {
  line: number;
  kind: "ruleid" | "ok" | "todoruleid" | "todook";
  rule: string;
  class: string;
  cwe?: string;
}

/** The rules that cover each class of labels. */
const RULES: Readonly<Record<string, readonly RuleId[]>> = {
  "command-injection": ["command-injection", "code-evaluation"],
  "code-injection": ["code-evaluation", "command-injection"],
  "sql-injection": ["sql-injection"],
  "path-traversal": ["path-traversal"],
  xss: ["unsafe-html"],
  "weak-crypto": ["weak-cryptography", "insecure-randomness"],
  tls: ["tls-verification-disabled"],
  deser: ["unsafe-deserialization"],
  secret: ["hardcoded-secret", "private-key"],
};

interface Sums {
  hits: string[];
  missed: string[];
  wrong: string[];
  /** Findings on lines without a label, many of which are the other end of a labelled flaw. */
  unlabelled: string[];
}

/** Measures findings against the labelled lines of other languages than JavaScript: in total, by language and rule. */
export function otherLanguages(): void {
  const rows = readRows<{ id: string; text: string; expect: Label[] }>(DATA, "semgrep_other_languages");
  if (!rows) return;
  const sums = new Map<string, Sums>();
  for (const { id, text, expect } of rows) {
    for (const [name, rules] of Object.entries(RULES)) {
      const own = expect.filter((label) => label.class === name);
      if (own.length === 0) continue;
      const seen = new Set(findingsIn(id, text, rules).map(({ line }) => line));
      for (const key of [
        `half ${halfOf(id)}`,
        `${halfOf(id)} ${name}`,
        `${halfOf(id)} ${id.slice(id.lastIndexOf(".") + 1)} × ${name}`,
        `${id.slice(id.lastIndexOf(".") + 1)} × ${rules[0]}`,
      ]) {
        add(sums, key, id, own, seen);
      }
    }
  }
  for (const half of [0, 1]) console.log(`other languages, half ${half}: ${said(sums.get(`half ${half}`))}`);
  const cells = [...sums].filter(([key]) => !key.startsWith("half")).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [key, cell] of cells) console.log(`  ${key}: ${said(cell)}`);
  if (!process.env.BENCH_LINES) return;
  const { missed = [], wrong = [], unlabelled = [] } = sums.get("half 0") ?? {};
  for (const line of missed) console.log(`  missed ${line}`);
  for (const line of wrong) console.log(`  wrong ${line}`);
  for (const line of unlabelled) console.log(`  unlabelled ${line}`);
}

function add(
  sums: Map<string, Sums>,
  key: string,
  id: string,
  own: readonly Label[],
  seen: ReadonlySet<number>,
) {
  const cell = sums.get(key) ?? { hits: [], missed: [], wrong: [], unlabelled: [] };
  sums.set(key, cell);
  const bad = new Set(own.filter(({ kind }) => kind === "ruleid").map(({ line }) => line));
  const fine = new Set(
    own.filter(({ kind, line }) => kind === "ok" && !bad.has(line)).map(({ line }) => line),
  );
  const name = (line: number) => `${id}:${line} ${own.find((label) => label.line === line)?.class}`;
  for (const line of bad) (seen.has(line) ? cell.hits : cell.missed).push(name(line));
  for (const line of fine) if (seen.has(line)) cell.wrong.push(name(line));
  for (const line of seen) if (!bad.has(line) && !fine.has(line)) cell.unlabelled.push(name(line));
}

function said(cell: Sums | undefined): string {
  const { hits = [], missed = [], wrong = [], unlabelled = [] } = cell ?? {};
  const reported = hits.length + wrong.length;
  return (
    `recall ${share(hits.length, hits.length + missed.length)}, ` +
    `precision ${share(hits.length, reported)}, ` +
    `with unlabelled lines as wrong ${share(hits.length, reported + unlabelled.length)}`
  );
}
