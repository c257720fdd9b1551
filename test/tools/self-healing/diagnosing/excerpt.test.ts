import { describe, expect, it } from "vitest";
import type { Candidate } from "../../../../src/tools/self-healing/diagnosing/candidate.ts";
import { excerptOf } from "../../../../src/tools/self-healing/diagnosing/excerpt.ts";
import { candidate, reading, type Told } from "./readings.ts";

/** Returns the lines, counted from 0, of the excerpt of a log's first failure, given its other candidates. */
function shown(
  log: readonly string[],
  best: Told,
  others: Told[] = [],
  more: { goal?: number; build?: number } = {},
): number[] {
  const first = candidate(best);
  const candidates = [first, ...others.map(candidate)].sort((one, other) => one.index - other.index);
  const { goal, build } = more;
  const given = reading({ lines: [...log], build, ...(goal !== undefined && { goal: { index: goal } }) });
  return excerptOf({ ...given, candidates }, first);
}

const plain = (count: number) => Array.from({ length: count }, () => "so it went on");
const FRAME = "    at load (/app/a.js:1:2)";

describe("the excerpt of a cause", () => {
  it.each<[string, string[], number]>([
    ["itself alone", ["it broke", "so it went on"], 1],
    ["what stands further right", ["it broke", "  here", "    and there", "so it went on"], 3],
    ["as far as that goes on", ["it broke", "  here", "so it went on", "  there"], 2],
    ["the frame around it", ["│ it broke", "│ ", "│   here", "│", "│ and there", "│ ", "╵", "│ more"], 5],
    ["the frame's first 60 lines", ["│ it broke", ...plain(80).map((line) => `│ ${line}`)], 60],
    ["nothing as far to the left", ["  it broke", "  here"], 1],
    ["nothing that is told as a warning", ["it broke", "[WARNING]   here"], 1],
    ["nothing that is told by the way", ["it broke", "[INFO]   here", "  there"], 1],
    ["what is told as an error, too", ["[ERROR] it broke", "[ERROR]   here", "so it went on"], 2],
    ["nothing behind a blank line", ["it broke", "", "  here"], 1],
    ["frames, behind two blank lines at most", ["it broke", "", "", FRAME, "so it went on"], 4],
    ["no frames behind three", ["it broke", "", "", "", FRAME], 1],
    ["what caused it", ["it broke", "Caused by: x", FRAME, "so it went on"], 3],
    ["what else was thrown", ["it broke", "  Suppressed: x", "Also:   y", "so it went on"], 3],
    ["what it printed", ["it broke", "stdout:", "stderr:", "  x", "so it went on"], 4],
  ])("includes %s", (_, log, count) => {
    expect(shown(log, { index: 0 })).toEqual(Array.from({ length: count }, (_, at) => at));
  });

  it("includes stack frames only after a symptom or a wrapper", () => {
    for (const role of ["wrapper", "symptom"] as const) {
      expect(shown(["it broke", "  here"], { index: 0, role })).toEqual([0]);
      expect(shown(["it broke", FRAME, "  here"], { index: 0, role })).toEqual([0, 1]);
    }
  });

  it("includes indented lines after up to three single blank lines for a test", () => {
    const best = { index: 0, category: "test_failure" } as const;
    const log = ["it broke", "", "  a", "", "  b", "", "  c", "", "  d"];
    expect(shown(log, best)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(shown(["it broke", "", "", "  a"], best)).toEqual([0]);
    expect(shown(log, { index: 0, category: "lint" })).toEqual([0]);
  });

  it("includes sixty indented lines at most", () => {
    const deeper = Array.from({ length: 70 }, () => "  here");
    expect(shown(["it broke", ...deeper], { index: 0 })).toHaveLength(61);
  });

  it("begins with the traceback above the cause", () => {
    const traceback = ["Traceback (most recent call last):", '  File "a.py", line 3', "    total()"];
    expect(shown(["so", ...traceback, "KeyError: x"], { index: 4 })).toEqual([1, 2, 3, 4]);
    expect(shown(["so", `  + Exception Group ${traceback[0]}`, "  x", "KeyError: x"], { index: 3 })).toEqual([
      1, 2, 3,
    ]);
    expect(shown([...traceback, "so", "KeyError: x"], { index: 4 })).toEqual([4]);
    expect(shown([...traceback, "  KeyError: x"], { index: 3 })).toEqual([3]);
    const long = (count: number) => [traceback[0] as string, ...Array(count).fill("  x"), "KeyError: x"];
    expect(shown(long(399), { index: 400 })).toHaveLength(401);
    expect(shown(long(400), { index: 401 })).toHaveLength(1);
  });
});

describe("another line in the excerpt", () => {
  const log = plain(200);
  const also = (best: Told, other: Told, more = {}) => shown(log, best, [other], more).includes(other.index);

  it("is of the same category at any distance, unless its score is far lower", () => {
    const best = { index: 0, category: "lint" } as const;
    expect(also(best, { index: 150, score: 45, category: "lint" })).toBe(true);
    expect(also(best, { index: 150, score: 44, category: "lint" })).toBe(false);
    expect(also(best, { index: 150, score: 45, category: "network" })).toBe(false);
    expect(also({ index: 0 }, { index: 150, score: 45 })).toBe(false);
  });

  it("has nearly the same score, or is within thirty lines", () => {
    expect(also({ index: 100 }, { index: 0, score: 75 })).toBe(true);
    expect(also({ index: 100 }, { index: 0, score: 74 })).toBe(false);
    for (const index of [70, 130]) expect(also({ index: 100 }, { index, score: 50 })).toBe(true);
    for (const index of [69, 131]) expect(also({ index: 100 }, { index, score: 50 })).toBe(false);
  });

  it("is within three lines of Maven's goal, or directly behind a shown line", () => {
    for (const index of [147, 153])
      expect(also({ index: 0 }, { index, score: 50 }, { goal: 150 })).toBe(true);
    for (const index of [146, 154])
      expect(also({ index: 0 }, { index, score: 50 }, { goal: 150 })).toBe(false);
    const others = [{ index: 60 }, { index: 61, score: 50 }, { index: 63, score: 50 }];
    expect(shown(log, { index: 0 }, others)).toEqual([0, 60, 61]);
  });

  it("is neither an exit line nor in front of an earlier successful build", () => {
    expect(also({ index: 100 }, { index: 101, role: "exit" })).toBe(false);
    expect(also({ index: 100 }, { index: 99 }, { build: 99 })).toBe(true);
    expect(also({ index: 100 }, { index: 98 }, { build: 99 })).toBe(false);
    expect(also({ index: 100 }, { index: 98 }, { build: 150 })).toBe(true);
  });

  it("is in the order of the log, once, and among 3,000 lines at most", () => {
    expect(shown(["a", "  b", "  c", "d"], { index: 1 }, [{ index: 0 }, { index: 2 }])).toEqual([0, 1, 2]);
    const many = Array.from({ length: 3500 }, (_, at) => ({ index: at + 1 }));
    expect(shown(plain(4000), { index: 0 }, many)).toHaveLength(3000);
  });

  it("reads a long chain of causes once, not once for each of its links", () => {
    const log = ["it broke", ...Array.from({ length: 2000 }, (_, at) => `Caused by: reason ${at}`)];
    const told = log.map((text, index): Told => ({ index, text }));
    const given = reading({ lines: log, told });
    let read = 0;
    const raw = (index: number) => {
      read++;
      return given.lines.raw(index);
    };
    const lines = { ...given.lines, raw };
    expect(excerptOf({ ...given, lines }, given.candidates[0] as Candidate)).toHaveLength(log.length);
    expect(read).toBeLessThan(3 * log.length);
  });
});
