import { describe, expect, it } from "vitest";
import type { Candidate } from "../../../../src/tools/self-healing/diagnosing/candidate.ts";
import { categoryOf, confidenceOf } from "../../../../src/tools/self-healing/diagnosing/category.ts";
import { ecosystemOf } from "../../../../src/tools/self-healing/diagnosing/ecosystem.ts";
import { firstFinding } from "../../../../src/tools/self-healing/diagnosing/first-finding.ts";
import { candidate, type Log, reading, type Told } from "./readings.ts";

describe("categoryOf() and confidenceOf()", () => {
  const kind = (best: Told, log: Log = {}, exitCode?: number) => {
    const found = candidate(best);
    return categoryOf(
      { ...reading(log), candidates: [found, ...(log.told ?? []).map(candidate)] },
      found,
      exitCode,
    );
  };

  it("take the category from the line, a line nearly as good, or the exit code", () => {
    expect(
      kind({ index: 0, category: "lint" }, { told: [{ index: 1, score: 99, category: "network" }] }),
    ).toBe("lint");
    expect(kind({ index: 0 }, { told: [{ index: 1, score: 60, category: "network" }] })).toBe("network");
    expect(kind({ index: 0 }, { told: [{ index: 1, score: 59, category: "network" }] })).toBe("unknown");
    expect(kind({ index: 0 }, { told: [{ index: 1, category: "network", survivable: true }] })).toBe(
      "unknown",
    );
    const codes = [124, 126, 127, 137, 143, 1, 0, undefined];
    expect(codes.map((code) => kind({ index: 0 }, {}, code))).toEqual([
      ...["timeout", "permission", "missing_file", "out_of_memory", "infrastructure"],
      ...["unknown", "unknown", "unknown"],
    ]);
    expect(kind({ index: 0 }, { told: [{ index: 1, category: "lint" }] }, 137)).toBe("lint");
  });

  it("take the category of Maven's goal for lines before it, unless another is graver", () => {
    const goal = { index: 5, category: "lint" as const };
    expect(kind({ index: 5, category: "type_error" }, { goal })).toBe("lint");
    expect(kind({ index: 6, category: "type_error" }, { goal })).toBe("type_error");
    expect(kind({ index: 5, category: "type_error" }, { goal: { index: 5 } })).toBe("type_error");
    for (const category of ["disk_full", "out_of_memory", "network", "timeout"] as const) {
      expect(kind({ index: 0, category }, { goal })).toBe(category);
      expect(kind({ index: 0 }, { goal, told: [{ index: 5, category }] })).toBe(category);
      expect(kind({ index: 0 }, { goal, told: [{ index: 4, category }] })).toBe("lint");
    }
    expect(kind({ index: 0 }, { goal, told: [{ index: 5, category: "permission" }] })).toBe("lint");
  });

  it("return more confidence for a higher score and for a weaker rival", () => {
    const sure = (score: number, ...told: Told[]) => {
      const best = candidate({ index: 0, score, category: "lint" });
      return confidenceOf({ ...reading({}), candidates: [best, ...told.map(candidate)] }, best);
    };
    expect([sure(100), sure(65), sure(30), sure(20), sure(140)]).toEqual([0.95, 0.48, 0, 0, 0.95]);
    const rival = (score: number): Told => ({ index: 1, score, category: "network" });
    expect([sure(100, rival(100)), sure(100, rival(85)), sure(100, rival(70)), sure(100, rival(60))]).toEqual(
      [0.55, 0.75, 0.95, 0.95],
    );
    expect(sure(100, rival(120))).toBe(0.55);
    expect(sure(100, { index: 1, score: 100, category: "lint" }, { index: 2, score: 100 })).toBe(0.95);
  });
});

describe("ecosystemOf()", () => {
  const whose = (best: Told | undefined, command?: string, lines: string[] = ["x"]) =>
    ecosystemOf(reading({ lines }), best && candidate(best), command);
  const told = (more: Partial<Told> = {}): Told => ({ index: 0, ...more });

  it("prefers the line to the command, the file and the surrounding lines", () => {
    expect(whose(told({ ecosystem: "go", file: "a.py" }), "npm test", ["cargo began"])).toBe("go");
    expect(whose(told({ file: "a.py" }), "npm test", ["cargo began"])).toBe("node");
    expect(whose(told({ file: "a.py" }), "./x", ["cargo began"])).toBe("python");
    expect(whose(told({ caught: { file: "a.rb" } }), undefined, ["cargo began"])).toBe("ruby");
    expect(whose(told(), undefined, ["cargo began"])).toBe("rust");
    expect(whose(undefined, undefined, ["cargo began"])).toBe("rust");
    expect(whose(told())).toBe("unknown");
  });

  it("prefers the command to a line of a shell or CI", () => {
    for (const ecosystem of ["shell", "ci"] as const) {
      expect(whose(told({ ecosystem }), "npm test")).toBe("node");
      expect(whose(told({ ecosystem }), "./x")).toBe(ecosystem);
      expect(whose(told({ ecosystem }))).toBe(ecosystem);
    }
    expect(whose(told({ ecosystem: "docker" }), "npm test")).toBe("docker");
  });
});

