import { expect, it } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { allows, type Scope } from "../../../src/contract/caller.ts";
import { computedEndpoint, endpoint } from "../../../src/contract/endpoint.ts";
import { checkHandlers, checkTools } from "../../../src/server/tools/check-tools.ts";
import { registryOf } from "../../../src/server/tools/registry.ts";
import { collection } from "../../../src/store/store.ts";
import { type AnyTool, defineTool } from "../../../src/tools/define-tool.ts";

const sign = endpoint({
  name: "guest-book.sign",
  method: "POST",
  path: "/api/v1/tools/guest-book/entries",
  summary: "Sign the guest book",
  scope: "write",
  input: z.strictObject({ name: z.string() }),
  output: z.object({}),
});
const count = computedEndpoint({
  name: "guest-book.count",
  method: "POST",
  path: "/api/v1/tools/guest-book/count",
  summary: "Count words",
  scope: "read",
  compute: "short",
  input: z.strictObject({ text: z.string() }),
  output: z.object({}),
});
const entries = collection("guest_book");
const here = new URL("../../../scripts/build.js", import.meta.url);

const sound = {
  name: "guest-book",
  contract: { sign, count },
  collections: [entries],
  jobs: { count: here },
  create: () => ({ sign() {}, count() {} }),
};
const others = {
  endpoints: [{ ...sign, name: "usage.track", path: "/api/v1/track" }],
  collections: [{ name: "users" }],
  counters: ["usage_day"],
};
const check = (change: object) => checkTools([{ ...sound, ...change } as AnyTool], others);

it("checkTools() accepts a sound tool, and registryOf() includes its endpoints and counters", () => {
  expect(() => check({})).not.toThrow();
  expect(registryOf([sound]).endpoints.map(({ name }) => name)).toContain("guest-book.sign");
  const { counters } = registryOf([{ ...sound, counters: ["guests_seen"] }]);
  expect(counters).toEqual(expect.arrayContaining(["guests_seen", "agent_memory", "mcp_caller_months"]));
});

