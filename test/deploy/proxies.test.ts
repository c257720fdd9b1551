import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { OWNER_KEY, startApp } from "../support/app.ts";
import { freePort } from "../support/free-port.ts";
import { isMissing } from "../support/programs.ts";
import { temporaryDirectory } from "../support/store.ts";
import { ask, connected, PROXIES } from "./proxies.ts";

const SITE = "https://control.example.com";
const MIB = 1024 * 1024;
const PAIR = "/api/v1/tools/pair/session";
const BEARER = { authorization: `Bearer ${OWNER_KEY}` };
const AS_JSON = { ...BEARER, "content-type": "application/json" };

describe.each(Object.entries(PROXIES))(
  "%s as a proxy, configured by deploy/",
  (_, { needs, start, ...more }) => {
    const skipped = isMissing(...needs);

    async function startBehind() {
      const answered: { endpoint: string; address: string; port: number | undefined; status: number }[] = [];
      const port = await freePort();
      await startApp({
        baseUrl: SITE,
        trustProxy: "1",
        port,
        onAnswered: ({ endpoint, address, req }, status) =>
          void answered.push({ endpoint, address, port: req.socket.remotePort, status }),
      });
      const ports = {
        folder: temporaryDirectory(),
        toolplane: [`127.0.0.1:${port}`],
        https: await freePort(),
        http: await freePort(),
      };
      const proxy = start(ports);
      const session = await connected(`https://localhost:${ports.https}`, proxy.said);
      return { session, answered, http: ports.http };
    }

    it.skipIf(skipped)("sends Strict-Transport-Security once, with pages as with the API", async () => {
      const { session } = await startBehind();
      for (const path of ["/sign-in", "/health"]) {
        const { names } = await ask(session, "GET", path);
        expect(
          names.filter((name) => name === "strict-transport-security"),
          path,
        ).toHaveLength(1);
      }
    });

    it.skipIf(skipped)("passes on a name with a slash in a path", async () => {
      const { session } = await startBehind();
      const { status, text } = await ask(session, "GET", "/api/v1/device-authorizations/a%2Fb", BEARER);
      expect([status, JSON.parse(text).detail]).toEqual([404, expect.stringContaining("code")]);
    });

    it.skipIf(skipped)("passes on as many headers as the server takes, and its refusal of more", async () => {
      const { session } = await startBehind();
      const withCookie = (length: number) =>
        ask(session, "GET", "/health", { cookie: `other=${"x".repeat(length)}` });
      expect((await withCookie(15_000)).status).toBe(200);
      const refused = await withCookie(20_000);
      expect([refused.status, refused.text]).toEqual([431, expect.stringContaining("headers_too_large")]);
    });

    it.skipIf(skipped)(
      "speaks HTTP/2, passes on the client's address, and reuses connections to the server",
      async () => {
        const { session, answered, http } = await startBehind();
        expect(session.alpnProtocol).toBe("h2");
        for (let index = 0; index < 10; index++) {
          const { status } = await ask(session, "GET", "/api/v1/account", {
            ...BEARER,
            "x-forwarded-for": "6.6.6.6",
          });
          expect(status).toBe(200);
        }
        const mine = answered.filter(({ endpoint }) => endpoint !== "service.health");
        expect(new Set(mine.map(({ address }) => address))).toEqual(new Set(["127.0.0.1"]));
        expect(new Set(mine.map(({ port }) => port)).size).toBe(1);
        // Paths that only this machine may request cannot be reached through a proxy on it.
        expect((await ask(session, "GET", "/metrics")).status).toBe(404);
        const plain = await fetch(`http://localhost:${http}/device`, { redirect: "manual" });
        expect([301, 308]).toContain(plain.status);
        expect(plain.headers.get("location")).toMatch(/^https:\/\/localhost[:/]/);
      },
    );

    it.skipIf(skipped)("passes on an import of 60 MiB, and a larger one is refused", async () => {
      const { session } = await startBehind();
      const path = "/api/v1/tools/knowledge-graph/import";
      const body = (length: number) => {
        const [head, tail] = ['{"entities":[{"id":"a","type":"node","name":"a"}],', '"relationships":[]}'];
        return Buffer.from(head + " ".repeat(length - head.length - tail.length) + tail);
      };
      const taken = await ask(session, "POST", path, AS_JSON, body(60 * MIB));
      expect(taken.status, taken.text).toBe(200);
      const refused = await ask(session, "POST", path, AS_JSON, body(64 * MIB + 1));
      expect(refused.status).toBe(413);
      if ("refuses" in more) return;
      expect(JSON.parse(refused.text)).toMatchObject({ error: "payload_too_large" });
    });

    it.skipIf(skipped)(
      "passes on events at once, and ends the server's stream when the client leaves",
      async () => {
        const { session, answered } = await startBehind();
        const body = {
          participants: [{ id: "ada", role: "driver" }],
          files: [{ path: "a.ts", content: "" }],
        };
        const begun = await ask(session, "POST", PAIR, AS_JSON, Buffer.from(JSON.stringify(body)));
        expect(begun.status, begun.text).toBe(201);
        const id = JSON.parse(begun.text).session.id;
        const stream = session.request({ ":path": `${PAIR}/${id}/events`, ...BEARER });
        let text = "";
        stream.setEncoding("utf8").on("data", (piece: string) => {
          text += piece;
        });
        await expect.poll(() => text).toContain("event: session");
        const change = {
          author: "ada",
          path: "a.ts",
          baseRevision: 0,
          edits: [{ from: 0, to: 0, insert: "live" }],
        };
        const changed = await ask(
          session,
          "POST",
          `${PAIR}/${id}/change`,
          AS_JSON,
          Buffer.from(JSON.stringify(change)),
        );
        expect(changed.status, changed.text).toBe(201);
        await expect.poll(() => text).toContain("event: change");
        expect(answered.some(({ endpoint }) => endpoint === "pair.events")).toBe(false);
        stream.close();
        await expect.poll(() => answered.some(({ endpoint }) => endpoint === "pair.events")).toBe(true);
      },
    );
  },
);

