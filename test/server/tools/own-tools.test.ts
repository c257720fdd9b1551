import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { computedEndpoint, Reply, type ServerEvent } from "../../../src/contract/endpoint.ts";
import { Problem } from "../../../src/contract/problem.ts";
import { createTools } from "../../../src/server/tools/create-tools.ts";
import { createTestServer, type TestServer } from "../../../src/testing/test-server.ts";
import { type AnyTool, defineTool } from "../../../src/tools/define-tool.ts";
import { fakeClock } from "../../support/clock.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { contract, greetings, PATH } from "./greetings.ts";

let server: TestServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function greeting(create: () => unknown) {
  server = await createTestServer({ tools: [greetings(create)] });
  return server.request("GET", PATH);
}

describe("handlers", () => {
  it("may be methods of a class", async () => {
    class Greetings {
      readonly #greeting = "Hello";
      async greet() {
        return { greeting: this.#greeting };
      }
    }
    expect((await greeting(() => new Greetings())).body).toEqual({ greeting: "Hello" });
  });

  it("may use each other", async () => {
    const handlers = {
      say: () => "Hello",
      async greet(this: { say: () => string }) {
        return { greeting: this.say() };
      },
    };
    expect((await greeting(() => handlers)).body).toEqual({ greeting: "Hello" });
  });

  it("may answer without a promise, also where the answer is kept", async () => {
    const kept = { greet: { ...contract.greet, method: "POST", idempotent: true } };
    const tool = {
      ...greetings(() => ({ greet: () => ({ greeting: "Hello" }) })),
      contract: kept,
    } as AnyTool;
    server = await createTestServer({ tools: [tool] });
    const { body } = await server.request("POST", PATH, { headers: { "Idempotency-Key": "a" } });
    expect(body).toEqual({ greeting: "Hello" });
  });
});

describe("a problem that cannot be sent", () => {
  const circle: Record<string, unknown> = {};
  circle.circle = circle;

  it.each([
    ["members that are no JSON", { members: { id: 12n } }, /BigInt/],
    ["members in a circle", { members: circle }, /circular/],
    ["a header in two lines", { headers: { "X-Told": "one\r\ntwo" } }, /Invalid character in header/],
  ])("for %s is an internal error, which names the reason in a test", async (_, extras, reason) => {
    const greet = async () => {
      throw new Problem("conflict", "Somebody greets already.", extras as never);
    };
    await expect(greeting(() => ({ greet }))).rejects.toThrow(reason);
  });
});

it("a problem says what is wrong, as every client may expect", () => {
  for (const detail of [undefined, { headers: {} }] as unknown as string[])
    expect(() => new Problem("conflict", detail)).toThrow('new Problem("conflict", "…", { … })');
});

it("a problem of an unknown code names the known ones", () => {
  expect(() => new Problem("teapot" as never, "short and stout")).toThrow(
    /"teapot" is no code of a Problem: .*\bconflict\b/,
  );
});

it("a job is run with a context of any type, or without options", async () => {
  const file = join(temporaryDirectory(), "job.mjs");
  const name = "greetings.greet";
  const schema = `z.object({ text: z.string() })`;
  await writeFile(
    file,
    `import * as z from ${JSON.stringify(import.meta.resolve("zod"))};
    const endpoint = { name: "${name}", input: ${schema}, output: ${schema} };
    export const job = { endpoint, bodies: {}, run: ({ text }, { context = text }) => ({ text: context }) };`,
  );
  const declared = {
    name,
    method: "POST",
    path: PATH,
    summary: "Greet",
    scope: "read",
    compute: "short",
  } as const;
  const text = z.object({ text: z.string() });
  const contract = { greet: computedEndpoint({ ...declared, input: text, output: text }) };
  const jobs = { greet: pathToFileURL(file) };
  const withContext = defineTool({
    name: "greetings",
    contract,
    jobs,
    create: () => ({ greet: (work) => work.run({ context: "Hi" }) }),
  });
  const without = { ...withContext, create: () => ({ greet: (work: { run(): unknown }) => work.run() }) };
  for (const [tool, answer] of [
    [withContext, { text: "Hi" }],
    [without, { text: "Hello" }],
  ] as const) {
    server = await createTestServer({ tools: [tool] });
    const answered = await server.request("POST", PATH, { body: { text: "Hello" } });
    expect(answered.body).toEqual(answer);
    await server.close();
  }
  server = undefined;
});

describe("createTestServer() rejects", () => {
  const answering = (change: object, reply: () => unknown) => {
    const changed = { greet: { ...contract.greet, ...change } };
    return {
      name: "greetings",
      contract: changed,
      create: () => ({ greet: async () => reply() }),
    } as AnyTool;
  };
  const events = (event: object) => () =>
    Reply.events(async function* () {
      yield event as ServerEvent;
    });
  const greeted = { id: "1", event: "greeted", data: { greeting: "Hello" } };

  it.each([
    [
      "an undeclared status",
      {},
      () => new Reply({ greeting: "Hi" }, { status: 302 }),
      /with 302; .* name 200\.$/,
    ],
    [
      "a text of an undeclared type",
      {},
      () => Reply.raw("Hi", { "Content-Type": "text/plain" }),
      /text\/plain, which/,
    ],
    [
      "no ETag where one is declared",
      { etag: true },
      () => ({ greeting: "Hi" }),
      /declares an `etag`: give one/,
    ],
    ["events that are not declared", {}, events(greeted), /with events: declare it with `eventStream: true`/],
    [
      "a generator of events in place of its function",
      { eventStream: true },
      () => Reply.events((events(greeted)().extras.events as (signal?: AbortSignal) => never)()),
      /no function of a signal: Reply\.events\(async function\*/,
    ],
    [
      "an answer in place of events",
      { eventStream: true },
      () => ({ greeting: "Hi" }),
      /answered without events/,
    ],
    [
      "an event of another form",
      { eventStream: true },
      events({ ...greeted, data: {} }),
      /against its schema/,
    ],
    [
      "an event without an id",
      { eventStream: true },
      events({ data: greeted.data }),
      /has an `id` and an `event`/,
    ],
    [
      "an event that begins another",
      { eventStream: true },
      events({ ...greeted, id: "1\ndata: {}" }),
      /without line breaks/,
    ],
  ])("%s", async (_, change, reply, message) => {
    server = await createTestServer({ tools: [answering(change, reply)] });
    await expect(server.request("GET", PATH)).rejects.toThrow(message);
  });

  it("no declared status, type or event", async () => {
    const plain = { otherwise: { 201: "It is new" }, formats: { "text/plain": "`Accept: text/plain`" } };
    for (const [change, reply, status] of [
      [plain, () => new Reply({ greeting: "Hi" }, { status: 201 }), 201],
      [plain, () => Reply.raw("Hi", { "Content-Type": "text/plain; charset=utf-8" }), 200],
      [{ eventStream: true }, events(greeted), 200],
      [{ etag: true }, () => new Reply({ greeting: "Hi" }, { headers: { ETag: '"1"' } }), 200],
    ] as const) {
      server = await createTestServer({ tools: [answering(change, reply)] });
      expect((await server.request("GET", PATH)).status).toBe(status);
      await server.close();
    }
  });
});

describe("create()", () => {
  const clock = fakeClock();
  const made = (create: () => unknown) => createTools([greetings(create)], { clock, store: {} } as never);

  it.each([
    ["an error", () => JSON.parse("{"), /^`create` of the tool greetings failed: .*JSON/],
    ["an error after a while", async () => JSON.parse("{"), /^`create` of the tool greetings failed: .*JSON/],
    ["a text", () => Promise.reject("no key"), /^`create` of the tool greetings failed: no key$/],
  ])("is named where it throws %s", async (_, create, message) => {
    await expect(made(create)).rejects.toThrow(message);
  });

  it("is named where it never ends", async () => {
    const making = made(() => new Promise(() => {}));
    clock.advance(60_000);
    await expect(making).rejects.toThrow(/tool greetings failed: it awaits something that does not come/);
  });
});
