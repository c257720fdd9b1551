import { describe, expect, it } from "vitest";
import { registryOf } from "../../src/server/tools/registry.ts";
import type { Store } from "../../src/store/store.ts";
import { systemClock } from "../../src/system/clock.ts";
import { quietLog } from "../server/support/quiet-log.ts";
import { OWNER_KEY, startApp, type TestApp } from "../support/app.ts";
import { openTestStore } from "../support/store.ts";
import { startOnStore } from "./app-on-store.ts";
import { expectProblem, openConnection, type RawConnection } from "./raw-connection.ts";

const OWNER = `Host: a\r\nAuthorization: Bearer ${OWNER_KEY}\r\n`;
const TRACK = `POST /api/v1/track HTTP/1.1\r\n${OWNER}Content-Type: application/json\r\n`;
const USE = '{"type":"api_calls"}';
const TRACK_USE = `${TRACK}Content-Length: ${USE.length}\r\n\r\n${USE}`;

/** Timeouts in milliseconds. Each test shortens the ones that it is about. */
const PATIENT = { headers: 60_000, request: 60_000, idle: 60_000, stalled: 60_000, linger: 100 };

/** Sends a byte every 20 ms until the server closes the connection. */
async function dribble(connection: RawConnection, bytes: string): Promise<void> {
  for (const byte of bytes) {
    if (connection.socket.destroyed || connection.socket.readableEnded) return;
    connection.send(byte);
    await sleep(20);
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((wake) => setTimeout(wake, ms));
}

/** Resolves once the server has closed the connection completely, although the client has not. */
async function released({ socket }: RawConnection): Promise<void> {
  socket.resume();
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const prod = setInterval(() => socket.write("x"), 20);
  await closed;
  clearInterval(prod);
}

/** Starts a session of pair programming. Returns its path, and how many event streams its account has open. */
async function pairing(app: TestApp) {
  const participants = [{ id: "a", role: "driver" }];
  const { body } = await app.request("POST", "/api/v1/tools/pair/session", { body: { participants } });
  return {
    path: `/api/v1/tools/pair/session/${body.session.id}`,
    streams: async () => (await app.request("GET", "/api/v1/usage/bounds")).body.bounds.streams.used,
  };
}

/** Opens an event stream, and sends three uses behind it on its connection, none of which is counted yet. */
async function usesBehindStream(app: TestApp) {
  const { path, streams } = await pairing(app);
  const connection = await openConnection(app.url);
  connection.send(`GET ${path}/events HTTP/1.1\r\n${OWNER}\r\n${TRACK_USE.repeat(3)}`);
  await expect.poll(streams).toBe(1);
  expect(await stillAnswers(app)).toBe(0);
  return { path, streams, connection };
}

/** Counts a use, and returns how many were counted before. */
async function stillAnswers(app: TestApp): Promise<number> {
  const { status, body } = await app.request("POST", "/api/v1/track", { body: { type: "api_calls" } });
  expect(status).toBe(200);
  return body.total.day - 1;
}

describe("a slow client", () => {
  it("is cut off with 408 while it sends headers", async () => {
    const app = await startApp({ timeouts: { ...PATIENT, headers: 200 } });
    const connection = await openConnection(app.url);
    void dribble(connection, `GET /health HTTP/1.1\r\n${"X-A: b\r\n".repeat(100)}`);
    expectProblem((await connection.ended())[0], 408, "request_timeout");
  });

  it.each([
    ["Content-Length: 1000", USE, " ".repeat(200)],
    ["Transfer-Encoding: chunked", `${USE.length.toString(16)}\r\n${USE}\r\n`, "1\r\n \r\n".repeat(200)],
  ])(
    "is cut off with 408 while it sends a body (%s), and nothing is counted",
    async (length, whole, rest) => {
      const app = await startApp({ timeouts: { ...PATIENT, headers: 200, request: 300 } });
      const connection = await openConnection(app.url);
      // What has arrived would be a valid body.
      connection.send(`${TRACK}${length}\r\n\r\n${whole}`);
      void dribble(connection, rest);
      const answers = await connection.ended();
      expect(answers).toHaveLength(1);
      expectProblem(answers[0], 408, "request_timeout");
      expect(await stillAnswers(app)).toBe(0);
    },
  );

  it("is cut off with 408 while it sends a form", async () => {
    const app = await startApp({ timeouts: { ...PATIENT, headers: 200, request: 300 } });
    const connection = await openConnection(app.url);
    const form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n";
    connection.send(`POST /sign-in HTTP/1.1\r\nHost: a\r\n${form}\r\n`);
    void dribble(connection, "email=".repeat(100));
    expectProblem((await connection.ended())[0], 408, "request_timeout");
  });

  it("is cut off with 408 if it sends nothing", async () => {
    const app = await startApp({ timeouts: { ...PATIENT, headers: 200 } });
    const connection = await openConnection(app.url);
    expectProblem((await connection.ended())[0], 408, "request_timeout");
  });

  it("loses its idle connection without an answer between two requests", async () => {
    const app = await startApp({ timeouts: { ...PATIENT, idle: 200 } });
    const connection = await openConnection(app.url);
    connection.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(await connection.ended()).toHaveLength(1);
    expect((await connection.answers(1))[0]?.status).toBe(200);
  });

  it("that does not read its answers is cut off, and unsent answers are dropped", async () => {
    const answered: string[] = [];
    const app = await startApp({
      timeouts: { ...PATIENT, stalled: 300 },
      onAnswered: ({ path }) => answered.push(path),
    });
    const connection = await openConnection(app.url);
    connection.socket.pause();
    // The answers exceed the buffers of both ends.
    connection.send(`GET /openapi.json HTTP/1.1\r\n${OWNER}\r\n`.repeat(60));
    await expect.poll(() => answered.length).toBeGreaterThan(0);
    await released(connection);
    await stillAnswers(app);
  });
});

describe("clients that leave answers unread", () => {
  it("are cut off before these fill the memory, and others read on", async () => {
    const app = await startApp({ plan: "team" });
    const { token } = await app.account("enterprise");
    const length = 1024 * 1024;
    const files = Array.from({ length: 4 }, (_, file) => ({ path: `f${file}`, content: "e".repeat(length) }));
    const sessions = "/api/v1/tools/pair/session";
    const started = await app.request("POST", sessions, {
      key: token,
      body: { participants: [{ id: "ada", role: "driver" }], files },
    });
    const session = `${sessions}/${started.body.session.id}`;
    const slow: RawConnection[] = [];
    // More than all unread answers may hold together, whatever the heap.
    for (let left = 300 * 1024 * 1024; left > 0; left -= 10 * 4 * length) {
      const connection = await openConnection(app.url);
      connection.socket.pause();
      connection.send(
        `GET ${session} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`.repeat(10),
      );
      slow.push(connection);
    }
    const patient = await openConnection(app.url);
    patient.socket.pause();
    patient.send(`GET /openapi.json HTTP/1.1\r\n${OWNER}Connection: close\r\n\r\n`);
    await Promise.any(slow.map(released));
    await stillAnswers(app);
    patient.socket.resume();
    expect((await patient.ended())[0]?.status).toBe(200);
  });
});

describe("a client that pipelines requests", () => {
  it("is cut off beyond a hundred, and no more than a hundred are begun", async () => {
    const begun: string[] = [];
    const app = await startApp({ onAnswered: ({ path }) => begun.push(path) });
    const connection = await openConnection(app.url);
    connection.socket.pause();
    // All of these are read before the store has answered the first ones.
    connection.send(`GET /api/v1/account HTTP/1.1\r\n${OWNER}\r\n`.repeat(1000));
    await released(connection);
    await stillAnswers(app);
    expect(begun.filter((path) => path === "/api/v1/account").length).toBeLessThanOrEqual(100);
  });

  it("has them begun in turn, each once the one before it is answered", async () => {
    const app = await startApp();
    const { path, connection } = await usesBehindStream(app);
    await app.request("POST", `${path}/end`, { body: {} });
    await expect.poll(() => connection.received().match(/"type":"api_calls"/g) ?? []).toHaveLength(3);
    expect(await stillAnswers(app)).toBe(4);
  });

  it("is answered to its last one, also if one fails, is refused or has a body", async () => {
    const app = await startApp();
    const connection = await openConnection(app.url);
    const long = JSON.stringify({ type: "api_calls", metadata: { text: "x".repeat(300_000) } });
    const tooLong = `${TRACK}Content-Length: ${long.length}\r\n\r\n${long}`;
    const get = (name: string) => `GET ${name} HTTP/1.1\r\n${OWNER}\r\n`;
    connection.send(
      [get("/health"), TRACK_USE, get("/nothing"), tooLong, TRACK_USE, get("/health")].join(""),
    );
    const answers = await connection.answers(6);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 400, 200, 200]);
  });
});

