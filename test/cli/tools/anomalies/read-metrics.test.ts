import { describe, expect, it } from "vitest";
import type { Io } from "../../../../src/cli/terminal/io.ts";
import { readMetrics } from "../../../../src/cli/tools/anomalies/read-metrics.ts";
import { testIo } from "../../support/io.ts";

/** Reads metrics from stdin, which may be bytes. */
function read(stdin: string | Buffer, metric?: string) {
  const { io } = testIo();
  const pieces = async function* () {
    yield Buffer.from(stdin);
  };
  return readMetrics({ ...io, input: { ...io.input, pieces } } as Io, "-", metric);
}

const POINTS = [
  { at: "2026-01-05T10:00", value: 98.5 },
  { at: "2026-01-05T10:01", value: 104 },
];
const LINES = POINTS.map((point) => `${JSON.stringify(point)}\n`).join("");
const TABS = "at\tsecs\r\n2026-01-05 10:00\t98,5\r\n2026-01-05 10:01\t104\r\n";

describe("readMetrics()", () => {
  it.each([
    ["little-endian", Buffer.from(`\ufeff${TABS}`, "utf16le")],
    ["big-endian", Buffer.from(`\ufeff${TABS}`, "utf16le").swap16()],
  ])("reads Excel's Unicode text, in UTF-16: %s", async (_, bytes) =>
    expect(await read(bytes)).toEqual({ request: { metrics: { secs: POINTS } }, notes: [] }),
  );

  it("reads points, one a line, as one list, which --metric names", async () => {
    expect((await read(LINES, "secs")).request.metrics).toEqual({ secs: POINTS });
    await expect(read(LINES)).rejects.toThrow("stdin is one list of points.");
  });

  it.each([
    [
      "query_range",
      "matrix",
      {
        values: [
          [1_767_607_200, "98.5"],
          [1_767_607_260.5, "NaN"],
        ],
      },
    ],
    ["query", "vector", { value: [1_767_607_200, "98.5"] }],
  ])("reads what Prometheus answers to %s", async (_, resultType, values) => {
    const point = { at: 1_767_607_200_000, value: 98.5 };
    const labels = { __name__: "build_seconds", job: "api", path: 'C:\\"x"' };
    const result = [
      { metric: labels, ...values },
      { metric: {}, ...values },
    ];
    const answer = { status: "success", data: { resultType, result } };
    const metrics = { 'build_seconds{job="api",path="C:\\\\\\"x\\""}': [point], "{}": [point] };
    const notes = resultType === "matrix" ? ["2 values are no numbers, and are left out."] : [];
    for (const content of [answer, result]) {
      expect(await read(JSON.stringify(content))).toEqual({ request: { metrics }, notes });
    }
    const { request } = await read(JSON.stringify(answer), "{}");
    expect(request.metrics).toEqual({ "{}": [point] });
  });

  it("says that an answer of Prometheus without series holds no points", async () => {
    const answer = { status: "success", data: { resultType: "matrix", result: [] } };
    await expect(read(JSON.stringify(answer))).rejects.toThrow("stdin holds no points.");
  });

  it.each([
    [[{ metric: {}, values: [5] }]],
    [[{ metric: {}, values: [["soon", "5"]] }]],
    [[{ metric: {}, value: 5 }]],
  ])("takes nothing else for an answer of Prometheus: %j", async (result) => {
    const data = { resultType: "matrix", result };
    expect((await read(JSON.stringify({ data }))).request).toEqual({ metrics: { data } });
  });

  it("reads rows, in a list or one a line, as a table", async () => {
    const rows = POINTS.map(({ at, value }) => ({ timestamp: at, secs: value, host: "h1" }));
    const answer = {
      request: { metrics: { secs: POINTS } },
      notes: ['Column "host" holds no number, and is left out.'],
    };
    expect(await read(JSON.stringify(rows))).toEqual(answer);
    expect(await read(rows.map((row) => JSON.stringify(row)).join("\n"))).toEqual(answer);
    expect((await read(JSON.stringify(rows), "secs")).request.metrics).toEqual({ secs: POINTS });
  });

  it("still reads lists by name, a whole request and a list of points", async () => {
    expect((await read('{"secs":[1,2]}')).request).toEqual({ metrics: { secs: [1, 2] } });
    expect((await read('{"metrics":{"secs":[1]},"sessionId":"s"}')).request).toEqual({
      metrics: { secs: [1] },
      sessionId: "s",
    });
    expect((await read("[1,2]", "secs")).request).toEqual({ metrics: { secs: [1, 2] } });
    expect((await read(JSON.stringify(POINTS), "secs")).request).toEqual({ metrics: { secs: POINTS } });
  });

  it("refuses what is not text, such as a workbook, and says so of another encoding", async () => {
    await expect(read(Buffer.from("PK\u0003\u0004\u0000\u0000sep.csv"))).rejects.toMatchObject({
      message: "stdin is not text.",
      next: expect.stringContaining("CSV"),
    });
    expect((await read(Buffer.from("Wärme\n1\n2\n", "latin1"))).notes).toEqual([
      'stdin is not UTF-8: its other letters show as "\ufffd". Save it as UTF-8.',
    ]);
  });

  it("refuses rows with too many different members", async () => {
    const rows = Array.from({ length: 2001 }, (_, index) => ({ [`m${index}`]: index, x: 1 }));
    await expect(read(JSON.stringify(rows))).rejects.toThrow(
      "stdin has rows with more than 2,000 different members.",
    );
  });
});
