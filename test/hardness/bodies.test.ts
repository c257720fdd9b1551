import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Problem } from "../../src/contract/problem.ts";
import type { Exchange } from "../../src/server/pipeline/exchange.ts";
import { createBodies } from "../../src/server/pipeline/request-body.ts";
import { OWNER_KEY, startApp } from "../support/app.ts";
import { expectProblem, openConnection } from "./raw-connection.ts";

const MIB = 1024 * 1024;
const TRACK = "POST /api/v1/track HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";
const OWNER = `Authorization: Bearer ${OWNER_KEY}\r\n`;

describe("a body that is too long", () => {
  it.each([
    ["of an API request", `${TRACK}${OWNER}`, MIB + 1, "payload_too_large"],
    ["that nobody could hold", `${TRACK}${OWNER}`, Number.MAX_SAFE_INTEGER, "payload_too_large"],
  ])(
    "%s is refused by its Content-Length alone, and the connection is closed",
    async (_, head, length, error) => {
      const app = await startApp();
      const connection = await openConnection(app.url);
      connection.send(`${head}Content-Length: ${length}\r\n\r\n`);
      const answers = await connection.ended();
      expectProblem(answers[0], 413, error);
      expect(answers[0]?.headers.connection).toBe("close");
    },
  );

  it("with more than 4,000,000 values is refused with 413", async () => {
    const app = await startApp();
    const response = await fetch(`${app.url}/api/v1/tools/context/optimize`, {
      method: "POST",
      headers: { Authorization: `Bearer ${OWNER_KEY}`, "Content-Type": "application/json" },
      body: `{"content":[${"[],".repeat(2_500_000)}0]}`,
    });
    expect(response.status).toBe(413);
    expect((await response.json()) as Problem).toMatchObject({
      error: "payload_too_large",
      detail: "The body holds more than 4,000,000 values. Send it in parts.",
    });
  });

  it("of an unauthenticated OAuth request is refused as an OAuth error with rate limit headers", async () => {
    const app = await startApp();
    const connection = await openConnection(app.url);
    const head = "POST /auth/device/token HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";
    connection.send(`${head}Content-Length: ${64 * 1024 + 1}\r\n\r\n`);
    const [answer] = await connection.ended();
    expect(answer?.status).toBe(413);
    expect(JSON.parse(answer?.body ?? "")).toMatchObject({ error: "invalid_request" });
    expect(answer?.headers["x-ratelimit-limit"]).toMatch(/^\d+$/);
  });

  it("without a Content-Length is refused with 413 once it exceeds the limit", async () => {
    const app = await startApp();
    const connection = await openConnection(app.url);
    connection.send(`${TRACK}${OWNER}Transfer-Encoding: chunked\r\n\r\n`);
    const chunk = `10000\r\n${"a".repeat(0x10000)}\r\n`;
    for (let count = 0; count < 17; count++) connection.send(chunk);
    expectProblem((await connection.ended())[0], 413, "payload_too_large");
  });

  it("is refused without 100 Continue for a client that expects it (RFC 9110 §10.1.1)", async () => {
    const app = await startApp();
    const connection = await openConnection(app.url);
    connection.send(`${TRACK}${OWNER}Expect: 100-continue\r\nContent-Length: ${2 * MIB}\r\n\r\n`);
    expectProblem((await connection.ended())[0], 413, "payload_too_large");
    expect(connection.received()).not.toContain("100 Continue");
  });

  it("gets its 413 through to a client that sends everything before it reads", async () => {
    const app = await startApp();
    const body = Buffer.alloc(8 * MIB, "a");
    const answers = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const connection = await openConnection(app.url);
        const failed: string[] = [];
        connection.socket.on("error", ({ message }) => failed.push(message));
        connection.send(`${TRACK}${OWNER}Content-Length: ${body.length}\r\n\r\n`);
        connection.send(body);
        return { answer: (await connection.ended())[0], failed };
      }),
    );
    for (const { answer, failed } of answers) {
      expectProblem(answer, 413, "payload_too_large");
      expect(failed).toEqual([]);
    }
  });
});

