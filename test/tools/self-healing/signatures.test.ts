import { describe, expect, it } from "vitest";
import { cleanLine } from "../../../src/tools/self-healing/clean-line.ts";
import { requiredLiterals } from "../../../src/tools/self-healing/patterns/required-literals.ts";
import { SIGNATURES } from "../../../src/tools/self-healing/signatures/catalogue.ts";

describe("the signatures", () => {
  it("have ids of their own", () => {
    const ids = SIGNATURES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("recognise their example before any other does", () => {
    const mistaken = SIGNATURES.flatMap(({ id, example }) => {
      const { text } = cleanLine(example);
      const first = SIGNATURES.find(({ pattern }) => pattern.test(text))?.id;
      return first === id ? [] : [`${id} is taken for ${first}`];
    });
    expect(mistaken).toEqual([]);
  });

  it("require a literal by which a line is found", () => {
    const lost = SIGNATURES.filter(({ pattern, example }) => {
      const literals = requiredLiterals(pattern) ?? [];
      return !literals.some((literal) => example.toLowerCase().includes(literal));
    });
    expect(lost.map(({ id }) => id)).toEqual([]);
  });

  it("weigh what they say by its role", () => {
    for (const { id, role, weight } of SIGNATURES) {
      if (role === "exit") expect(weight, id).toBeLessThanOrEqual(66);
      if (role === "cause") expect(weight, id).toBeGreaterThanOrEqual(60);
      expect(weight, id).toBeLessThan(100);
    }
  });
});
