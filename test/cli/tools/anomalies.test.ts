import { describe, expect, it } from "vitest";
import { metricsOfCsv } from "../../../src/cli/tools/anomalies/csv.ts";
import { trend } from "../../../src/cli/tools/anomalies/trend.ts";
import { session } from "../../tools/anomalies/anomalies.ts";
import { testIo } from "../support/io.ts";
import { startOwner } from "../support/owner.ts";

describe("tool anomalies", () => {
  it("analyses a file, lists anomalies, applies a threshold, undoes the change, and dismisses", async () => {
    const { tool, piped } = await startOwner();
    const input = JSON.stringify({ build: session(), tests: session(-60) });
    expect((await tool("anomalies", "history")).stdout).toContain("tool anomalies analyze metrics.json");
    const { stdout, stderr, code } = await piped(input, "anomalies", "analyze");
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(
      /^build {2}60 points, 1 anomaly; 9[\d.]+ to 1[\d.]+ is usual\n[▁▂▃▄▅▆▇█]{60}\n {50}▲\n/,
    );
    expect(stdout).toMatch(/! high spike at point 50 {2}ano_\w+\n {2}"build" was 16/);
    expect(stdout).toMatch(/› Where "tests" goes below [\d.]+, that is always reported\./);

    const { json } = await tool("anomalies", "history", "--json", "--metric", "build");
    const [{ id }] = json.items;
    const applied = await tool("anomalies", "apply", id);
    expect(applied.stdout).toMatch(
      /✔ build: upper threshold none → 1[\d.]+\n {2}Undo: tool anomalies settings --high=none build\n/,
    );
    const ofNone = await tool("anomalies", "settings", "--low", "5");
    expect(ofNone).toMatchObject({ code: 2, stderr: expect.stringContaining("need a metric") });
    expect((await tool("anomalies", "settings")).stdout).toMatch(/build +none +1[\d.]+ +none/);
    const undo = /Undo: tool (.*)/.exec(applied.stdout)?.[1]?.split(" ") ?? [];
    expect((await tool(...undo)).stdout).toContain("upper threshold none");
    const again = await tool("anomalies", "dismiss", id, "--reason", "load test");
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("applied already")]);
    const tests = (await tool("anomalies", "history", "--json", "--state", "open")).json.items;
    expect((await tool("anomalies", "dismiss", tests[0].id)).stdout).toContain("A drop of tests counts less");
  });

  it("reads CSV, exits with 3 at --fail-on, and reports unreadable input", async () => {
    const { piped } = await startOwner();
    const analyze = (input: string, ...words: string[]) => piped(input, "anomalies", "analyze", ...words);
    const csv = [
      "at;seconds",
      ...session().map(
        (each, minute) =>
          `2026-01-05 10:${String(minute).padStart(2, "0")};${String(each).replace(".", ",")}`,
      ),
    ];
    const severe = await analyze(csv.join("\r\n"), "-", "--fail-on", "high", "--json");
    expect([severe.code, severe.stderr]).toEqual([3, ""]);
    expect(severe.json.anomalies).toMatchObject([
      { metric: "seconds", index: 50, at: "2026-01-05T10:50:00.000Z" },
    ]);
    const newestFirst = session().map((each, minute) => `${1_790_000_000 + 60 * minute},${each},h1`);
    const odd = await analyze(["time,odd,host", ...newestFirst.reverse()].join("\n"), "--json");
    expect(odd.json.anomalies).toMatchObject([
      { metric: "odd", index: 50, at: new Date(1_790_003_000_000).toISOString() },
    ]);
    expect(odd.stderr.split("\n")).toEqual([
      'Column "host" holds no number, and is left out.',
      "Times are read as seconds since 1970.",
      "The points are not in the order of their times: they are sorted, and counted in that order.",
      "",
    ]);
    const list = JSON.stringify([1, 2, 3]);
    expect((await analyze(list, "--metric", "retries")).stdout).toContain(
      "retries  3 points, too few to judge",
    );
    for (const [input, message, ...words] of [
      [list, "Say what it measures: --metric <name>"],
      ["", "holds no points"],
      ["{", "is not valid JSON"],
      ["seconds\n1\nfast\n", 'Row 3 of stdin has "fast" under "seconds"'],
      ['{"a":[1]}', 'has no metric "b"', "--metric", "b"],
    ] as const) {
      const { code, stderr } = await analyze(input, ...words);
      expect(code, stderr).toBe(2);
      expect(stderr).toContain(message);
    }
    const refused = await analyze('{"a":[1,"x"]}');
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining(`"metrics.a.1": must be a number`),
    ]);
  });
});

describe("metricsOfCsv()", () => {
  it("returns a metric per column, with points for filled cells only", () => {
    expect(metricsOfCsv("a,b\n1,2\n\n3,\n", "f").metrics).toEqual({ a: [1, 3], b: [2] });
    expect(metricsOfCsv('\ufeffTime\t"x ""y"""\n5\t"1e3"\n', "f").metrics).toEqual({
      'x "y"': [{ at: 5, value: 1000 }],
    });
    expect(metricsOfCsv("date,a\n2026-01-05,1", "f").metrics).toEqual({
      a: [{ at: "2026-01-05T00:00", value: 1 }],
    });
    expect(metricsOfCsv("", "f").metrics).toEqual({});
  });

  it.each(["x,x", "at;x; x", '"x",y,x'])("refuses two columns of the same name: %s", (header) => {
    expect(() => metricsOfCsv(`${header}\n1,2\n`, "f.csv")).toThrow('two columns that are called "x"');
  });

  it("reads names and values from rows", () => {
    const text = "value,metric,host,at\n1,a,h1,10\n2,b,h2,20\n3,a,h1,30\n";
    expect(metricsOfCsv(text, "f").metrics).toEqual({
      a: [
        { at: 10, value: 1 },
        { at: 30, value: 3 },
      ],
      b: [{ at: 20, value: 2 }],
    });
  });
});

describe("trend()", () => {
  it("fits a long series into the width, and marks anomalies at their place", () => {
    const values = Array.from({ length: 1000 }, (_, index) => (index === 555 ? 0 : 10));
    const marks = [{ index: 555, severity: "high" as const }];
    const [course = "", pointers = ""] = trend(values, marks, testIo({ columns: 52 }).io.out);
    expect(course).toBe(`${"█".repeat(27)}▁${"█".repeat(22)}`);
    expect(pointers).toBe(`${" ".repeat(27)}▲`);
    expect(trend(values.slice(0, 3), [], testIo({ unicode: false }).io.out)).toEqual(["___"]);
    expect(trend([1], [], testIo().io.out)).toEqual([]);
  });
});
