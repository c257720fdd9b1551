import { expect, it } from "vitest";
import { z } from "zod";
import { computedEndpoint, endpoint } from "../../../src/contract/endpoint.ts";
import { checkHandlers, checkTools } from "../../../src/server/tools/check-tools.ts";
import { registryOf } from "../../../src/server/tools/registry.ts";
import { collection } from "../../../src/store/store.ts";
import type { AnyTool } from "../../../src/tools/define-tool.ts";

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
const here = new URL(import.meta.url);

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
};
const check = (change: object) => checkTools([{ ...sound, ...change } as AnyTool], others);

it("checkTools() accepts a sound tool, and registryOf() includes its endpoints", () => {
  expect(() => check({})).not.toThrow();
  expect(registryOf([sound]).endpoints.map(({ name }) => name)).toContain("guest-book.sign");
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
    "two of its routes are one",
    { contract: { sign, again: { ...sign, name: "again" }, count } },
    /method and path/,
  ],
  [
    "a collection's name is taken",
    { collections: [collection("users")] },
    /collection users .* one of the server/,
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
])("checkTools() refuses a tool if %s", (_, change, message) => {
  expect(() => check(change)).toThrow(message);
});

it("checkTools() refuses two tools of one name", () => {
  expect(() => checkTools([sound, sound], others)).toThrow(/tool guest-book .* choose another/);
});

it("checkHandlers() names an endpoint without a handler", () => {
  expect(() => checkHandlers(sound, { sign() {} })).toThrow(/no handler for its endpoint count/);
});
