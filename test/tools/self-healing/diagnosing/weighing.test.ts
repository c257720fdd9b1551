import { describe, expect, it } from "vitest";
import type { Category } from "../../../../src/tools/self-healing/categories.ts";
import { bestOf, causeOf } from "../../../../src/tools/self-healing/diagnosing/verdict.ts";
import { template, weigh } from "../../../../src/tools/self-healing/diagnosing/weighing.ts";
import type { Signature } from "../../../../src/tools/self-healing/signatures/signature.ts";
import { candidate, type Log, reading, type Told } from "./readings.ts";

/** Returns what the rest of the log adds to each score. */
function added(log: Log): number[] {
  const given = reading(log);
  weigh(given);
  return given.candidates.map(({ score, plain }) => Math.round(100 * (score - plain)) / 100);
}

describe("weigh()", () => {
  it("raises the score of later lines, most of all of symptoms", () => {
    expect(added({ told: [{ index: 0 }, { index: 50 }, { index: 99 }] })).toEqual([0, 5, 9.9]);
    for (const role of ["wrapper", "symptom", "exit"] as const)
      expect(added({ told: [{ index: 50, role }] })).toEqual([9]);
  });

  it("lowers the score of lines repeated with other numbers, most of all of symptoms", () => {
    const said = (role: Signature["role"], count: number) =>
      added({
        told: Array.from({ length: count }, (_, at) => ({ index: 0, role, text: `took ${at} ms` })),
      })[0];
    expect([said("cause", 1), said("cause", 2), said("cause", 4)]).toEqual([0, -0.5, -1]);
    expect([said("symptom", 1), said("symptom", 2), said("symptom", 8)]).toEqual([0, -4, -12]);
    expect(
      added({
        told: [
          { index: 0, text: "a" },
          { index: 0, text: "b" },
        ],
      }),
    ).toEqual([0, 0]);
  });

  it("does not lower the score of the reason for which many tests fail", () => {
    const told = Array.from({ length: 8 }, () => ({
      index: 0,
      category: "test_failure" as const,
      text: "E   TypeError: price() missing 1 argument",
    }));
    expect(added({ told })).toEqual(told.map(() => 0));
  });

  it("takes failed tests for as late as the first of them, so that many do not outweigh their reason", () => {
    const test = (index: number) => ({
      ...({ index, id: "go-test", ecosystem: "go", category: "test_failure" } as const),
      text: `--- FAIL: Test${"abc"[index / 10 - 1]}`,
    });
    const told = [{ index: 9 }, test(10), test(20), { index: 25 }, test(30)];
    expect(added({ told })).toEqual([0.9, 1, 1, 2.5, 1]);
    expect(added({ told, build: 15 })).toEqual([-24.1, -24, 2, 2.5, 2]);
  });

  it("lowers the score of lines behind the end of the failed step", () => {
    const ended = { role: "exit", text: "Process completed with exit code 1" } as const;
    const end = { index: 50, ...ended };
    expect(added({ told: [{ index: 40 }, end, { index: 60 }] })).toEqual([4, 9, -14]);
    expect(added({ told: [{ ...end, index: 20 }, { index: 40 }, end] })[1]).toBe(4);
    expect(added({ told: [{ ...end, text: "it exited" }, { index: 60 }] })[1]).toBe(6);
    expect(added({ told: [{ ...end, role: "symptom" }, { index: 60 }] })[1]).toBe(6);
  });

  it("lowers the score of lines before a successful build", () => {
    expect(added({ told: [{ index: 49 }, { index: 50 }], build: 50 })).toEqual([-20.1, 5]);
    expect(added({ told: [{ index: 49 }], part: 50 })).toEqual([4.9]);
  });

  it("lowers the score of lines of another category than Maven's goal", () => {
    const of = (category: Category | undefined, goal: Category | undefined) =>
      added({
        told: [{ index: 0, ...(category && { category }) }],
        goal: { index: 9, ...(goal && { category: goal }) },
      })[0];
    expect(of("lint", "lint")).toBe(0);
    expect(of("network", "lint")).toBe(-20);
    expect(of("lint", "network")).toBe(-20);
    expect(of("type_error", "compile_error")).toBe(0);
    expect(of("disk_full", "lint")).toBe(0);
    expect(of("out_of_memory", "lint")).toBe(0);
    expect(of(undefined, "lint")).toBe(0);
    expect(of("network", undefined)).toBe(0);
  });

  it("compares lines by template(), without numbers and by their first 160 characters", () => {
    expect(template("took 12 ms and 7.5")).toBe("took 0 ms and 0.0");
    expect(template(`${"x".repeat(160)}y`)).toBe("x".repeat(160));
  });
});

describe("bestOf()", () => {
  it("returns the last candidate with the highest score", () => {
    const of = (...scores: number[]) =>
      bestOf(scores.map((score, index) => candidate({ index, score })))?.index;
    expect([of(1, 3, 2), of(3, 1, 3), of(-5), of()]).toEqual([1, 2, 0, undefined]);
  });
});

