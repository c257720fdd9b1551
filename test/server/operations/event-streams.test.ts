import { once } from "node:events";
import { createServer, get, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { ServerEvent } from "../../../src/contract/endpoint.ts";
import { createEventStreams } from "../../../src/server/operations/event-streams.ts";
import { send } from "../../../src/server/pipeline/answer.ts";
import type { Exchange } from "../../../src/server/pipeline/exchange.ts";
import { type Clock, systemClock } from "../../../src/system/clock.ts";
import { fakeClock } from "../../support/clock.ts";

/** Starts a server that answers every request with the stream of `follow`. */
async function serve(
  follow: (signal: AbortSignal) => AsyncIterable<ServerEvent>,
  clock: Clock = systemClock,
  isValid: () => boolean = () => true,
): Promise<Server> {
  const streams = createEventStreams({ clock, isValid: async () => isValid(), boundOf: () => 2 });
  const server = createServer((req, res) => {
    const exchange = { req, res, requestId: "req_1" } as Exchange;
    Promise.resolve(send(exchange, streams.open(exchange, follow))).catch(() => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

/** Starts a server whose stream never ends, and counts the events that it makes. */
async function serveMuch(clock?: Clock) {
  const made = { events: 0, ended: false };
  const server = await serve(async function* () {
    try {
      for (;;) yield { id: String(made.events++), event: "much", data: "x".repeat(64 * 1024) };
    } finally {
      made.ended = true;
    }
  }, clock);
  return { made, server };
}

/** Waits until the buffers of both ends are full, so that no event is made. */
async function untilFull(made: { events: number }): Promise<void> {
  let before = -1;
  await expect
    .poll(
      () => {
        const still = before === made.events;
        before = made.events;
        return still;
      },
      { interval: 300 },
    )
    .toBe(true);
}

async function ask(server: Server) {
  const request = get({ port: (server.address() as AddressInfo).port, agent: false });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return { request, response };
}

describe("an event stream", () => {
  it("produces events no faster than its client reads", async () => {
    const { made, server } = await serveMuch();
    const { request, response } = await ask(server);
    response.pause();
    await untilFull(made);
    expect(made.events).toBeLessThan(500);
    const stopped = made.events;
    response.resume();
    await expect.poll(() => made.events).toBeGreaterThan(stopped + 50);
    request.destroy();
    await expect.poll(() => made.ended).toBe(true);
  });

  it("is cut off and ended if its client reads nothing for a minute", async () => {
    const clock = fakeClock();
    const { made, server } = await serveMuch(clock);
    const { response } = await ask(server);
    response.on("error", () => {}).pause();
    await untilFull(made);
    clock.advance(59_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(made.ended).toBe(false);
    clock.advance(1000);
    await expect.poll(() => made.ended).toBe(true);
  });

  it("is cut off when its source fails, so that its client reconnects", async () => {
    const server = await serve(async function* () {
      yield { id: "1", event: "one", data: {} };
      throw new Error("the store is away");
    });
    const { response } = await ask(server);
    let text = "";
    response.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
    await expect(once(response, "end")).rejects.toThrow("aborted");
    expect(text).toContain("id: 1\nevent: one\ndata: {}\n\n");
  });

  it("ends once its credential is revoked, even if its source never does", async () => {
    const credential = { revoked: false };
    const server = await serve(
      async function* () {
        yield { id: "1", event: "one", data: {} };
        await new Promise(() => {});
      },
      systemClock,
      () => !credential.revoked,
    );
    const { response } = await ask(server);
    await once(response.resume(), "data");
    credential.revoked = true;
    await once(response, "end");
  });

  it("adds nothing to a source that is quiet each time it looks, and lets it end when that is late", async () => {
    const clock = fakeClock();
    let resolve: (found: IteratorResult<ServerEvent>) => void = () => {};
    const quiet = new Promise<IteratorResult<ServerEvent>>((yes) => {
      resolve = yes;
    });
    const added = vi.spyOn(quiet, "then");
    const made = { looks: 0, ended: false };
    const source: AsyncIterator<ServerEvent> = {
      next: () => quiet,
      async return() {
        made.ended = true;
        return { done: true, value: undefined };
      },
    };
    const server = await serve(
      () => ({ [Symbol.asyncIterator]: () => source }),
      clock,
      () => ++made.looks < 20,
    );
    const { response } = await ask(server);
    response.resume();
    const isOver = once(response, "end").then(() => true);
    await expect
      .poll(() => {
        clock.advance(1000);
        return Promise.race([isOver, false]);
      })
      .toBe(true);
    expect(added.mock.calls.length).toBeLessThan(5);
    expect(made.ended).toBe(false);
    resolve({ done: false, value: { id: "1", event: "one", data: {} } });
    await expect.poll(() => made.ended).toBe(true);
  });

  it("aborts its waiting source when its client goes away", async () => {
    let told = false;
    const server = await serve(async function* (signal) {
      yield { id: "1", event: "one", data: {} };
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      told = true;
    });
    const { request } = await ask(server);
    request.destroy();
    await expect.poll(() => told).toBe(true);
  });
});