/** Caddy up to 2.11 has closed a request's body by the time it tries again. */
const SENT = { method: "POST", body: Buffer.from("{}") };
const SENT_THROUGH = { nginx: SENT, HAProxy: SENT, Apache: SENT, Caddy: { method: "DELETE" } };

/** Starts a proxy in front of servers on these ports, and returns what sends it twenty requests at once. */
async function askedThrough(name: keyof typeof PROXIES, ports: readonly number[]) {
  const toolplane = ports.map((port) => `127.0.0.1:${port}`);
  const https = await freePort();
  const proxy = PROXIES[name].start({
    folder: temporaryDirectory(),
    toolplane,
    https,
    http: await freePort(),
  });
  const session = await connected(`https://localhost:${https}`, proxy.said);
  const { method, body } = { body: undefined, ...SENT_THROUGH[name] };
  return async () => {
    const asked = Array.from({ length: 20 }, () => ask(session, method, "/", {}, body));
    return new Set((await Promise.all(asked)).map(({ status }) => status));
  };
}

describe.each([
  { name: "Caddy", whom: "whoever sends no body" },
  { name: "HAProxy", whom: "everybody" },
] as const)("$name", ({ name, whom }) => {
  it.skipIf(isMissing(...PROXIES[name].needs))(
    `has an answer for ${whom} while the only server restarts`,
    async () => {
      const port = await freePort();
      const stop = await listening(port);
      const statuses = await askedThrough(name, [port]);
      await stop();
      const asked = statuses();
      await new Promise((resolve) => setTimeout(resolve, 500));
      await listening(port);
      expect(await asked).toEqual(new Set([200]));
    },
  );
});

describe.each([
  { name: "nginx", whom: "everybody" },
  { name: "HAProxy", whom: "everybody" },
  { name: "Apache", whom: "everybody" },
  { name: "Caddy", whom: "whoever sends no body" },
] as const)("$name", ({ name, whom }) => {
  it.skipIf(isMissing(...PROXIES[name].needs))(
    `has an answer for ${whom} while two servers restart one after the other`,
    async () => {
      const [first, second] = [await freePort(), await freePort()];
      const stopFirst = await listening(first);
      const stopSecond = await listening(second);
      const statuses = await askedThrough(name, [first, second]);
      await stopFirst();
      expect(await statuses()).toEqual(new Set([200]));
      await listening(first);
      await stopSecond();
      expect(await statuses()).toEqual(new Set([200]));
    },
  );
});

/** Starts a server that answers everything with 200, and returns what stops it. */
async function listening(port: number): Promise<() => Promise<void>> {
  const server = createServer((req, res) => void req.resume().on("end", () => res.end()));
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  let isStopped = false;
  const stop = async () => {
    if (isStopped) return;
    isStopped = true;
    const closed = new Promise((done) => server.close(done));
    server.closeAllConnections();
    await closed;
  };
  onTestFinished(stop);
  return stop;
}
