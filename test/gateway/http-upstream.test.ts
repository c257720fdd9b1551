import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { readMessage } from "../../src/gateway/message.ts";
import { httpUpstream } from "../../src/gateway/upstreams/http-upstream.ts";
import { type Clock, systemClock } from "../../src/system/clock.ts";
import { fakeClock } from "../support/clock.ts";

const MIB = 1024 * 1024;

async function upstreamThat(answer: (res: ServerResponse) => unknown, clock: Clock = systemClock) {
  const asked: IncomingHttpHeaders[] = [];
  const server = createServer((req, res) => {
    asked.push(req.headers);
    req.resume();
    answer(res);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const upstream = httpUpstream({
    title: "Notes",
    url: `http://127.0.0.1:${port}/mcp`,
    timeoutMs: 60_000,
    clock,
  });
  onTestFinished(async () => {
    await upstream.close();
    server.closeAllConnections();
    server.close();
  });
  const gone = new AbortController();
  const json = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const send = () =>
    upstream.send({
      method: "POST",
      headers: {},
      owner: "key_1",
      accountId: "acc_1",
      message: readMessage(JSON.parse(json), json),
      signal: gone.signal,
    });
  return { send, gone, asked };
}

it("an HTTP upstream is read with backpressure, and to the end", async () => {
  let written = 0;
  const { send } = await upstreamThat(async (res) => {
    res.writeHead(200, { "Content-Type": "application/json" });
    for (; written < 64; written++) if (!res.write(Buffer.alloc(MIB, "x"))) await once(res, "drain");
    res.end();
  });
  const { status, body } = await send();
  expect(status).toBe(200);
  const pieces = body[Symbol.asyncIterator]();
  let bytes = (await pieces.next()).value?.length ?? 0;
  // Time for an upstream without backpressure to write all 64 MiB. The system's buffers hold some of it.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(written).toBeLessThan(32);
  for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) bytes += piece.value.length;
  expect(bytes).toBe(64 * MIB);
});

it("an HTTP upstream's connection is closed when its reader stops or the client goes away", async () => {
  const closed: Promise<unknown>[] = [];
  const { send, gone } = await upstreamThat((res) => {
    closed.push(once(res, "close"));
    res.writeHead(200, { "Content-Type": "text/event-stream" });
    res.write("data: 1\n\n");
  });
  const first = await send();
  for await (const _ of first.body) break;
  await closed[0];
  const second = await send();
  const read = (async () => {
    for await (const _ of second.body) gone.abort(new Error("gone"));
  })();
  await expect(read).rejects.toThrow("gone");
  await closed[1];
});

it("an HTTP upstream's request fails at once if the client has gone before", async () => {
  const { send, gone } = await upstreamThat((res) => void res.end("{}"));
  gone.abort(new Error("gone"));
  await expect(send()).rejects.toThrow("gone");
});

it("an HTTP upstream is asked for the identity coding, not a compressed answer (RFC 9110 §12.5.3)", async () => {
  const { send, asked } = await upstreamThat((res) => void res.end("{}"));
  await send();
  expect(asked).toMatchObject([{ "accept-encoding": "identity" }]);
});

it.each(["before", "while"])(
  "an HTTP upstream's body may be silent for its timeout, but for an hour if its client is asked %s it is silent",
  async (asked) => {
    const clock = fakeClock();
    const sleep = vi.spyOn(clock, "sleep");
    const { send } = await upstreamThat((res) => {
      res.writeHead(200, { "Content-Type": "text/event-stream" });
      res.write("data: 1\n\n");
    }, clock);
    /** Reads the first event of an answer, and begins to wait for another. */
    const begun = async (then: (waitForClient: () => void) => void = () => {}) => {
      const { body, waitForClient = () => {} } = await send();
      const pieces = body[Symbol.asyncIterator]();
      await pieces.next();
      if (asked === "before") then(waitForClient);
      sleep.mockClear();
      const next = pieces.next();
      if (asked === "while") then(waitForClient);
      await vi.waitFor(() => expect(sleep).toHaveBeenCalled());
      return { next };
    };
    const late = { kind: "timeout", message: "Notes has not answered within 60 s." };
    const unasked = await begun();
    clock.advance(60_000);
    await expect(unasked.next).rejects.toMatchObject(late);
    const { next } = await begun((waitForClient) => waitForClient());
    let isOver = false;
    const over = expect(next.finally(() => (isOver = true))).rejects.toMatchObject(late);
    for (let minute = 1; minute < 60; minute++) {
      clock.advance(60_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(isOver).toBe(false);
    clock.advance(60_000);
    await over;
  },
);

it("an HTTP upstream's answer in JSON that trickles is broken off, one that comes in the end is not", async () => {
  const clock = fakeClock();
  let answer!: ServerResponse;
  const { send } = await upstreamThat((res) => {
    answer = res;
    res.writeHead(200, { "Content-Type": "application/json" });
    res.write(" ");
  }, clock);
  /** Reads an answer that sends so much each minute for so many minutes, and then ends. */
  const read = async (minutes: number, piece: string) => {
    const { body } = await send();
    const pieces = body[Symbol.asyncIterator]();
    await pieces.next();
    for (let minute = 0; minute < minutes; minute++) {
      const next = pieces.next();
      next.catch(() => {});
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(59_000);
      answer.write(piece);
      let bytes = (await next).value?.length ?? 0;
      while (bytes < piece.length) bytes += (await pieces.next()).value?.length ?? 0;
    }
    answer.end();
    return pieces.next();
  };
  expect(await read(9, " ")).toMatchObject({ done: true });
  expect(await read(20, " ".repeat(MIB))).toMatchObject({ done: true });
  await expect(read(20, " ")).rejects.toMatchObject({
    kind: "timeout",
    message: expect.stringContaining("too slowly"),
  });
});

it("an HTTP upstream that sends nothing but interim answers is broken off as silent", async () => {
  const clock = fakeClock();
  const { send } = await upstreamThat((res) => {
    res.writeEarlyHints({ link: "</a>; rel=preload" });
    clock.advance(61_000);
    res.writeEarlyHints({ link: "</b>; rel=preload" });
  }, clock);
  await expect(send()).rejects.toMatchObject({
    kind: "timeout",
    message: expect.stringContaining("within 60 s"),
  });
});