describe("causeOf()", () => {
  const cause = (log: Log, exitCode?: number) => {
    const found = causeOf(reading(log), exitCode);
    return found && `${found.signature.id} ${found.index}`;
  };

  it("returns undefined for exit code 0 and for a log without candidates", () => {
    expect(cause({ told: [{ index: 5 }] }, 0)).toBeUndefined();
    expect(cause({})).toBeUndefined();
    expect(cause({}, 0)).toBeUndefined();
  });

  it("accepts a low score if the exit code is not 0, and falls back to the last line", () => {
    const lines = ["one", "two", "", "  "];
    expect(cause({ lines, told: [{ index: 0, score: 25 }] }, 1)).toBe("any 0");
    expect(cause({ lines, told: [{ index: 0, score: 24.9 }] }, 1)).toBe("last-line 1");
    expect(cause({ lines }, 1)).toBe("last-line 1");
    expect(cause({ lines }, 139)).toBe("crash-signal 1");
    expect(cause({ lines: ["", " "] }, 1)).toBeUndefined();
    expect(cause({ lines: ["one"] }, 1)).toBe("last-line 0");
    expect(causeOf(reading({ lines }), 1)).toMatchObject({
      ...{ text: "two", score: 25, plain: 25, caught: {} },
      signature: { role: "symptom", weight: 25 },
    });
  });

  it("requires a high score without an exit code, and a higher one of symptoms", () => {
    const of = (score: number, role: Signature["role"] = "cause") =>
      cause({ told: [{ index: 5, score, role }] });
    expect([of(60), of(59.9)]).toEqual(["any 5", undefined]);
    expect([of(70, "symptom"), of(69.9, "symptom")]).toEqual(["any 5", undefined]);
    expect(of(60, "wrapper")).toBe("any 5");
  });

  it("accepts a low score if an exit line stands behind the last successful build", () => {
    const told: Told[] = [
      { index: 5, score: 40 },
      { index: 9, score: 30, role: "exit" },
    ];
    expect(cause({ told })).toBe("any 5");
    expect(cause({ told, build: 8 })).toBe("any 5");
    expect(cause({ told, build: 9 })).toBeUndefined();
  });

  it("returns undefined if a successful build follows without a failure behind it", () => {
    expect(cause({ told: [{ index: 5 }], build: 5 })).toBe("any 5");
    expect(cause({ told: [{ index: 5 }], build: 6 })).toBeUndefined();
    expect(cause({ told: [{ index: 5 }, { index: 7, score: 10, role: "exit" }], build: 6 })).toBe("any 5");
    expect(
      cause({ told: [{ index: 5 }, { index: 7, score: 80, survivable: true }], build: 6 }),
    ).toBeUndefined();
    expect(cause({ told: [{ index: 5 }, { index: 7, score: 80 }], build: 6 })).toBe("any 5");
  });

  it("returns undefined for a survivable failure before a partial success", () => {
    const survived: Told = { index: 5, survivable: true };
    expect(cause({ told: [survived], part: 4 })).toBe("any 5");
    expect(cause({ told: [survived], part: 5 })).toBe("any 5");
    expect(cause({ told: [survived], part: 6 })).toBeUndefined();
    expect(cause({ told: [survived, { ...survived, index: 7, score: 80 }], part: 6 })).toBe("any 5");
    expect(cause({ told: [survived, { index: 3, score: 80 }], part: 6 })).toBe("any 5");
    expect(cause({ told: [survived, { index: 3, score: 50 }], part: 6 })).toBeUndefined();
  });
});

describe("a report of findings", () => {
  const finding = (index: number, text = "x"): Told => ({ index, text, score: 40, file: "a.py" });
  const isFound = (log: Log) => causeOf(reading(log), undefined) !== undefined;

  it("is the cause if most lines are in blocks with findings", () => {
    expect(isFound({ lines: ["x"], told: [finding(0)] })).toBe(true);
    expect(isFound({ lines: ["x", "y", "", "z"], told: [finding(0)] })).toBe(true);
    expect(isFound({ lines: ["x", "", "z"], told: [finding(0)] })).toBe(false);
    expect(isFound({ lines: ["y", "", "x", "z"], told: [finding(2)] })).toBe(true);
    expect(isFound({ lines: ["y", "z", "", "x"], told: [finding(3)] })).toBe(false);
    expect(isFound({ lines: ["x", "y", "", "z", "", "x"], told: [finding(0), finding(5)] })).toBe(true);
    expect(isFound({ lines: ["x"], told: [{ index: 0, score: 40 }] })).toBe(false);
  });

  it("is not the cause if it is long, successful or of compiler warnings", () => {
    const told = [finding(0)];
    expect(isFound({ lines: 5000, told })).toBe(true);
    expect(isFound({ lines: 5001, told })).toBe(false);
    expect(isFound({ lines: ["x"], told, build: 0 })).toBe(false);
    expect(isFound({ lines: ["x"], told, part: 0 })).toBe(false);
    expect(isFound({ lines: ["x"], told: [finding(0, "a [-Wunused=x+y]")] })).toBe(false);
    expect(isFound({ lines: ["x"], told: [finding(0, "a [-Wunused] there")] })).toBe(true);
  });
});