describe("firstFinding()", () => {
  const first = (log: Log, best: number) => {
    const given = reading(log);
    return firstFinding(given, given.candidates[best] as Candidate).index;
  };
  const finding = (index: number, more: Partial<Told> = {}): Told => ({
    ...{ index, category: "type_error", file: "a.ts" },
    ...more,
  });

  it("returns a compiler's first finding of similar score and of the same ecosystem", () => {
    const best = finding(9);
    expect(first({ told: [finding(1), finding(4), best] }, 2)).toBe(1);
    expect(first({ told: [finding(1, { score: 83 }), finding(4, { score: 84 }), best] }, 2)).toBe(4);
    expect(first({ told: [finding(1, { ecosystem: "go" }), best] }, 1)).toBe(9);
    expect(first({ told: [finding(1, { category: "network" }), best] }, 1)).toBe(9);
    expect(first({ told: [finding(1, { role: "symptom" }), best] }, 1)).toBe(9);
    expect(first({ told: [best, finding(12, { file: "b.ts" })] }, 0)).toBe(9);
    for (const category of ["compile_error", "lint", "dependency_resolution", "missing_file"] as const)
      expect(first({ told: [finding(1, { category }), best] }, 1)).toBe(1);
  });

  it("skips findings in foreign files and before a successful build", () => {
    const foreign = { file: "/usr/include/a.h" };
    expect(first({ told: [finding(1, foreign), finding(4), finding(9)] }, 2)).toBe(4);
    expect(first({ told: [finding(1, foreign), finding(9, foreign)] }, 1)).toBe(1);
    expect(first({ told: [finding(1), finding(4), finding(9)], build: 1 }, 2)).toBe(4);
    expect(first({ told: [finding(1), finding(9)], build: 9 }, 1)).toBe(1);
  });

  it("returns the first failed test that the runner reports in the same form", () => {
    const failed = (index: number, more: Partial<Told> = {}): Told => ({
      ...{ index, id: "failed", category: "test_failure", ecosystem: "node" },
      ...more,
    });
    expect(first({ told: [failed(1), failed(9)] }, 1)).toBe(1);
    expect(first({ told: [failed(1), failed(9), failed(12)] }, 1)).toBe(1);
    expect(first({ told: [failed(1, { id: "other" }), failed(9)] }, 1)).toBe(9);
    expect(first({ told: [failed(1, { score: 83 }), failed(4, { score: 84 }), failed(9)] }, 2)).toBe(4);
    expect(first({ told: [failed(1), failed(9)], build: 4 }, 1)).toBe(9);
    expect(first({ told: [failed(1, { file: "/usr/a.js" }), failed(4), failed(9)] }, 2)).toBe(4);
    const bench = { ecosystem: undefined as never };
    expect(first({ told: [failed(1, bench), failed(9, bench)] }, 1)).toBe(9);
    const assertion = { ...bench, id: "assertion" };
    expect(first({ told: [failed(1, assertion), failed(9, assertion)] }, 1)).toBe(1);
  });

  it("returns why a compiler did not make the file of the build that is missing", () => {
    const missing = (module: string): Told => ({ index: 9, category: "missing_file", caught: { module } });
    const failed = { category: "compile_error" } as const;
    expect(first({ told: [finding(1, failed), finding(4, failed), missing("../dist/a.js")] }, 2)).toBe(1);
    expect(first({ told: [finding(1), missing("/app/build/a.js")] }, 1)).toBe(1);
    expect(first({ told: [finding(1), missing("../src/a.js")] }, 1)).toBe(9);
    expect(first({ told: [finding(1, { score: 50 }), missing("../dist/a.js")] }, 1)).toBe(9);
    expect(first({ told: [finding(1, { category: "lint" }), missing("../dist/a.js")] }, 1)).toBe(9);
    expect(first({ told: [finding(1), missing("../dist/a.js")], build: 4 }, 1)).toBe(9);
    expect(first({ told: [missing("../dist/a.js"), finding(12)] }, 0)).toBe(9);
  });

  it("returns the best line itself for other categories", () => {
    expect(first({ told: [{ index: 1 }, { index: 9 }] }, 1)).toBe(9);
    expect(
      first({ told: [finding(1, { category: "network" }), finding(9, { category: "network" })] }, 1),
    ).toBe(9);
  });
});
