import { describe, expect, it } from "vitest";
import { cleanLine } from "../../../src/tools/self-healing/diagnosing/clean-line.ts";
import { diagnose } from "../../../src/tools/self-healing/diagnosing/diagnose.ts";
import { MAX_READ } from "../../../src/tools/self-healing/diagnosing/log-lines.ts";
import { requiredLiterals } from "../../../src/tools/self-healing/patterns/required-literals.ts";
import { SIGNATURES } from "../../../src/tools/self-healing/signatures/catalogue.ts";
import type { LineSignature } from "../../../src/tools/self-healing/signatures/signature.ts";
import { comesToAnEnd, pumpedLines } from "../../support/pumped.ts";
import { FAILURES_FILES } from "./logs/failures-files.ts";

const entries = FAILURES_FILES.flatMap(({ name, file }) =>
  (file.signatures ?? []).map((entry) => ({
    entry,
    name: `${name}: ${entry.id}`,
    signature: SIGNATURES.find(({ id }) => id === entry.id) as LineSignature,
  })),
);

describe("the signatures", () => {
  it("have unique ids", () => {
    const ids = SIGNATURES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(entries.length).toBe(ids.length);
  });

  it.each(entries)("$name is the first to match its examples, and takes linear time", (each) => {
    const { entry, signature } = each;
    const literals = requiredLiterals(signature.pattern) ?? [];
    for (const example of entry.examples) {
      const { text } = cleanLine(example);
      expect(SIGNATURES.find(({ pattern }) => pattern.test(text))?.id, example).toBe(entry.id);
      expect(literals.some((literal) => example.toLowerCase().includes(literal))).toBe(true);
      const { cause, category, ecosystem } = diagnose({ log: `${example}\n`, exitCode: 1 });
      expect(cause?.rule).toBe(entry.id);
      expect(category).toBe(entry.category ?? "unknown");
      if (signature.ecosystem) expect(ecosystem).toBe(signature.ecosystem);
    }
    const hard = entry.examples.flatMap((example) => pumpedLines(example, MAX_READ));
    expect(comesToAnEnd(signature.pattern, hard)).toBe(true);
  });

  it.each([
    ["test-mark", `✕${"\t".repeat(MAX_READ)}`, 20_000],
    ["robot-test", `Login${" ".repeat(MAX_READ - 20)}| FAIL | again`, 20_000],
    ["newman-assertion", ` 1.  AssertionError  Status${" ".repeat(MAX_READ - 40)}\u0001`, 20_000],
    ["swc-syntax", `${" ".repeat(MAX_READ - 24)}Expression expected`, 20_000],
    ["python-toml", "TInvalidI".repeat(MAX_READ / 9), 300],
    ["version-needed", "i".repeat(MAX_READ), 20_000],
    ["pip-conflict", "i".repeat(MAX_READ), 20_000],
    ["bad-interpreter", ": cannot execute:".padEnd(MAX_READ, "a"), 20_000],
    ["black-summary", "would be reformatted".padStart(MAX_READ, "0"), 20_000],
    ["snapshot-obsolete", " snapshot".padStart(MAX_READ, "0"), 20_000],
    ["patch-failed", " FAILED at ".padStart(MAX_READ, "0"), 20_000],
    ["msvc-error", "error C2143".padStart(MAX_READ, " "), 20_000],
    ["solidity-error", `Error: ${"creat".repeat(MAX_READ / 5)}`, 20_000],
    ["nvcc-error", `o(0): error #${"0".repeat(MAX_READ)}`, 20_000],
  ])("%s takes linear time where much follows that repeats itself", (id, line, lines) => {
    const { pattern } = SIGNATURES.find((each) => each.id === id) as LineSignature;
    expect(comesToAnEnd(pattern, Array(lines).fill(line))).toBe(true);
  });

  it("have weights within the bounds of their roles", () => {
    for (const { id, role, weight } of SIGNATURES) {
      if (role === "exit") expect(weight, id).toBeLessThanOrEqual(66);
      if (role === "cause") expect(weight, id).toBeGreaterThanOrEqual(60);
      expect(weight, id).toBeLessThan(100);
    }
  });
});

describe("comesToAnEnd()", () => {
  it.each([
    [/^(a+)+$/, "aaaa"],
    [/^(?:\w+\s?)*$/, "two words"],
    [/error: (?:a|a)*b/, "error: aab"],
    [/x(?:.*,){12}$/, "x1,2,3,4,5,6,7,8,9,10,11,12,"],
  ])("returns false for the slow pattern %s", (pattern, example) => {
    expect(pattern.test(example)).toBe(true);
    expect(comesToAnEnd(pattern, pumpedLines(example, MAX_READ), 200)).toBe(false);
  });
});
