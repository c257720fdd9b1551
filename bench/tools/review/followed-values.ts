import type { RuleId } from "../../../src/tools/code-review/finding.ts";
import { readRows } from "../../data/rows.ts";
import { DATA, findingsIn, halfOf } from "./cases.ts";

/** The rule that covers each category, and the CWE if the rule covers several. */
const CATEGORIES: Readonly<Record<string, { rule?: RuleId; cwe?: number }>> = {
  cmdi: { rule: "command-injection" },
  codeinj: { rule: "code-evaluation" },
  deserialization: { rule: "unsafe-deserialization" },
  hash: { rule: "weak-cryptography" },
  ldapi: { rule: "sql-injection", cwe: 90 },
  pathtraver: { rule: "path-traversal", cwe: 22 },
  redirect: { rule: "path-traversal", cwe: 601 },
  securecookie: {},
  sqli: { rule: "sql-injection", cwe: 89 },
  trustbound: {},
  weakrand: { rule: "insecure-randomness" },
  xpathi: { rule: "sql-injection", cwe: 643 },
  xss: { rule: "unsafe-html" },
  xxe: { rule: "unsafe-deserialization", cwe: 611 },
};

interface Case {
  id: string;
  category: string;
  vulnerable: boolean;
  code: string;
}

/** Measures OWASP's BenchmarkPython: true less false positive rate by category, and the mean of all categories. */
export function followedValues(): void {
  const rows = readRows<Case>(DATA, "owasp_python");
  if (!rows) return;
  const all: Record<string, string[]> = {};
  const means = [0, 1].map((half) => {
    const found = new Map<string, { hits: number; bad: number; wrong: number; fine: number }>();
    for (const row of rows.filter(({ id }) => halfOf(id) === half)) count(row, half, found);
    let sum = 0;
    for (const category of Object.keys(CATEGORIES)) {
      const { hits, bad, wrong, fine } = found.get(category) ?? { hits: 0, bad: 0, wrong: 0, fine: 0 };
      const youden = (bad ? hits / bad : 0) - (fine ? wrong / fine : 0);
      sum += youden;
      all[category] = [...(all[category] ?? []), `${youden.toFixed(2)} (${hits}/${bad}, ${wrong}/${fine})`];
    }
    return sum / Object.keys(CATEGORIES).length;
  });
  console.log(
    `OWASP BenchmarkPython, mean Youden index over 14 categories: ${means.map((mean) => mean.toFixed(3)).join(" and ")} ` +
      "on the two halves (Bandit .16, to beat .45)",
  );
  for (const [category, halves] of Object.entries(all)) console.log(`  ${category}: ${halves.join(", ")}`);
}

function count(
  { id, category, vulnerable, code }: Case,
  half: number,
  found: Map<string, { hits: number; bad: number; wrong: number; fine: number }>,
): void {
  const { rule, cwe } = CATEGORIES[category] ?? {};
  const seen =
    rule !== undefined &&
    findingsIn(`${id}.py`, code, [rule]).some((finding) => !cwe || finding.cwe === `CWE-${cwe}`);
  const sums = found.get(category) ?? { hits: 0, bad: 0, wrong: 0, fine: 0 };
  found.set(category, sums);
  sums[vulnerable ? "bad" : "fine"]++;
  if (seen) sums[vulnerable ? "hits" : "wrong"]++;
  if (process.env.BENCH_LINES && half === 0 && seen !== vulnerable) {
    console.log(`  ${vulnerable ? "missed" : "wrong"} ${category} ${id}`);
  }
}
