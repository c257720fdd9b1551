import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect, createServer as createNetServer } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { createServer as createControlPlane } from "../../../src/index.ts";
import { listen } from "../../../src/server/starting/listening.ts";
import { OWNER_KEY, startApp } from "../../support/app.ts";
import { fakeClock } from "../../support/clock.ts";
import { freePort } from "../../support/free-port.ts";
import { temporaryDirectory } from "../../support/store.ts";

it("a server answers a request that arrives while it starts", async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/api/v1/account`;
  const headers = { Authorization: `Bearer ${OWNER_KEY}` };
  const starting = startApp({ port });
  // Retries as fast as possible, so that a request arrives between listening and readiness.
  let answer: Response | undefined;
  while (!answer) {
    answer = await fetch(url, { headers, signal: AbortSignal.timeout(10_000) }).catch((error) => {
      if (error.name === "TimeoutError") throw error;
      return undefined;
    });
  }
  expect(answer.status).toBe(200);
  await starting;
});

it("a server stops despite an open connection without a request", async () => {
  // The clock is stopped, so the grace period for requests in flight never ends.
  const app = await startApp({ clock: fakeClock() });
  const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
  await once(socket, "connect");
  const closed = once(socket, "close");
  // The server learns of a connection a moment after its client.
  expect((await app.request("GET", "/health")).status).toBe(200);
  await app.close();
  await closed;
});

/** A program behind the gateway that ends only when it is killed. */
const STUBBORN = `
process.on("SIGTERM", () => {});
setInterval(() => {}, 1000);
console.error("up");`;

it("a server stops within ten seconds, whoever keeps it waiting", async () => {
  const directory = temporaryDirectory();
  const program = join(directory, "stubborn.cjs");
  writeFileSync(program, STUBBORN);
  // It answers nothing that is sent to it.
  const silent = createNetServer(() => {}).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const clock = fakeClock();
  let up = () => {};
  const isUp = new Promise<void>((resolve) => {
    up = resolve;
  });
  const server = await createControlPlane({
    store: join(directory, "data"),
    clock,
    upstreams: [`stubborn=node ${program}`],
    telemetryEndpoint: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    log: { debug() {}, info: (details) => "line" in details && up(), warn() {}, error() {} },
  });
  const { url } = await server.listen({ port: 0 });
  const client = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => {});
  client.write("POST /api/v1/track HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{");
  expect((await fetch(`${url}/health`)).status).toBe(200);
  await isUp;

  let isClosed = false;
  const closed = server.close().then(() => {
    isClosed = true;
  });
  for (let ms = 0; ms < 10_000 && !isClosed; ms += 500) {
    clock.advance(500);
    // What ends a process, or closes a connection, takes a moment of real time.
    await setTimeout(100);
  }
  await vi.waitFor(() => expect(isClosed).toBe(true), 5000);
  await closed;
  client.destroy();
  silent.close();
}, 60_000);

it("a server listens once, and no more when it is closed", async () => {
  const server = await createControlPlane({ store: temporaryDirectory(), log: "silent" });
  const { url } = await server.listen({ port: 0 });
  await expect(server.listen({ port: 0 })).rejects.toThrow(/listens already/);
  await server.close();
  await expect(fetch(url)).rejects.toThrow();
  await expect(server.listen({ port: 0 })).rejects.toThrow(/was closed/);
});

it("a server whose port is taken listens on another", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const server = await createControlPlane({ store: temporaryDirectory(), log: "silent" });
  await expect(server.listen({ port })).rejects.toThrow(/is taken/);
  const { url } = await server.listen({ port: 0 });
  expect((await fetch(`${url}/health`)).status).toBe(200);
  await server.close();
  taken.close();
});

it("a server says what is wrong with an address that it cannot listen on", async () => {
  const server = await createControlPlane({ store: temporaryDirectory(), log: "silent" });
  // Reserved for documentation, so no machine's own.
  const elsewhere = server.listen({ host: "203.0.113.1", port: 0, allowRemote: true });
  await expect(elsewhere).rejects.toThrow(
    "203.0.113.1 is no address of this machine (EADDRNOTAVAIL). --host",
  );
  await server.close();

  const failing = (code: string) => {
    const http = createServer();
    http.listen = () => {
      http.emit("error", Object.assign(new Error(code), { code }));
      return http;
    };
    return listen(http, { host: "localhost", port: 80, allowRemote: false });
  };
  await expect(failing("EACCES")).rejects.toThrow("Port 80 is not for you");
  await expect(failing("ENOTFOUND")).rejects.toThrow("localhost is no address of this machine");
  await expect(failing("EOTHER")).rejects.toThrow(/^EOTHER$/);
});

it("a server that is mounted without a base URL says so to who mounted it, and answers nobody else", async () => {
  const server = await createControlPlane({ store: temporaryDirectory(), log: "silent" });
  let passedOn = 0;
  const said: string[] = [];
  const other = createServer((request, response) => {
    try {
      server.handler(request, response, () => passedOn++);
    } catch (error) {
      said.push((error as Error).message);
      response.writeHead(500).end();
    }
  }).listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  for (const path of ["/health", "/hello"])
    expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(500);
  expect(said[0]).toBe(
    "Say createServer({ baseUrl }): what does not listen by itself cannot know its address.",
  );
  expect(passedOn).toBe(0);
  other.close();
  await server.close();
});

it("a server listens on its usual address where parts of one are undefined, as variables that are not set", async () => {
  const server = await createControlPlane({ store: temporaryDirectory(), log: "silent" });
  const { url } = await server.listen({ host: undefined, port: 0, allowRemote: undefined });
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await server.close();
});

it.each<[string, unknown, RegExp]>([
  ["is a port alone", 4000, /listen\(\) takes an object of options: listen\(\{ port: 4242 \}\)/],
  [
    "has a port that is none",
    { port: 65_536 },
    /option port of listen\(\) must be a whole number from 0 to 65535/,
  ],
  ["has a port in words", { port: "http" }, /option port of listen\(\) must be a whole number/],
  ["has no text as its port", { port: "" }, /option port of listen\(\) must be a whole number/],
  ["has a host that is no text", { host: true }, /option host of listen\(\) must be a text/],
  ["has a switch in words", { allowRemote: "yes" }, /option allowRemote of listen\(\) must be true or false/],
])("a server refuses an address that %s", async (_, address, why) => {
  const server = await createControlPlane({ store: temporaryDirectory(), log: "silent" });
  await expect(server.listen(address as object)).rejects.toThrow(why);
  await server.close();
});

it("a server refuses options that are misspelt", async () => {
  const options = { store: temporaryDirectory(), catalog: "plans.json" };
  await expect(createControlPlane(options)).rejects.toThrow(
    /has no option "catalog"\. Did you mean catalogue/,
  );
});

it.each([
  ["is a text", "./data", /takes an object of options/],
  [
    "has a log of an unknown level",
    { log: "verbose" },
    /option log .* must be debug, info, warn, error, silent, or a logger of pino's form/,
  ],
  ["has a log that lacks methods", { log: { info() {} } }, /methods debug, info, warn and error/],
  ["has a clock that is none", { clock: Date }, /option clock .* must be a clock with the methods now/],
  ["has a switch in words", { clientRegistration: "no" }, /clientRegistration .* must be true or false/],
  ["has a number as its address", { baseUrl: 4242 }, /option baseUrl .* must be a text/],
  ["has a rule that is no text", { signUp: true }, /option signUp .* must be a text/],
  ["has an owner that is a text", { owner: "o@example.com" }, /option owner .* must be \{ email/],
  [
    "has an owner with a misspelt password",
    { owner: { email: "o@example.com", pasword: "x" } },
    /option owner .* must be \{ email, password, apiKey \}/,
  ],
  [
    "has an owner whose password is a number",
    { owner: { email: "o@example.com", password: 123456789012 } },
    /option owner .* each a text/,
  ],
  ["has a number as its catalogue", { catalogue: 5 }, /option catalogue .* must be a catalogue, or the path/],
  [
    "has an upstream that is an object",
    { upstreams: [{ name: "files" }] },
    /upstreams .* must be a list of texts/,
  ],
  [
    "has one provider, not a list",
    { providers: {} },
    /option providers .* must be a list of \{ name, issuer/,
  ],
  [
    "has a provider without a client",
    { providers: [{ name: "x", issuer: "https://idp.example" }] },
    /must be a list of \{ name, issuer, clientId, clientSecret \}/,
  ],
  [
    "has a provider of both kinds",
    {
      providers: [
        {
          name: "x",
          issuer: "https://idp.example",
          github: "https://github.com",
          clientId: "a",
          clientSecret: "b",
        },
      ],
    },
    /with github in place of issuer/,
  ],
])("a server refuses options where it %s", async (_, options, message) => {
  await expect(createControlPlane(options as never)).rejects.toThrow(message);
});

it("a server takes the console as its log", async () => {
  const server = await createControlPlane({ store: temporaryDirectory(), log: console });
  await server.close();
});

it("a server logs that its store was empty, at the first start alone", async () => {
  const store = temporaryDirectory();
  const told: unknown[] = [];
  const log = { debug() {}, info: (_: object, text?: string) => void told.push(text), warn() {}, error() {} };
  for (const times of [1, 1]) {
    const server = await createControlPlane({ store, log });
    await server.listen({ port: 0 });
    await server.close();
    expect(told.filter((text) => String(text).includes("the first start on it"))).toHaveLength(times);
  }
});
