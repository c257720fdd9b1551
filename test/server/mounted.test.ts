import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import express, { type RequestHandler } from "express";
import { expect, it, onTestFinished, vi } from "vitest";
import { type ControlPlane, createServer, type ServerOptions } from "../../src/index.ts";
import { openStore } from "../../src/store/open.ts";
import { systemClock } from "../../src/system/clock.ts";
import { requestsTo } from "../../src/testing/request.ts";
import { temporaryDirectory } from "../support/store.ts";
import { quietLog } from "./support/quiet-log.ts";

const KEY = "owner-key-of-a-test-server-0123456789abcdef";

/** An Express application with a page of its own at any path, and the control plane mounted before it. */
async function mount(more: ServerOptions = {}, before: RequestHandler[] = []) {
  const app = express();
  const http = createHttpServer(app).listen(0, "127.0.0.1");
  await once(http, "listening");
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const controlPlane: ControlPlane = await createServer({
    store: temporaryDirectory(),
    baseUrl: url,
    owner: { email: "owner@localhost", apiKey: KEY },
    log: "silent",
    ...more,
  });
  for (const handler of before) app.use(handler);
  app.use(controlPlane.handler);
  app.use((_req, res) => void res.type("text").send("the application's own"));
  onTestFinished(async () => {
    http.close();
    http.closeAllConnections();
    await controlPlane.close();
  });
  return { controlPlane, url, request: requestsTo(url, KEY) };
}

it.each(["/hello", "/assets/app.js", "/.well-known/security.txt", "/api/shop", "/v2", "/devices.json"])(
  "what is not the control plane's is the application's, uncounted and without its headers: %s",
  async (path) => {
    const { request } = await mount();
    // More than a stranger may send in a minute.
    for (let sent = 0; sent < 70; sent++) {
      const { status, text } = await request("GET", path, { key: null });
      expect([status, text]).toEqual([200, "the application's own"]);
    }
    const { headers } = await request("GET", path, { key: null });
    expect([...headers.keys()].filter((name) => /ratelimit|request-id/.test(name))).toEqual([]);
    const device = await request("GET", "/device", { key: null, headers: { Accept: "text/html" } });
    expect([device.status, device.headers.get("x-ratelimit-remaining")]).toEqual([303, "59"]);
  },
);

it("the application's own requests need neither our credentials nor our store", async () => {
  const { controlPlane, request } = await mount();
  const headers = { Authorization: "DPoP not-a-token-of-ours", DPoP: "no proof" };
  expect((await request("GET", "/hello", { key: null, headers })).status).toBe(200);
  await controlPlane.close();
  expect((await request("GET", "/hello")).text).toBe("the application's own");
});

it.each(["/api/v1/nothing", "/auth/nothing"])(
  "a mistyped path of the API is still answered by the control plane: %s",
  async (path) => {
    const { request } = await mount();
    const { status, headers } = await request("GET", path);
    expect([status, headers.get("content-type")]).toEqual([404, expect.stringMatching(/json/)]);
  },
);

it.each(["/sign-in", "/device/", "/connect/%zz"])(
  "the control plane's pages are its own in every spelling that Express takes: %s",
  async (path) => {
    const { request } = await mount();
    expect((await request("GET", path, { key: null })).headers.get("x-request-id")).toMatch(/^req_/);
  },
);

it("a cookie of the application is set beside the control plane's own", async () => {
  const { url } = await mount({}, [(_req, res, next) => next(void res.cookie("basket", "full"))]);
  const { headers } = await fetch(`${url}/sign-in`);
  expect(headers.getSetCookie().map((cookie) => cookie.replace(/[_=].*/, ""))).toEqual([
    "basket",
    "toolplane",
  ]);
});

it("says what is wrong where a body was read before the control plane got the request", async () => {
  const errors: unknown[] = [];
  const log = quietLog({ error: (details: object) => void errors.push((details as { err?: unknown }).err) });
  const { request } = await mount({ log }, [express.json()]);
  const { status, body } = await request("POST", "/api/v1/track", { body: { type: "api_calls" } });
  expect([status, body.error]).toEqual([500, "internal_error"]);
  expect(String(errors[0])).toMatch(/mount the control plane before whatever reads bodies/i);
});

it.each([
  ["a store that is open already", {}, /^store takes a directory, a postgres:\/\/ URL or a function/],
  ["a function that returns nothing", () => undefined, /returns no store/],
  [
    "what lacks a method",
    () => ({ transact() {}, admit() {}, close() {} }),
    /lacks isOpen\(\), ping\(\), probe\(\)/,
  ],
  ["a function that fails", () => Promise.reject(new Error("no disk")), /^no disk$/],
])("createServer() refuses as its store %s", async (_, store, message) => {
  await expect(createServer({ store: store as never })).rejects.toThrow(message);
});

it("createServer() takes a function that is not async", async () => {
  const { clock, log } = { clock: systemClock, log: quietLog({}) };
  const opened = await openStore(temporaryDirectory(), { clock, log, collections: [] });
  const server = await createServer({ store: (() => opened) as never });
  onTestFinished(() => server.close());
  expect((await server.listen({ port: 0 })).url).toMatch(/^http:/);
});

it("a server that was closed prepares nothing more for requests", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { controlPlane } = await mount();
  expect(vi.getTimerCount()).toBeGreaterThan(0);
  await controlPlane.close();
  expect(vi.getTimerCount()).toBe(0);
});

const upstream = { name: "program", command: [process.execPath, "-e", "process.stdin.resume()"] };
const secretive = { name: "secretive", url: "http://127.0.0.1:1/mcp", headers: { key: "env:SET_NOWHERE" } };
const failing = {
  name: "failing",
  title: "Failing",
  contract: {},
  collections: [],
  create: () => {
    throw new Error("no such luck");
  },
};

it.each<[string, ServerOptions, RegExp]>([
  ["an upstream lacks a secret", { catalogue: { upstreams: [upstream, secretive] } as never }, /SET_NOWHERE/],
  [
    "a limit is for no endpoint",
    { catalogue: { upstreams: [upstream], endpoints: { no: { requests: 1, windowSeconds: 1 } } } as never },
    /no endpoint/,
  ],
  ["a tool fails", { tools: [failing as never] }, /no such luck/],
])("a server that does not start since %s leaves nothing running", async (_, options, why) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const programs = () => process.getActiveResourcesInfo().filter((kind) => kind === "ProcessWrap").length;
  const before = programs();
  const store = temporaryDirectory();
  const starting = createServer({ store, baseUrl: "http://127.0.0.1:1", log: "silent", ...options });
  await expect(starting).rejects.toThrow(why);
  expect([vi.getTimerCount(), programs()]).toEqual([0, before]);
});