describe("a client that keeps its side open", () => {
  it.each([
    ["after a refusal", "NONSENSE\r\n\r\n"],
    ["after a body that is too long", `${TRACK}Content-Length: 2000000\r\n\r\n`],
    ["after a broken body", `${TRACK}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
    ["after saying close", `GET /health HTTP/1.1\r\n${OWNER}Connection: close\r\n\r\n`],
  ])("is disconnected %s", async (_, bytes) => {
    const app = await startApp({ timeouts: PATIENT });
    const connection = await openConnection(app.url, { closeWithServer: false });
    connection.send(bytes);
    expect(await connection.ended()).toHaveLength(1);
    await released(connection);
  });
});

describe("a client that closes its side", () => {
  it("after its request gets the answer, and the connection ends", async () => {
    const app = await startApp({ timeouts: PATIENT });
    const connection = await openConnection(app.url, { closeWithServer: false });
    connection.socket.end(`GET /api/v1/account HTTP/1.1\r\n${OWNER}\r\n`);
    expect((await connection.ended()).map(({ status }) => status)).toEqual([200]);
  });

  it("in the middle of a request gets 400, and nothing of the request is done", async () => {
    const answered: number[] = [];
    const app = await startApp({ timeouts: PATIENT, onAnswered: (_, status) => answered.push(status) });
    // What has arrived of the last one would be a valid body.
    const whole = `${TRACK}Content-Length: ${USE.length + 1}\r\n\r\n${USE}`;
    for (const bytes of ["GET /hea", `${TRACK}Content-Length: 20\r\n\r\n{"type"`, whole]) {
      const connection = await openConnection(app.url, { closeWithServer: false });
      connection.socket.end(bytes);
      expectProblem((await connection.ended())[0], 400, "invalid_request");
      await released(connection);
    }
    await expect.poll(() => answered).toEqual([400, 400]);
    expect(await stillAnswers(app)).toBe(0);
  });
});

describe("a client that goes away", () => {
  it("ends its event stream", async () => {
    const app = await startApp();
    const { path, streams } = await pairing(app);
    const connection = await openConnection(app.url);
    connection.send(`GET ${path}/events HTTP/1.1\r\n${OWNER}\r\n`);
    await expect.poll(streams).toBe(1);
    connection.socket.destroy();
    await expect.poll(streams).toBe(0);
  });

  it("has none of its requests begun any more that waited behind another answer", async () => {
    const app = await startApp();
    const { streams, connection } = await usesBehindStream(app);
    connection.socket.destroy();
    await expect.poll(streams).toBe(0);
    expect(await stillAnswers(app)).toBe(1);
  });

  it("during the answer causes no error, and its request is done at most once", async () => {
    const answered: number[] = [];
    const app = await startApp({ onAnswered: (_, status) => answered.push(status) });
    for (let count = 0; count < 50; count++) {
      const connection = await openConnection(app.url);
      connection.send(TRACK_USE);
      if (count % 2) await sleep(count / 10);
      connection.socket.resetAndDestroy();
    }
    await expect.poll(() => answered.length).toBeGreaterThan(0);
    expect(await stillAnswers(app)).toBeLessThanOrEqual(50);
  });
});

describe("a client that leaves in the middle of a body, before it is known who asks,", () => {
  it.each<[string, (connection: RawConnection) => Promise<unknown>]>([
    [
      "by closing its side",
      ({ socket, ended }) => {
        socket.end();
        return ended();
      },
    ],
    ["by a reset", async ({ socket }) => socket.resetAndDestroy()],
  ])("causes no error of the server: %s", async (_, leave) => {
    const errors: unknown[] = [];
    const store = await openTestStore({ clock: systemClock, collections: registryOf().collections });
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let asked = 0;
    const admit: Store["admit"] = async (...windows) => {
      if (asked++ === 0) await held;
      return store.admit(...windows);
    };
    const log = quietLog({ error: (details: object) => void errors.push(details) });
    const app = await startOnStore({ ...store, admit }, { log });
    const connection = await openConnection(app.url, { closeWithServer: false });
    connection.send(`${TRACK}Content-Length: 20\r\n\r\n{"type"`);
    await expect.poll(() => asked).toBe(1);
    await leave(connection);
    expect((await fetch(`${app.url}/health`)).status).toBe(200);
    goOn();
    for (let count = 0; count < 3; count++)
      expect((await fetch(`${app.url}/api/v1/account`)).status).toBe(401);
    expect(errors).toEqual([]);
  });
});

describe("idle and unfinished connections", () => {
  it("do not block other requests, three hundred at once", async () => {
    const app = await startApp({ timeouts: PATIENT });
    const idle = await Promise.all(Array.from({ length: 300 }, () => openConnection(app.url)));
    for (const connection of idle.slice(0, 150)) connection.send(`GET /health HTTP/1.1\r\n${OWNER}\r\n`);
    for (const connection of idle.slice(150, 250)) connection.send(`${TRACK}Content-Length: 20\r\n\r\n{`);
    await Promise.all(idle.slice(0, 150).map((connection) => connection.answers(1)));
    await stillAnswers(app);
    // Each connection completes its request.
    for (const connection of idle.slice(150, 250)) connection.send('"type":"api_calls"}');
    const late = await Promise.all(idle.slice(150, 250).map((connection) => connection.answers(1)));
    expect(late.every(([answer]) => answer?.status === 200)).toBe(true);
  });
});

describe("a server that stops", () => {
  it("answers the request in progress and closes that connection with the answer", async () => {
    const app = await startApp({ timeouts: PATIENT });
    const busy = await openConnection(app.url);
    const idle = await openConnection(app.url);
    idle.send(`GET /health HTTP/1.1\r\n${OWNER}\r\n`);
    await idle.answers(1);
    busy.send(`${TRACK}Content-Length: 20\r\n\r\n{"type":`);
    await sleep(50);
    const closed = app.close();
    busy.send('"api_calls"}');
    expect((await busy.ended()).map(({ status }) => status)).toEqual([200]);
    await Promise.all([closed, idle.ended()]);
  });
});
