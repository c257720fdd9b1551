import { describe, expect, it } from "vitest";
import { metricsOfRows, valuesOfLines } from "../../../../src/cli/tools/anomalies/json-rows.ts";

const lines = (...values: unknown[]) => values.map((each) => JSON.stringify(each)).join("\n");

describe("valuesOfLines()", () => {
  it("reads one JSON value a line, without the empty lines", () => {
    expect(valuesOfLines('{"a":1}\r\n\n  {"a":2}\n[3]\n', "f")).toEqual([
      { number: 1, value: { a: 1 } },
      { number: 3, value: { a: 2 } },
      { number: 4, value: [3] },
    ]);
  });

  it.each(["", '{"a":1}', '{"a":1}\n', '{\n"a":1\n', "[\n1,\n2"])("leaves other texts alone: %j", (text) =>
    expect(valuesOfLines(text, "f")).toBeUndefined(),
  );

  it("names the line that is no JSON", () =>
    expect(() => valuesOfLines('{"a":1}\n\n{"a":\n{"a":3}\n', "f")).toThrow(
      /^Line 3 of f is not valid JSON: /,
    ));
});

describe("metricsOfRows()", () => {
  const rows = (text: string, asked?: string) => metricsOfRows(valuesOfLines(text, "f") ?? [], "f", asked);

  it("takes members for columns, as of CSV", () => {
    const text = lines(
      { timestamp: "2026-01-05T10:00", seconds: 5, host: "h1", ok: true, load: null },
      { seconds: 6, timestamp: "2026-01-05T10:01", load: "0.5" },
    );
    expect(rows(text)).toEqual({
      metrics: {
        seconds: [
          { at: "2026-01-05T10:00", value: 5 },
          { at: "2026-01-05T10:01", value: 6 },
        ],
        load: [{ at: "2026-01-05T10:01", value: 0.5 }],
      },
      notes: ['Columns "host", "ok" hold no number, and are left out.'],
    });
    expect(Object.keys(rows(text, "load").metrics)).toEqual(["load"]);
  });

  it("takes rows of metric and value", () =>
    expect(
      rows(lines({ metric: "a", value: 1 }, { metric: "b", value: 2 }, { metric: "a", value: 3 })).metrics,
    ).toEqual({ a: [1, 3], b: [2] }));

  it("keeps names such as __proto__ and constructor apart", () =>
    expect(rows('{"__proto__":1,"constructor":2}\n{"constructor":3}').metrics).toEqual(
      Object.fromEntries([
        ["__proto__", [1]],
        ["constructor", [2, 3]],
      ]),
    ));

  it("takes rows without names for columns without names", () =>
    expect(rows("[1790000000,5]\n[1790000060,6]\n").metrics).toEqual({
      "": [
        { at: 1.79e9, value: 5 },
        { at: 1.79e9 + 60, value: 6 },
      ],
    }));

  it.each([
    [lines({ a: 1 }, [2]), "Row 2 of f is a list, and row 1 an object."],
    [lines([1, 2], { a: 1 }), "Row 2 of f is an object, and row 1 a list."],
    [lines({ a: 1 }, 5), "Row 2 of f is a number, and row 1 an object."],
    [lines({ a: 1 }, { a: "fast" }), 'Row 2 of f has "fast" under "a", which is no number.'],
    [lines({ a: [1, 2] }, { a: [3] }), 'Row 1 of f has "[1,2]" under "a", which is no number.'],
    [lines({ a: 1, at: 5 }, { a: 2, at: "soon" }), 'Row 2 of f has "soon" under "at", which is no time.'],
  ])("names the row of what it cannot read: %j", (text, message) =>
    expect(() => rows(text)).toThrow(message),
  );
});
