import { expect, it } from "vitest";
import { z } from "zod";
import { named, refinementRules } from "../../../src/contract/components.ts";
import { createSchemas, READ_ONLY } from "../../../src/server/openapi/schemas.ts";

const Inner = z.object({ count: z.number().default(1) });
const Outer = z.object({ inner: Inner, note: z.string().nullable() });
const Same = z.enum(["one", "other"]);
const Worded = z
  .string()
  .refine((text) => text !== "x")
  .register(refinementRules, { rule: "Anything but x." });
named({ TestInner: Inner, TestOuter: Outer, TestSame: Same });

const Sent = z.strictObject({
  outer: Outer,
  same: Same,
  letters: z
    .string()
    .regex(/^\p{L}+$/u)
    .register(refinementRules, { rule: "Letters only." })
    .optional(),
  pattern: z.string().optional(),
  word: Worded.optional(),
});
const Got = z.object({
  outer: Outer,
  same: Same.optional(),
  all: z.record(Same, Inner),
  some: z.partialRecord(Same, z.int()),
  any: z.record(z.string(), z.string()),
});
const Query = z.strictObject({ limit: z.number().default(5), word: Worded.describe("A word") });
const schemas = createSchemas([
  { type: Sent, side: "input", name: "TestSent" },
  { type: Got, side: "output", name: "TestGot" },
  { type: Query, side: "input", name: `${READ_ONLY}TestQuery` },
]);
const components = schemas.components();

it("createSchemas() names a schema once, and input and output separately if they differ", () => {
  expect(Object.keys(components)).toEqual([
    ...["TestGot", "TestInner", "TestInnerInput", "TestOuter", "TestOuterInput", "TestSame", "TestSent"],
  ]);
  expect(components.TestSent?.properties).toMatchObject({
    outer: { $ref: "#/components/schemas/TestOuterInput" },
    same: { $ref: "#/components/schemas/TestSame" },
  });
  expect(components.TestOuterInput?.properties).toMatchObject({
    inner: { $ref: "#/components/schemas/TestInnerInput" },
    note: { type: ["string", "null"] },
  });
  expect(components.TestGot?.properties).toMatchObject({ outer: { $ref: "#/components/schemas/TestOuter" } });
});

it("createSchemas() describes a default in words in input, and makes the member required in output", () => {
  expect(components.TestInnerInput).toEqual({
    type: "object",
    properties: { count: { type: "number", description: "Default: `1`." } },
  });
  expect(components.TestInner).toEqual({
    type: "object",
    properties: { count: { type: "number" } },
    required: ["count"],
  });
});

it("createSchemas() closes input objects, and leaves output objects open", () => {
  expect(components.TestSent?.additionalProperties).toBe(false);
  expect(components.TestGot).not.toHaveProperty("additionalProperties");
});

it("createSchemas() keeps members that are named like JSON Schema keywords", () => {
  expect(components.TestSent?.properties).toHaveProperty("pattern", { type: "string" });
});

it("createSchemas() names the members of a record whose keys are known", () => {
  const inner = { $ref: "#/components/schemas/TestInner" };
  const members = components.TestGot?.properties;
  expect(members).toHaveProperty("all", {
    type: "object",
    properties: { one: inner, other: inner },
    required: ["one", "other"],
  });
  expect(members).toHaveProperty("some", {
    type: "object",
    properties: { one: { type: "integer" }, other: { type: "integer" } },
  });
  expect(members).toHaveProperty("any", { type: "object", additionalProperties: { type: "string" } });
});

it("createSchemas() has no pattern that only some regular expressions can read, but its rule in words", () => {
  expect(components.TestSent?.properties).toHaveProperty("letters", {
    type: "string",
    description: "Letters only.",
  });
});

it("createSchemas() appends the rule of a refinement to the description", () => {
  expect(components.TestSent?.properties).toHaveProperty("word", {
    type: "string",
    description: "Anything but x.",
  });
  expect(schemas.read(Query, "input").properties).toEqual({
    limit: { type: "number", default: 5 },
    word: { type: "string", description: "A word. Anything but x." },
  });
});

it("createSchemas() throws for unannounced, unnamed and equally named schemas", () => {
  expect(() => schemas.refer(z.string(), "input")).toThrow("was not announced");
  expect(() => createSchemas([{ type: z.object({}), side: "input" }])).toThrow("has no name");
  expect(() => named({ TestInner: Same })).toThrow("Two schemas are named TestInner");
});

it("createSchemas() names a schema that refers to itself, and goes by no id of zod's", () => {
  const Branch = z.object({
    get branches() {
      return z.array(Branch).optional();
    },
  });
  const Labelled = z.object({ text: z.string() }).meta({ id: "TestInner", description: "A label." });
  const Tree = z.object({ root: Branch, any: z.json(), label: Labelled });
  const { components } = createSchemas([
    { type: Tree, side: "input", name: "TestTree" },
    { type: z.object({ label: z.object({}).meta({ id: "TestInner" }) }), side: "output", name: "TestOther" },
  ]);
  const found = components();
  const references = [...JSON.stringify(found).matchAll(/"\$ref":"#\/components\/schemas\/([^"]*)"/g)].map(
    ([, name]) => name as string,
  );
  expect(references).toContain("Recursive1");
  expect(references.filter((name) => !Object.hasOwn(found, name))).toEqual([]);
  expect(found.TestTree?.properties).toMatchObject({
    label: { properties: { text: { type: "string" } }, description: "A label." },
  });
});
