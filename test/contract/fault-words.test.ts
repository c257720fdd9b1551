import { expect, it } from "vitest";
import { z } from "zod";
import { isPrintable } from "../../src/contract/endpoint.ts";
import { faultsOf } from "../../src/contract/faults.ts";

it.each<[string, z.ZodType, unknown, string]>([
  ["a whole number", z.int(), 1.5, "must be a whole number"],
  ["a date", z.iso.date(), "25.12.2026", 'must be a date such as "2026-12-25"'],
  [
    "a date and time",
    z.iso.datetime({ offset: true }),
    "2026-12-25",
    'must be an ISO 8601 date and time such as "2026-12-25T09:30:00Z"',
  ],
  ["a number", z.int(), "1", "must be a number, not a string"],
  ["a number in a query", z.coerce.number().int(), "soon", "must be a number"],
  ["what has to be there", z.string(), undefined, "is missing: it must be a string"],
  ["a string", z.string(), 5, "must be a string, not a number"],
  ["a string", z.string(), null, "must be a string, not null"],
  ["a list", z.array(z.string()), {}, "must be a list, not an object"],
  ["an object", z.object({}), [], "must be an object, not a list"],
  ["an object of any names", z.record(z.string(), z.string()), "x", "must be an object, not a string"],
  ["yes or no", z.boolean(), "true", "must be true or false, not a string"],
  ["one of several", z.enum(["ada", "grace"]), "alan", "must be one of ada, grace"],
  ["one value", z.literal("S256"), "plain", "must be S256"],
  ["a long string", z.string().max(1), "ab", "must have at most 1 character"],
  ["a short string", z.string().min(2), "a", "must have at least 2 characters"],
  ["an empty string", z.string().min(1), "", "must not be empty"],
  ["a long list", z.array(z.int()).max(2), [1, 2, 3], "must have at most 2 elements"],
  ["an empty list", z.array(z.int()).min(1), [], "must not be empty"],
  ["a large number", z.number().max(5), 6, "must be at most 5"],
  ["a small number", z.number().min(1), 0, "must be at least 1"],
  ["a number on its bound", z.number().gt(0), 0, "must be above 0"],
  ["a number on its upper bound", z.number().lt(9), 9, "must be below 9"],
  [
    "what is of two kinds",
    z.union([z.string(), z.number()]),
    [],
    "must be a string, not a list, or must be a number, not a list",
  ],
  [
    "what is of one kind in two forms",
    z.union([z.object({ a: z.int() }), z.object({ b: z.int() })]),
    5,
    "must be an object, not a number",
  ],
  [
    "what has two forms and is in neither",
    z.union([z.strictObject({ a: z.int() }), z.strictObject({ b: z.int() })]),
    { c: 1 },
    '"a" is missing: it must be a number, or "b" is missing: it must be a number',
  ],
  ["what the schema says itself", z.string("must be a name"), 5, "must be a name"],
  ["… of a bound", z.string().max(1, "must be short"), "ab", "must be short"],
])("faultsOf() says what is wrong with %s", (_, schema, value, words) => {
  const { error } = z.object({ it: schema }).safeParse({ it: value });
  expect(faultsOf(error as z.ZodError)).toEqual([{ path: "it", message: words }]);
});

it("faultsOf() says what is wrong with the name of a member", () => {
  const named = z.record(z.string().refine(isPrintable, "must not hold control characters"), z.int());
  expect(faultsOf(named.safeParse({ "a\0": 1 }).error as z.ZodError)).toEqual([
    { path: "a\0", message: "has a name that must not hold control characters" },
  ]);
  const short = z.record(z.string().max(1), z.int());
  expect(faultsOf(short.safeParse({ ab: 1 }).error as z.ZodError)).toEqual([
    { path: "ab", message: "has a name that must have at most 1 character" },
  ]);
});

it("faultsOf() suggests the members that an unknown one may mean, unless there are many", () => {
  const schema = z.strictObject({ q: z.string().optional(), limit: z.int().optional() });
  const of = (given: object) => {
    const { error } = schema.safeParse(given);
    return faultsOf(error as z.ZodError, schema);
  };
  expect(of({ query: "x", colour: "red" })).toEqual([
    { path: "query", message: "is not a known member; did you mean q?" },
    { path: "colour", message: "is not a known member" },
  ]);
  expect(of({ limits: 5 })).toEqual([
    { path: "limits", message: "is not a known member; did you mean limit?" },
  ]);
  const many = of(Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`limit${n}`, n])));
  expect(new Set(many.map(({ message }) => message))).toEqual(new Set(["is not a known member"]));
});
