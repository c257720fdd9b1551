import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holdsMoreValues } from "../../src/system/json-values.ts";

/** Counts the allocations of a value: each array and object, and each of their members except the first. */
function cost(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const members = Object.values(value);
  return 1 + Math.max(0, members.length - 1) + members.reduce<number>((sum, member) => sum + cost(member), 0);
}

describe("holdsMoreValues()", () => {
  it("counts the values that JSON.parse() allocates", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1), (value, indent) => {
        const json = Buffer.from(JSON.stringify(value, null, indent));
        const most = cost(JSON.parse(json.toString()));
        expect(holdsMoreValues(json, most)).toBe(false);
        if (most > 0) expect(holdsMoreValues(json, most - 1)).toBe(true);
      }),
    );
  });

  it.each(['"\\\\",', '"\\"",', '"\\\\\\"",', '"[{,",'])("finds the value after the string in %s", (json) => {
    expect(holdsMoreValues(Buffer.from(json), 0)).toBe(true);
    expect(holdsMoreValues(Buffer.from(json), 1)).toBe(false);
  });

  it("ignores the contents of strings that are long and full of escapes", () => {
    const piece = fc.constantFrom('"', "\\", "x".repeat(1500), "[", ",", "\n");
    fc.assert(
      fc.property(fc.array(fc.array(piece, { maxLength: 12 }), { maxLength: 4 }), (texts) => {
        const strings = texts.map((pieces) => pieces.join(""));
        const most = cost(strings);
        const json = Buffer.from(JSON.stringify(strings));
        expect(holdsMoreValues(json, most)).toBe(false);
        expect(holdsMoreValues(json, most - 1)).toBe(true);
      }),
    );
  });

  it("ignores the rest of an unterminated string", () => {
    expect(holdsMoreValues(Buffer.from('["a,,,,'), 1)).toBe(false);
    expect(holdsMoreValues(Buffer.from('"\\"'), 0)).toBe(false);
  });
});
