import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Finding, RuleId } from "../../../../src/tools/code-review/finding.ts";
import { RULES } from "../../../../src/tools/code-review/rules.ts";
import { isLong } from "../../../support/runs.ts";
import { findingsIn } from "../cases.ts";
import { EXAMPLES, type Example } from "./examples.ts";

/** Names that mean the same with a prefix or suffix, as `rule name`, such as `sql-injection sprintf`. */
const PARTS = new Set(readFileSync(join(import.meta.dirname, "parts.txt"), "utf8").split("\n"));
const SOURCE = join(import.meta.dirname, "../../../../src/tools/code-review");
/** Words of the tool's source and data. Rules know no other names. */
const WRITTEN = new Set(
  readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(?:ts|json)$/.test(file))
    .flatMap((file) => readFileSync(join(SOURCE, file), "utf8").match(/\w+/g) ?? []),
);
/** Most examples that are tried for a name, until one is found whose finding depends on it. */
const MAX_TRIED = isLong() ? 3 : 1;
/** Matches names. Shorter ones are variables. */
const WORD = /[A-Za-z_]\w{2,}/g;

/**
 * Returns the names that are matched in part: a finding depends on them, since it is gone under another name, but it
 * stays with a prefix or suffix.
 */
export function partlyKnown(examples: readonly Example[]): { tried: number; partly: string[] } {
  const tried = new Map<string, number>();
  const partly: string[] = [];
  for (const example of examples) {
    for (const word of example.code.match(WORD) ?? []) {
      const key = `${example.rule} ${example.path} ${word}`;
      const times = tried.get(key) ?? 0;
      if (!WRITTEN.has(word) || times >= MAX_TRIED || PARTS.has(`${example.rule} ${word}`)) continue;
      tried.set(key, times + 1);
      if (isReported(example, word, `zz${word}zz`)) continue;
      tried.set(key, MAX_TRIED);
      for (const other of [`zz${word}`, `${word}zz`])
        if (isReported(example, word, other)) partly.push(`${key} as ${other}: ${example.code}`);
    }
  }
  return { tried: tried.size, partly };
}

/** Asserts that rules match every name that a finding depends on as a whole. */
export function expectWholeNames(rules: readonly RuleId[]): void {
  const { tried, partly } = partlyKnown(EXAMPLES.filter(({ rule }) => rules.includes(rule)));
  expect(tried).toBeGreaterThan(200);
  expect(partly, "names known in part: bound them, or list them in parts.txt").toEqual([]);
}

function isReported({ rule, path, code }: Example, word: string, other: string): boolean {
  const renamed = code.replace(new RegExp(`(?<!\\w)${word}(?!\\w)`, "g"), other);
  return findingsIn(path, renamed, { rules: { only: [rule] } }).length > 0;
}

/** Rules about a single flaw, which their general message names. */
const OF_ONE_FLAW: ReadonlySet<RuleId> = new Set([
  "insecure-randomness",
  "swallowed-error",
  "disabled-test",
  "debug-leftover",
  "private-key",
  "merge-conflict-marker",
  "unresolved-todo",
]);

/** Returns messages that only repeat their rule's general message, although the rule knows many flaws. */
export function saidInGeneral(found: readonly Finding[]): string[] {
  return found
    .filter(({ rule }) => !OF_ONE_FLAW.has(rule))
    .map(({ message }) => message)
    .filter((message) => RULES.some((rule) => rule.message === message));
}

/** Asserts that every example is reported, at most once a line, with messages that name the flaw. */
export function expectToldOnce(rules: readonly RuleId[]): void {
  const wrong = EXAMPLES.filter(({ rule, path, code }) => {
    if (!rules.includes(rule)) return false;
    const found = findingsIn(path, code, { rules: { only: [rule] } });
    const lines = found.map(({ line }) => line);
    return lines.length === 0 || new Set(lines).size < lines.length || saidInGeneral(found).length > 0;
  });
  expect(wrong).toEqual([]);
}

export function wholeNames(rules: readonly RuleId[]): void {
  it("the rules match names only as a whole", () => expectWholeNames(rules));
  it("the rules report each flaw once per line, with a message that names it", () => expectToldOnce(rules));
}