it.each([
  ["its name is none", { name: "Guest Book" }, /"Guest Book" is no name for a tool: use kebab-case/],
  [
    "a path lies elsewhere",
    { contract: { sign: { ...sign, path: "/guests" }, count } },
    /endpoint guest-book\.sign .* must have a path below \/api\/v1\/tools\//,
  ],
  [
    "a path parameter is no part of the input",
    { contract: { sign: { ...sign, path: "/api/v1/tools/guest-book/{page}" }, count } },
    /lacks the path parameter page/,
  ],
  [
    "a GET is idempotent",
    { contract: { sign: { ...sign, method: "GET", idempotent: true }, count } },
    /is a GET, which honours no Idempotency-Key/,
  ],
  [
    "an endpoint's name is taken",
    { contract: { sign: { ...sign, name: "usage.track" }, count } },
    /one of the server/,
  ],
  [
    "an endpoint's name is taken but for its punctuation",
    { contract: { sign: { ...sign, name: "usage-Track" }, count } },
    /endpoint usage-Track .* has the name \(usage_track\) of one of the server/,
  ],
  [
    "two of its routes are one",
    { contract: { sign, again: { ...sign, name: "again" }, count } },
    /method and path/,
  ],
  [
    "a collection's name is taken",
    { collections: [collection("users")] },
    /collection users .* one of the server/,
  ],
  ["a counter's name is taken", { counters: ["usage_day"] }, /counter usage_day .* one of the server/],
  [
    "a counter's name is none",
    { counters: ["guests/seen"] },
    /counters of the tool guest-book must be a list/,
  ],
  ["what computes has no job", { jobs: {} }, /count .* computes and has no job: jobs: \{ count: new URL/],
  [
    "what does not compute has a job",
    { jobs: { count: here, sign: here } },
    /declare it by computedEndpoint\(\)/,
  ],
  ["a job belongs to nothing", { jobs: { count: here, cuont: here } }, /job cuont .* belongs to none/],
  [
    "a job's module is missing",
    { jobs: { count: new URL("./nowhere.js", here) } },
    /nowhere\.js, where there is no file/,
  ],
  [
    "a projection's module is missing",
    { projections: { guests: new URL("./nowhere.js", here) } },
    /nowhere\.js, where there is no file/,
  ],
  [
    "a member is misspelt",
    { collections: undefined, collection: [entries] },
    /collection, which no tool has. Did you mean collections/,
  ],
])("checkTools() refuses a tool if %s", (_, change, message) => {
  expect(() => check(change)).toThrow(message);
});

it("checkTools() refuses a path below the segment of another tool", () => {
  const listed = { ...sign, name: "visits.list", path: "/api/v1/tools/guest-book/visits" };
  const visits = { name: "visits", contract: { listed }, create: () => ({ listed() {} }) };
  expect(() => checkTools([sound, visits] as AnyTool[], others)).toThrow(
    "The endpoint visits.list of the tool visits has the path /api/v1/tools/guest-book/visits, and " +
      "/api/v1/tools/guest-book belongs to the tool guest-book: choose another, such as /api/v1/tools/visits.",
  );
  const elsewhere = { ...visits, contract: { listed: { ...listed, path: "/api/v1/tools/guest-books" } } };
  expect(() => checkTools([sound, elsewhere] as AnyTool[], others)).not.toThrow();
});

const declared = (change: object) => ({ contract: { sign: { ...sign, ...change }, count } });

it.each([
  ["has no scope", { scope: undefined }, /needs a scope: read, write, admin, operator, public; undefined is/],
  ["has a misspelt scope", { scope: "wirte" }, /needs a scope: .* "wirte" is none\. Did you mean write\?/],
  ["has no method", { method: undefined }, /needs a method: GET/],
  ["has a method in lower case", { method: "post" }, /needs a method: .* Did you mean POST\?/],
  ["has no path", { path: undefined }, /needs a path, such as/],
  ["has a parameter of another notation", { path: "/api/v1/tools/guest-book/:id" }, /parameter in braces/],
  ["has a brace that is left open", { path: "/api/v1/tools/guest-book/{id" }, /parameter in braces/],
  ["has no slash before its path", { path: "api/v1/tools/guest-book" }, /must begin with a slash/],
  ["has a slash after its path", { path: "/api/v1/tools/guest-book/" }, /not end with one/],
  ["has no name", { name: undefined }, /needs a name, such as/],
  ["has a name that limits cannot name", { name: "sign it" }, /has the name "sign it": use letters/],
  ["has no summary", { summary: undefined }, /needs a summary, such as/],
  ["has no input", { input: undefined }, /input of the endpoint sign .* z\.object\(\{ … \}\) of zod 4/],
  ["has a union as its input", { input: z.union([z.object({}), z.object({})]) }, /must be a z\.object/],
  ["has no output", { output: undefined }, /output of the endpoint sign .* must be a schema of zod 4/],
  ["has a schema that is none", { output: { parse() {} } }, /must be a schema of zod 4/],
  ["has an unknown status", { status: 299 }, /needs a status: 200, 201, 202, 204; 299 is none/],
  ["has a misspelt error", { errors: ["not_fuond"] }, /"not_fuond" is none\. Did you mean not_found/],
  ["has a pace that is none", { compute: "fast" }, /short, long; "fast" is none/],
  ["computes without a body", { compute: "short", method: "GET" }, /POST, PUT, PATCH; "GET" is none/],
  ["has a negative bound", { maxBodyBytes: -1 }, /maxBodyBytes -1/],
  ["is idempotent in another word", { idempotent: "repeatible" }, /Did you mean repeatable/],
  ["has a lane that is none", { lane: "fast" }, /needs a known lane: control; "fast" is none/],
  [
    "has a misspelt member",
    { maxBodyByte: 1 },
    /member maxBodyByte, which no endpoint has\. Did you mean maxBodyBytes/,
  ],
  [
    "has a path that no client sends",
    { path: "/api/v1/tools/guest-book/../pair" },
    /segment \.\. no client sends: name it otherwise/,
  ],
  [
    "has a parameter twice",
    { path: "/api/v1/tools/guest-book/{name}/{name}" },
    /segment \{name\} is there twice: name it otherwise/,
  ],
  ["has a description that is no text", { description: 5 }, /`description` of .* must be a text; 5 is none/],
  ["has rules that are no list", { rules: "One a day" }, /`rules` of .* must be a list of texts/],
  ["has an error by itself", { errors: "conflict" }, /`errors` of .* must be a list of codes/],
  [
    "has a name that is too long for agents",
    { name: `guest-book.${"sign".repeat(14)}` },
    /name by which agents cannot call it, as their clients take 64 characters: guest_book_sign/,
  ],
  [
    "has a format with parameters, which would match none",
    { formats: { "text/csv; charset=utf-8": "`Accept: text/csv`" } },
    /`formats` of .* without parameters/,
  ],
  [
    "takes types of bodies that no job reads",
    { bodyTypes: ["text/csv"] },
    /has bodyTypes, which only a job can read: declare it by computedEndpoint\(\)/,
  ],
  [
    "bounds a body that it has not",
    { method: "GET", maxBodyBytes: 5 },
    /has maxBodyBytes, and a GET has no body/,
  ],
  ["computes for nobody", { compute: "short", scope: "public" }, /needs a scope, as what it computes counts/],
  ["lists its formats", { formats: ["text/csv"] }, /`formats` of .* a text for each media type/],
  [
    "has another status that is none",
    { otherwise: { 418: "It is a teapot" } },
    /`otherwise` of .* 200, 201 or 204/,
  ],
  ["has an ETag in words", { etag: "yes" }, /`etag` of .* must be true or false; "yes" is none/],
  ["has a member of something else", { rateLimit: 5 }, /rateLimit, which no endpoint has\.$/],
  ["answers with a Map", { output: z.map(z.string(), z.string()) }, /answers with a map, .* z\.record\(\)/],
  ["answers with a BigInt", { output: z.object({ n: z.bigint().optional() }) }, /bigint, .* z\.string\(\)/],
])("checkTools() refuses a tool of which an endpoint %s", (_, change, message) => {
  expect(() => check(declared(change))).toThrow(message);
});

const queried = (input: object, change: object = {}) =>
  check(declared({ method: "GET", input: z.strictObject({ name: z.string(), ...input }), ...change }));

it.each([
  ["z.number()", z.number(), /takes page \(number\) from its query, .*: use z\.coerce\.number\(\)/],
  ["z.int().optional()", z.int().optional(), /use z\.coerce\.number\(\)/],
  ["z.boolean().default(true)", z.boolean().default(true), /use z\.stringbool\(\)/],
  ["z.date()", z.date(), /use z\.iso\.datetime\(\)/],
  ["z.array(z.string())", z.array(z.string()), /\(array\) .*: use a method with a body/],
  ["z.literal(1)", z.literal(1), /use z\.coerce\.number\(\)/],
  ["a union of two of them", z.union([z.number(), z.boolean()]), /use z\.coerce\.number\(\)/],
])("checkTools() refuses %s in a query, and in a path", (_, page, message) => {
  expect(() => queried({ page })).toThrow(message);
  const path = "/api/v1/tools/guest-book/{page}";
  expect(() => queried({ page }, { method: "POST", path })).toThrow(/from its path/);
});

it("checkTools() refuses z.coerce.boolean() in a query, which takes every text for true", () => {
  expect(() => queried({ page: z.coerce.boolean().default(false) })).toThrow(
    /takes page from its query by z\.coerce\.boolean\(\), .*: use z\.stringbool\(\)/,
  );
  expect(() => queried({ page: z.stringbool().default(false) })).not.toThrow();
});

it("collection() refuses what is no name", () => {
  expect(() => collection(undefined as never)).toThrow(/"undefined" is no name for a collection/);
});

it.each([
  ["z.date()", z.date().optional(), /takes at \(date\) from its body, .* JSON: use z\.iso\.datetime\(\)/],
  ["z.bigint()", z.bigint(), /use z\.coerce\.bigint\(\)/],
  ["z.map()", z.map(z.string(), z.string()), /use z\.record\(\)/],
  ["z.set()", z.set(z.string()).default(new Set()), /use z\.array\(\)/],
])("checkTools() refuses %s in a body", (_, at, message) => {
  expect(() => check(declared({ input: z.strictObject({ at }) }))).toThrow(message);
});

it("checkTools() accepts in a body what JSON has, and what zod makes of it", () => {
  const at = z.coerce.date().optional();
  const input = z.strictObject({
    at,
    n: z.number(),
    all: z.array(z.boolean()),
    no: z.null(),
    one: z.literal(1),
  });
  expect(() => check(declared({ input }))).not.toThrow();
});

it.each([
  ["z.coerce.number()", z.coerce.number().int().default(1)],
  ["z.stringbool()", z.stringbool().optional()],
  ["z.enum()", z.enum(["a", "b"])],
  ["z.literal()", z.literal(["a", 1])],
  ["z.coerce.date()", z.coerce.date()],
  ["a transformed text", z.string().transform((text) => text.split(","))],
  ["a preprocessed number", z.preprocess(Number, z.number())],
  ["a union with a text", z.union([z.number(), z.string()])],
])("checkTools() accepts %s in a query", (_, page) => {
  expect(() => queried({ page })).not.toThrow();
});

it("checkTools() refuses an input of zod/mini", () => {
  expect(() => check(declared({ input: mini.object({}) }))).toThrow(/must be a z\.object/);
});

it.each([
  ["is no object", undefined, /undefined is no tool: make one by defineTool/],
  ["has no contract", { ...sound, contract: undefined }, /contract of the tool guest-book must be an object/],
  ["has no create()", { ...sound, create: undefined }, /`create` of the tool guest-book must be a function/],
  ["names collections", { ...sound, collections: ["guest_book"] }, /what collection\("…"\) returns/],
  ["has an endpoint as its contract", { ...sound, contract: sign }, /must be declared by endpoint\(/],
  [
    "has a job for what is only a method of every object",
    { ...sound, jobs: { count: here, toString: here } },
    /job toString .* none/,
  ],
  ["has a job that is a path", { ...sound, jobs: { count: "./count.js" } }, /new URL\("\.\/count\.js"/],
])("checkTools() refuses what %s", (_, tool, message) => {
  expect(() => checkTools([tool as unknown as AnyTool], others)).toThrow(message);
});

it("checkHandlers() names a tool whose create() returns nothing", () => {
  expect(() => checkHandlers(sound, undefined as never)).toThrow(/guest-book must return an object/);
});

it.skipIf("typescript" in process.features)("checkTools() refuses a job that workers cannot load", () => {
  const typeScript = { ...sound, jobs: { count: new URL(import.meta.url) } };
  expect(() => checkTools([typeScript], others)).toThrow(
    /is TypeScript, which Node .* compiles to, or use Node 22\.18/,
  );
});

it("checkTools() refuses a tool that another copy of the package made", () => {
  const own = defineTool({
    name: "guest-book",
    contract: { sign },
    create: () => ({ sign: async () => ({}) }),
  });
  expect(() => checkTools([own], others)).not.toThrow();
  const theirs = { ...own, [Symbol.for("toolplane.madeBy")]: "/elsewhere/node_modules/toolplane" };
  expect(() => checkTools([theirs], others)).toThrow(
    /made by the toolplane in \/elsewhere\/node_modules\/toolplane, .* peerDependencies/,
  );
});

it("nobody may do what asks for a scope that is none", () => {
  expect(allows(["operator"], "wirte" as Scope)).toBe(false);
});

it("checkTools() refuses two tools of one name", () => {
  expect(() => checkTools([sound, sound], others)).toThrow(
    "Two tools have the name guest-book: choose another for one.",
  );
});

it("checkTools() refuses two projections of one name", () => {
  const projections = { guests: here };
  const other = { ...sound, name: "other", contract: {}, collections: [], jobs: {}, projections };
  expect(() => checkTools([{ ...sound, projections }, other], others)).toThrow(
    /projection guests of the tool other .* choose another/,
  );
});

it("checkTools() accepts a tool of a class with members of its own", () => {
  expect(() => check({ names: [], log() {} })).not.toThrow();
});

it("checkHandlers() names a tool whose create() is async", () => {
  expect(() => checkHandlers(sound, Promise.resolve({ sign() {}, count() {} }))).toThrow(
    /guest-book is async/,
  );
});

it("checkHandlers() names an endpoint without a handler", () => {
  expect(() => checkHandlers(sound, { sign() {} })).toThrow(/no handler for its endpoint count/);
});
