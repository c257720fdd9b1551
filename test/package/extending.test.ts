import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { requestsTo, type TestRequest } from "../../src/testing/request.ts";
import { overHttp } from "../mcp/support/sessions.ts";
import { OWNER_KEY } from "../support/app.ts";
import { createDatabase } from "../support/services/shared-postgres.ts";
import { compile } from "./compile.ts";
import { follow } from "./followed.ts";
import { installedPackage } from "./installed.ts";

const SERVE = "npx toolplane serve --tools ./glossary.js";
const TERMS = "/api/v1/tools/glossary/terms";
const HERON = { term: "Heron", meaning: "The service that sends mail" };

describe("docs/extending.md", () => {
  it("has a test that passes", async () => {
    const { type } = await follow("extending.md");
    expect(await type("node --test glossary.test.js")).toMatch(/^# pass 1$/m);
  });

  it.each([
    ["a directory", async (folder: string) => ["--data", join(folder, "data")]],
    ["PostgreSQL", async () => ["--database", await createDatabase()]],
  ])("has a tool that works on %s and keeps its data", async (_, store) => {
    const { serve, folder } = await follow("extending.md");
    const words = await store(folder);
    const first = await serve(SERVE, words);
    await useGlossary(first.url);
    await first.stop();
    const again = await serve(SERVE, words);
    expect((await requestsTo(again.url, OWNER_KEY)("GET", TERMS)).body.items).toContainEqual(HERON);
  });

  it("has a tool that obeys the bounds and limits of plans", async () => {
    const { serve, folder } = await follow("extending.md");
    const { directory } = await installedPackage();
    const plans = JSON.parse(readFileSync(join(directory, "dist/catalogue.json"), "utf8"));
    plans.tiers[0].bounds.documents = 40;
    plans.tiers[0].limits = { requestsPerMinute: 500, requestsPerHour: 500, requestsPerDay: 500 };
    // Copied from the page.
    plans.endpoints = {
      ...plans.endpoints,
      ...JSON.parse('{ "glossary.explain": { "requests": 30, "windowSeconds": 60 } }'),
    };
    const file = join(folder, "plans.json");
    writeFileSync(file, JSON.stringify(plans));
    const { url } = await serve(SERVE, ["--data", join(folder, "data"), "--plans", file, "--plan", "free"]);
    const request = requestsTo(url, OWNER_KEY);
    const statuses = new Set<number>();
    for (let index = 0; index < 40; index++) {
      const { status, body } = await request("POST", TERMS, { body: { ...HERON, term: `t${index}` } });
      statuses.add(status);
      if (status === 507) expect(body).toMatchObject({ error: "quota_exceeded", bound: "documents" });
    }
    expect([...statuses]).toEqual([201, 507]);
    const explain = () => request("POST", "/api/v1/tools/glossary/explain", { body: { text: "t1" } });
    let answered = await explain();
    // A new minute may begin meanwhile, which allows another 30.
    for (let asked = 1; answered.status === 200 && asked < 70; asked++) answered = await explain();
    expect(answered.body).toMatchObject({ error: "rate_limited", window: "glossary.explain" });
  });

  it.each(["nodenext", "bundler"])("has types that compile with module resolution %s", async (resolution) => {
    const { folder } = await follow("extending.md");
    renameSync(join(folder, "contract.js"), join(folder, "contract.ts"));
    expect(await compile(folder, ["typed.ts"], resolution)).toBe("");
  });

  it("has a program that serves the tool", async () => {
    const { start } = await follow("extending.md");
    const { url, stop } = await start("server.js");
    expect((await fetch(url + TERMS)).status).toBe(401);
    const refused = await start("server.js").catch(({ message }) => message);
    expect(refused).toMatch(/^node server\.js ended: \S+data is in use by process \d+ on [^\n]*\n$/);
    await stop();
  });
});

/** Uses the tool and asserts what the page says about it. */
async function useGlossary(url: string): Promise<void> {
  const request = requestsTo(url, OWNER_KEY);
  const key = { "Idempotency-Key": "a-key-of-a-test" };
  const added = await request("POST", TERMS, { body: HERON, headers: key });
  expect([added.status, added.body]).toEqual([201, HERON]);
  const repeated = await request("POST", TERMS, { body: HERON, headers: key });
  expect([repeated.status, repeated.body]).toEqual([201, HERON]);
  const taken = await request("POST", TERMS, { body: HERON });
  expect(taken.body).toMatchObject({ error: "conflict", detail: expect.stringContaining("Remove it first") });
  const unknown = await request("POST", TERMS, { body: { ...HERON, colour: "blue" } });
  expect(unknown.body.errors).toEqual([{ path: "colour", message: "is not a known member" }]);

  await request("POST", TERMS, { body: { ...HERON, term: "Ibis" } });
  const page = await request("GET", `${TERMS}?limit=1`);
  expect(page.body).toEqual({ items: [HERON], nextCursor: "Heron" });
  const next = await request("GET", `${TERMS}?limit=1&cursor=Heron`);
  expect(next.body).toEqual({ items: [{ ...HERON, term: "Ibis" }] });
  expect((await request("DELETE", `${TERMS}/Ibis`)).status).toBe(200);
  expect((await request("DELETE", `${TERMS}/Ibis`)).body.error).toBe("not_found");

  const text = "Restart heron, not the ibis.";
  const explained = await request("POST", "/api/v1/tools/glossary/explain", { body: { text } });
  expect(explained.body).toEqual({ terms: [HERON] });
  await keepsProjectsApart(request);
  await isDescribed(request);
  await isFoundByAgents(url);
}

async function keepsProjectsApart(request: TestRequest): Promise<void> {
  const headers = { "X-Project-Id": "shop" };
  expect((await request("GET", TERMS, { headers })).body).toEqual({ items: [] });
  expect((await request("POST", TERMS, { body: HERON, headers })).status).toBe(201);
  const projects = await request("GET", "/api/v1/projects");
  expect(projects.body.items.map(({ id }: { id: string }) => id)).toContain("shop");
  const emptied = await request("DELETE", "/api/v1/projects/shop/data?tool=glossary");
  expect(emptied.status).toBe(200);
  expect((await request("GET", TERMS, { headers })).body).toEqual({ items: [] });
}

async function isDescribed(request: TestRequest): Promise<void> {
  const { paths } = (await request("GET", "/openapi.json")).body;
  expect(Object.keys(paths[TERMS])).toEqual(["post", "get"]);
  const { responses } = paths[TERMS].post;
  expect(Object.keys(responses)).toEqual(expect.arrayContaining(["201", "409", "507"]));
  expect(paths["/api/v1/tools/glossary/explain"].post.summary).toBe("Explain the terms that a text uses");
}

async function isFoundByAgents(url: string): Promise<void> {
  const session = await overHttp({ url });
  expect(await session.names()).toEqual(
    expect.arrayContaining(["glossary_add", "glossary_list", "glossary_remove", "glossary_explain"]),
  );
  const called = await session.call("glossary_explain", { text: "heron?" });
  expect(called.structuredContent).toEqual({ terms: [HERON] });
}

describe("docs/extending/plans.md", () => {
  it("has a plan and a gate that produce the documented output", async () => {
    const { type, outputs } = await follow("extending/plans.md");
    expect(await type("node try.js")).toBe(outputs[0]);
  });

  it("has a plans file that a server starts with", async () => {
    const { type, serve, folder } = await follow("extending/plans.md");
    await type("cp node_modules/toolplane/dist/catalogue.json plans.json");
    const { url } = await serve("npx toolplane serve --plans plans.json", ["--data", join(folder, "data")]);
    expect((await fetch(`${url}/health`)).status).toBe(200);
  });
});

describe("docs/extending/projections.md", () => {
  it("has a tool that finds what was written a moment before", async () => {
    const { type } = await follow("extending/projections.md");
    expect(await type("node --test notes.test.js")).toMatch(/^# pass 1$/m);
  });
});

describe("docs/extending/stores.md", () => {
  it("has a store that passes the conformance suite", async () => {
    const { type } = await follow("extending/stores.md");
    expect(await type("npx vitest run")).toMatch(/Tests .*\b[5-9]\d passed/);
  });

  it("has a server on the store", async () => {
    const { start } = await follow("extending/stores.md");
    const { url, stop } = await start("server.js");
    const request = requestsTo(url, OWNER_KEY);
    const metered = await request("POST", "/api/v1/track", { body: { type: "api_calls", count: 3 } });
    expect(metered.status).toBe(401);
    expect((await request("GET", "/ready")).status).toBe(200);
    await stop();
  });
});

describe("docs/extending/mounting.md", () => {
  it.each([
    ["express.js", "Hello from Express"],
    ["fastify.js", "Hello from Fastify"],
    ["http.js", "Hello from node:http"],
  ])("has a server with Toolplane mounted: %s", async (file, hello) => {
    const { start } = await follow("extending/mounting.md");
    const { url, stop } = await start(file);
    expect(await (await fetch(`${url}/hello`)).text()).toBe(hello);
    const metadata = await fetch(`${url}/.well-known/oauth-authorization-server`);
    expect(await metadata.json()).toMatchObject({ issuer: url });
    const begun = await fetch(`${url}/auth/device/code`, {
      method: "POST",
      body: new URLSearchParams({ client_id: "tool-cli", scope: "read" }),
    });
    expect(await begun.json()).toMatchObject({ verification_uri: `${url}/device` });
    const refused = await fetch(`${url}/api/v1/account`);
    expect([refused.status, refused.headers.get("content-type")]).toEqual([401, "application/problem+json"]);
    const device = await fetch(`${url}/device`, { headers: { Accept: "text/html" } });
    expect([device.status, await device.text()]).toEqual([200, expect.stringContaining("<html")]);
    await stop();
  });
});
