import { describe, expect, it } from "vitest";
import type { Category } from "../../../../src/tools/self-healing/categories.ts";
import {
  type Candidate,
  candidateOf,
  isFinding,
} from "../../../../src/tools/self-healing/diagnosing/candidate.ts";
import { cleanLine } from "../../../../src/tools/self-healing/diagnosing/clean-line.ts";
import type { LineSignature } from "../../../../src/tools/self-healing/signatures/signature.ts";

const signature = (more: Partial<LineSignature> = {}): LineSignature => ({
  ...{ id: "broke", role: "cause", weight: 80, pattern: /broke/ },
  ...more,
});

/** Returns the candidate of a log's first line. */
function candidate(log: string, ...signatures: LineSignature[]) {
  const lines = log.split("\n").map(cleanLine);
  return candidateOf(3, lines[0] as (typeof lines)[number], signatures, (offset) => lines[offset]?.text);
}

describe("the score of a line", () => {
  it.each<[string, number, Partial<LineSignature>?]>([
    ["it broke", 0],
    ["[ERROR] it broke", 2],
    ["[WARNING] it broke", -40],
    ["[WARNING] it broke", -40, { weight: 95 }],
    ["[WARNING] it broke", 0, { category: "disk_full" }],
    ["[WARNING] it broke", 0, { category: "out_of_memory" }],
    ["[WARNING] it broke", -40, { category: "network" }],
    ["[WARNING] it broke", 0, { category: "lint", weight: 88 }],
    ["[WARNING] it broke", -40, { category: "lint", weight: 87 }],
    ["[WARNING] it broke", -40, { category: "type_error", weight: 88 }],
    ["[INFO] it broke", -30],
    ["[INFO] it broke", 0, { weight: 92 }],
    ["[INFO] it broke", -30, { weight: 91 }],
    ["it broke: 0 errors", -45],
    ["it broke: 0 errors", -30, { weight: 90 }],
    ["it broke: 0 errors", -45, { weight: 89 }],
    ["it broke: 0 errors", -45, { weight: 95, role: "wrapper" }],
    ["+ it broke", -50],
    ["+ it broke", -50, { weight: 95 }],
    ["  12 | it broke", -45],
    ["  12 | it broke", -25, { weight: 90 }],
    ["  12 | it broke", -45, { weight: 95, role: "symptom" }],
    ["+ it broke: 0 errors", -45],
    ["uploading it broke", -25],
    ["code: it broke", -10],
    ["  Caused by: it broke", -15],
    ["  3: it broke", -15],
    ["Caused by: it broke", 0],
    ["[ERROR] uploading it broke: 0 errors", -68],
  ])("of %s differs from its weight by %i", (line, doubt, more) => {
    const given = signature(more);
    const found = candidate(line, given);
    expect([found?.plain, found?.score]).toEqual([given.weight + doubt, given.weight + doubt]);
  });
});

describe("candidateOf()", () => {
  it("returns the signature that matches a line, with its captured groups", () => {
    expect(candidate("it broke tea\nnext", signature({ pattern: /broke (?<what>\w+)/ }))).toMatchObject({
      index: 3,
      text: "it broke tea",
      signature: { id: "broke" },
      caught: { what: "tea" },
    });
    expect(candidate("it broke", signature())?.caught).toEqual({});
    expect(candidate("it broke", signature({ pattern: /fixed/ }))).toBeUndefined();
  });

  it("takes the first signature, but prefers the network to an unresolved dependency", () => {
    const [first, second] = [signature({ id: "one" }), signature({ id: "two" })];
    expect(candidate("it broke", first, second)?.signature.id).toBe("one");
    const unresolved = signature({ id: "unresolved", category: "dependency_resolution" });
    const away = signature({ id: "away", category: "network" });
    expect(candidate("it broke", unresolved, second, away)?.signature.id).toBe("away");
    expect(candidate("it broke", unresolved, second)?.signature.id).toBe("unresolved");
    expect(candidate("it broke", unresolved, { ...away, pattern: /fixed/ })?.signature.id).toBe("unresolved");
    expect(candidate("it broke", first, away)?.signature.id).toBe("one");
  });

  it("takes a line with an error prefix as a symptom unless it is empty or boilerplate", () => {
    expect(candidate("[ERROR] all is lost")).toMatchObject({
      ...{ signature: { id: "error-level", role: "symptom" }, text: "all is lost", caught: {} },
      ...{ plain: 52, score: 52 },
    });
    expect(candidate("[ERROR] uploading is over")?.plain).toBe(27);
    for (const line of ["[ERROR] ", "[ERROR] [Help 1] http://a", "[WARNING] all is lost", "all is lost"])
      expect([line, candidate(line)]).toEqual([line, undefined]);
  });
});

