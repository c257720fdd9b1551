import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { faultsOf } from "../../src/contract/faults.ts";
import { recordOf } from "../../src/contract/record.ts";

const Numbers = z.strictObject({ numbers: recordOf(z.string().trim().max(8), z.number()).default({}) });

function faults(text: string) {
  const parsed = Numbers.safeParse(JSON.parse(text));
  return parsed.success ? [] : faultsOf(parsed.error);
}

describe("recordOf()", () => {
  it("refuses __proto__ by name instead of dropping it", () => {
    const path = "numbers.__proto__";
    for (const value of ["1", "{}", "null"]) {
      expect(faults(`{"numbers":{"a":1,"__proto__":${value}}}`)).toMatchObject([{ path }]);
    }
    expect(faults('{"numbers":{"\\u005f_proto__":1}}')).toMatchObject([{ path }]);
  });

  it("accepts all other names, and checks names and values", () => {
    const given = '{"numbers":{" a ":1,"toString":2,"":3}}';
    expect(Numbers.parse(JSON.parse(given))).toEqual({ numbers: { a: 1, toString: 2, "": 3 } });
    expect(faults('{"numbers":{"a":"1"}}')).toMatchObject([{ path: "numbers.a" }]);
    expect(faults('{"numbers":{"123456789":1}}')).toMatchObject([{ path: "numbers.123456789" }]);
    for (const other of ["[]", "1", '"a"', "null"]) {
      expect(faults(`{"numbers":${other}}`)).toMatchObject([{ path: "numbers" }]);
    }
    expect(Numbers.parse({})).toEqual({ numbers: {} });
  });

  it("keeps every name except __proto__, which it refuses", () => {
    const members = fc.dictionary(
      fc.string({ maxLength: 8 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      {
        noNullPrototype: true,
      },
    );
    fc.assert(
      fc.property(members, fc.boolean(), (numbers, prototype) => {
        const text = JSON.stringify({ numbers }).replace(
          /^\{"numbers":\{/,
          prototype ? '$&"__proto__":1,' : "$&",
        );
        const given = JSON.parse(text.replace(",}", "}"));
        const names = new Set(Object.keys(given.numbers).map((name) => name.trim()));
        const parsed = Numbers.safeParse(given);
        if (names.has("__proto__")) expect(parsed.success).toBe(false);
        else expect(new Set(Object.keys(parsed.data?.numbers ?? {}))).toEqual(names);
      }),
    );
  });

  it("has a JSON Schema of the type object", () => {
    expect(z.toJSONSchema(Numbers, { io: "input", unrepresentable: "any" })).toMatchObject({
      properties: { numbers: { type: "object", additionalProperties: { type: "number" } } },
    });
  });
});