describe("a request with Expect: 100-continue", () => {
  it("gets 100 Continue if the body is wanted", async () => {
    const app = await startApp();
    const connection = await openConnection(app.url);
    connection.send(`${TRACK}${OWNER}Expect: 100-continue\r\nContent-Length: 20\r\n\r\n`);
    await expect.poll(() => connection.received()).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    connection.send('{"type":"api_calls"}');
    expect((await connection.answers(1))[0]?.status).toBe(200);
  });

  it("gets 100 Continue from pages too", async () => {
    const app = await startApp();
    const connection = await openConnection(app.url);
    const form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n";
    connection.send(`POST /sign-in HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n${form}\r\n`);
    await expect.poll(() => connection.received()).toContain("100 Continue");
    connection.send("a=b");
    expect((await connection.answers(1))[0]?.status).toBe(403);
  });

  it.each(["", "Content-Encoding: gzip\r\n"])(
    "gets 100 Continue for an error report (%j)",
    async (encoding) => {
      const app = await startApp();
      const { body } = await app.request("GET", "/api/v1/tools/observability/config");
      const { pathname, username } = new URL(body.errorTracking.dsn);
      const connection = await openConnection(app.url);
      const head = `POST /api${pathname}/store/?sentry_key=${username} HTTP/1.1\r\nHost: a\r\n${encoding}`;
      connection.send(`${head}Expect: 100-continue\r\nContent-Length: 20\r\n\r\n`);
      await expect.poll(() => connection.received()).toContain("100 Continue");
    },
  );

  it("gets no 100 Continue if it has no credential, scope or route", async () => {
    const app = await startApp();
    const read = await app.key(["read"]);
    for (const [head, status] of [
      [TRACK, 401],
      [`${TRACK}Authorization: Bearer ${read}\r\n`, 403],
      [`POST /api/v1/nothing HTTP/1.1\r\nHost: a\r\n${OWNER}`, 404],
      [`PUT /api/v1/track HTTP/1.1\r\nHost: a\r\n${OWNER}`, 405],
    ] as const) {
      const connection = await openConnection(app.url);
      connection.send(`${head}Expect: 100-continue\r\nContent-Length: 20\r\n\r\n`);
      const [answer] = await connection.answers(1);
      expect([status, answer?.status, connection.received().includes("100 Continue")]).toEqual([
        status,
        status,
        false,
      ]);
    }
  });
});

describe("an unread body of a refused request", () => {
  it("keeps the connection open if it is short", async () => {
    const app = await startApp();
    const connection = await openConnection(app.url);
    const refused = `${TRACK}Content-Length: 20\r\n\r\n{"type":"api_calls"}`;
    connection.send(refused.repeat(3));
    const answers = await connection.answers(3);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(answers[2]?.headers.connection).not.toBe("close");
  });

  it("closes the connection if it is long or of unknown length", async () => {
    const app = await startApp();
    for (const length of [`Content-Length: ${64 * 1024 + 1}`, "Transfer-Encoding: chunked"]) {
      const connection = await openConnection(app.url);
      connection.send(`${TRACK}${length}\r\n\r\n`);
      expectProblem((await connection.ended())[0], 401, "invalid_token");
    }
  });
});

describe("a body that is cut off", () => {
  it("changes nothing, and is logged as status 499", async () => {
    const answered: number[] = [];
    const app = await startApp({ onAnswered: (_, status) => answered.push(status) });
    const connection = await openConnection(app.url);
    connection.send(`${TRACK}${OWNER}Content-Length: 20\r\n\r\n{"type":"api_calls"`);
    await new Promise((wake) => setTimeout(wake, 50));
    connection.socket.resetAndDestroy();
    await expect.poll(() => answered).toEqual([499]);
    expect((await app.request("GET", "/api/v1/usage")).body.totals.api_calls).toBe(0);
  });
});

describe("many bodies at once", () => {
  it("share one memory budget, get 503 beyond it, and release it when they end", async () => {
    const bodies = createBodies(100_000);
    const server = createServer((req, res) => {
      const exchange = { req, res } as Exchange;
      bodies
        .read(exchange, 80_000)
        .then(
          (body) => res.end(String(body.length)),
          ({ status }: Problem) => res.writeHead(status, { Connection: "close" }).end(),
        )
        .finally(() => bodies.release(exchange));
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close().closeAllConnections());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (let round = 0; round < 3; round++) {
      const slow = await openConnection(url);
      slow.send(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 70000\r\n\r\n${"a".repeat(60_000)}`);
      await new Promise((wake) => setTimeout(wake, 50));
      const late = await openConnection(url);
      late.send(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 70000\r\n\r\n${"a".repeat(60_000)}`);
      expect((await late.ended())[0]?.status).toBe(503);
      if (round === 1) slow.socket.resetAndDestroy();
      else {
        slow.send("a".repeat(10_000));
        expect((await slow.answers(1))[0]).toMatchObject({ status: 200, body: "70000" });
      }
    }
  });

  it("with nothing but faults get a short answer", async () => {
    const app = await startApp();
    const body = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`m${index}`, 1]));
    const many = await app.request("POST", "/api/v1/track", { body });
    expect([many.status, many.body.errors.length]).toEqual([400, 100]);
    expect(many.body.detail).toContain("(and 50000 more)");
    const long = await app.request("POST", "/api/v1/track", { body: { ["m".repeat(900_000)]: 1 } });
    expect([long.status, long.text.length < 2_000]).toEqual([400, true]);
  });
});
