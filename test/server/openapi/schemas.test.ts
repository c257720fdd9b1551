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
  pattern: z.string().optional(),
  word: Worded.optional(),
});
const Got = z.object({ outer: Outer, same: Same.optional() });
const Query = z.strictObject({ limit: z.number().default(5), word: Worded.describe("A word") });
const schemas = createSchemas([
  { type: Sent, side: "input", name: "TestSent" },
  { type: Got, side: "output", name: "TestGot" },
  { type: Query, side: "input", name: `${READ_ONLY}TestQuery` },
]);
const components = schemas.components();

it("gives what is sent and got alike one name, and two where the sides differ, all the way up", () => {
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

it("says a default in words in bodies, and nothing of it in answers, where the member is always there", () => {
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

it("closes what is sent, and leaves answers open for members to come", () => {
  expect(components.TestSent?.additionalProperties).toBe(false);
  expect(components.TestGot).not.toHaveProperty("additionalProperties");
});

it("keeps members that have the names of keywords", () => {
  expect(components.TestSent?.properties).toHaveProperty("pattern", { type: "string" });
});

it("puts the words for a refinement behind the description", () => {
  expect(components.TestSent?.properties).toHaveProperty("word", {
    type: "string",
    description: "Anything but x.",
  });
  expect(schemas.read(Query, "input").properties).toEqual({
    limit: { type: "number", default: 5 },
    word: { type: "string", description: "A word. Anything but x." },
  });
});

it("knows only what was announced", () => {
  expect(() => schemas.refer(z.string(), "input")).toThrow("was not announced");
  expect(() => createSchemas([{ type: z.object({}), side: "input" }])).toThrow("has no name");
  expect(() => named({ TestInner: Same })).toThrow("Two schemas are named TestInner");
});