it.each<[Category | undefined, boolean]>([
  ["compile_error", true],
  ["type_error", true],
  ["lint", true],
  ["test_failure", false],
  ["network", false],
  [undefined, false],
])("isFinding() of category %s is %s with a place, and false without one", (category, expected) => {
  const given = signature(category ? { category } : {});
  expect(isFinding(candidate("a.ts:1:2: error: it broke", given) as Candidate)).toBe(expected);
  expect(isFinding(candidate("it broke", given) as Candidate)).toBe(false);
});

describe("a finding in a file", () => {
  const found = (log: string, ...signatures: LineSignature[]) => {
    const { signature, diagnostic, plain } = candidate(log, ...signatures) ?? {};
    const { id, category, survivable } = signature ?? {};
    return { id, category, survivable: survivable ?? false, plain, at: diagnostic?.file };
  };

  it.each([
    ["a.ts:1:2: error: wrong", "lint", false, 84],
    ["a.ts:1:2: wrong", "lint", true, 84],
    ["a.ts:1:2: warning: wrong", "lint", true, 44],
    ["a.ts:1:2: note: wrong", "lint", true, 54],
    ["a.zig:1:2: error: wrong", "compile_error", false, 84],
    ["a.proto:1:2: wrong", "compile_error", true, 84],
    ["a.zig:1:2: warning: wrong", "lint", true, 44],
    ["a.zig:1:2: note: wrong", "lint", true, 54],
    ["a.sql:1:2: E101 wrong", "lint", true, 84],
    ["a.prisma:1:2: error: wrong", "configuration", false, 84],
    ["app/Cargo.toml:1:2: error: wrong", "configuration", false, 84],
    ["MyCargo.toml:1:2: error: wrong", "lint", false, 84],
  ])("without a signature, %s, is of category %s", (line, category, survivable, plain) => {
    expect(found(line)).toMatchObject({ id: "finding", category, survivable, plain });
  });

  it("overrides the signature of a symptom, wrapper, exit or survivable failure", () => {
    const line = "a.ts:1:2: error: it broke";
    expect(found(line, signature())).toMatchObject({ id: "broke", at: "a.ts" });
    for (const role of ["wrapper", "symptom", "exit"] as const)
      expect(found(line, signature({ role }))).toMatchObject({ id: "finding", at: "a.ts" });
    expect(found(line, signature({ survivable: true }))).toMatchObject({ id: "finding" });
    expect(found("a.ts:1: error: it broke", signature({ survivable: true }))).toMatchObject({ id: "broke" });
    expect(candidate(line, signature({ role: "symptom" }))?.caught).toEqual({});
  });

  it("takes its place from below its heading, with the heading's severity and code", () => {
    const of = (log: string) => candidate(log)?.diagnostic;
    const place = { file: "src/cart.rs", line: 12, column: 5 };
    expect(of("error[E0308]: mismatched types\n  --> src/cart.rs:12:5")).toEqual({
      ...place,
      ...{ severity: "error", code: "E0308", message: "mismatched types" },
    });
    expect(of("warning: unused\n  --> src/cart.rs:12:5")).toEqual({
      ...place,
      ...{ severity: "warning", message: "unused" },
    });
    expect(of("WARNING: unused\n  --> src/cart.rs:12:5")?.severity).toBe("warning");
    expect(of("F401 [*] `os` imported\n --> src/cart.rs:12:5")).toEqual({
      ...place,
      ...{ severity: "error", code: "F401", message: "`os` imported" },
    });
    expect(of("F401 `os` imported\n so it is\n --> src/cart.rs:12:5")).toBeUndefined();
    expect(of("`os` imported\n --> src/cart.rs:12:5")).toBeUndefined();
    expect(of("error: gone")).toBeUndefined();
    expect(of("error: 5\nso it is\n  --> src/cart.rs:12:5")).toMatchObject(place);
    expect(of("error code: 5\nso it is\n  --> src/cart.rs:12:5")).toBeUndefined();
  });

  it("takes no place from below another heading within three lines", () => {
    const of = (log: string) => candidate(log)?.diagnostic?.line;
    const place = "  --> src/cart.rs:12:5";
    expect(of(`error: one\nerror: two\n${place}`)).toBeUndefined();
    expect(of(`error: one\n\n\nerror: two\n${place}`)).toBeUndefined();
    expect(of(`error: one\n\n\n\nerror: two\n${place}`)).toBe(12);
    expect(of(`error: one\n${place}\nerror: two\nso it is`)).toBe(12);
    expect(of(`error: one\n\n${place}\nerror: two\nso it is`)).toBe(12);
  });
});
