import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createApiClient } from "../../../src/client/api-client.ts";
import { SignedOut, Unreachable } from "../../../src/client/errors.ts";
import type { CredentialSource } from "../../../src/client/sign-in/credential.ts";
import { flushQueue } from "../../../src/client/telemetry/flush-queue.ts";
import {
  createTelemetryQueue,
  senderLock,
  sendingLock,
} from "../../../src/client/telemetry/telemetry-queue.ts";
import { runSender } from "../../../src/client/telemetry/telemetry-sender.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { seededRandom } from "../../support/random.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { hurryingClock } from "../support/clock.ts";
import { createCounter, refusal } from "../support/counter.ts";
import { storedCredential } from "../support/credentials.ts";
import { leave } from "../support/queue.ts";
import { problem, type Reaction, type Seen, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
afterEach(() => server.stop());

const POLICY = { enabled: true, flushAt: 20, flushIntervalSeconds: 10, maxQueueEvents: 100_000 };

async function sending(
  reaction: (request: Seen) => Reaction,
  credentials: CredentialSource = storedCredential({ accessToken: "tak_1" }),
) {
  server = await startServer(reaction);
  const directory = join(temporaryDirectory(), "queue");
  const clock = hurryingClock();
  const random = seededRandom(clock, directory);
  const queue = createTelemetryQueue({ directory, clock, random });
  const api = createApiClient({
    baseUrl: server.baseUrl,
    credentials,
    clock,
    random,
    projectId: "of-the-sender",
  });
  const options = { directory, api, clock, random };
  return { queue, clock, options, flush: () => flushQueue(options), run: () => runSender(options) };
}

describe("flushQueue", () => {
  it("sends all waiting events in one batch for each project and empties the queue", async () => {
    const counter = createCounter();
    const { queue, flush } = await sending(counter.receive);
    for (let number = 0; number < 3; number++) queue.record({ event: "api.call" });
    queue.record({ event: "api.call", projectId: "shop" });
    expect(await flush()).toEqual({ sent: 4, batches: 2, refused: 0, waiting: 0 });
    expect(server.seen.map(({ headers }) => headers["x-project-id"])).toEqual([undefined, "shop"]);
    expect(counter.counted.size).toBe(4);
    expect(queue.contents()).toMatchObject({ events: 0, batches: [] });
    expect(await flush()).toEqual({ sent: 0, batches: 0, refused: 0, waiting: 0 });
  });

  it("splits the events by count and size into batches that the server accepts", async () => {
    const counter = createCounter();
    const { queue, flush } = await sending(counter.receive);
    for (let number = 0; number < 2_001; number++) queue.record({ event: "api.call" });
    for (let number = 0; number < 60; number++) {
      queue.record({ event: "api.call", payload: { text: "x".repeat(16_000) } });
    }
    expect(await flush()).toMatchObject({ sent: 2_061, batches: 4, waiting: 0 });
    for (const { body } of server.seen) expect(body.length).toBeLessThan(1024 * 1024);
  });

  it("sends an unanswered batch again under the same id, so that each event counts once", async () => {
    const counter = createCounter();
    const { queue, flush } = await sending((request) => {
      counter.receive(request);
      return "tear";
    });
    queue.record({ event: "api.call" });
    leave(queue, "unknown", { idempotencyKey: "key_1", body: { type: "api_calls" } });
    const first = await flush();
    expect(first).toMatchObject({ sent: 0, waiting: 2 });
    expect(first.error).toBeInstanceOf(Unreachable);
    queue.record({ event: "api.call" });
    server.react(counter.receive);
    expect(await flush()).toMatchObject({ sent: 3, waiting: 0 });
    expect([...counter.counted.values()]).toEqual([1, 1, 1]);
  });

  it("also sends events that are recorded while it is sending", async () => {
    const counter = createCounter();
    let more = 3;
    const { queue, flush } = await sending((request) => {
      if (more-- > 0) queue.record({ event: "api.call" });
      return counter.receive(request);
    });
    queue.record({ event: "api.call" });
    expect(await flush()).toMatchObject({ sent: 4, batches: 4, waiting: 0 });
  });

  it("sets aside a refused batch with the reason, and sends the other batches", async () => {
    const counter = createCounter();
    const { queue, flush } = await sending((request) =>
      request.headers["x-project-id"] === "bad" ? refusal : counter.receive(request),
    );
    queue.record({ event: "api.call", projectId: "bad" });
    queue.record({ event: "api.call", projectId: "good" });
    expect(await flush()).toEqual({ sent: 1, batches: 2, refused: 1, waiting: 0 });
    const { refused } = queue.contents();
    expect(refused).toMatchObject([
      {
        projectId: "bad",
        events: 1,
        error: "unprocessable",
        detail: "It is unprocessable.",
        requestId: "req_test",
      },
    ]);
    expect(await flush()).toMatchObject({ batches: 0 });
    expect(queue.discard()).toEqual({ refused: 1, dropped: 0 });
    expect(queue.contents().refused).toEqual([]);
  });

  it("sets aside the events of an archived project, and sends those of other projects", async () => {
    const counter = createCounter();
    const { queue, flush } = await sending((request) =>
      request.headers["x-project-id"] === "old" ? problem(409, "project_archived") : counter.receive(request),
    );
    queue.record({ event: "api.call", projectId: "old" });
    queue.record({ event: "api.call", projectId: "new" });
    expect(await flush()).toEqual({ sent: 1, batches: 2, refused: 1, waiting: 0 });
  });

  it("sets aside single events that the server rejects", async () => {
    const { queue, flush } = await sending(createCounter().receive);
    for (const event of ["good", "bad", "good"]) queue.record({ event });
    expect(await flush()).toMatchObject({ sent: 2, refused: 1, waiting: 0 });
    const [refused] = queue.contents().refused;
    expect(refused).toMatchObject({ events: 1, error: "rejected", detail: "its name is bad" });
    expect(refused?.body).toMatchObject({ events: [{ event: "bad" }] });
  });

  it("keeps all events and sends no request without a credential", async () => {
    const { queue, flush } = await sending(() => refusal, storedCredential());
    queue.record({ event: "api.call" });
    const report = await flush();
    expect(report.error).toBeInstanceOf(SignedOut);
    expect(report).toMatchObject({ waiting: 1, refused: 0 });
    expect(server.seen).toEqual([]);
  });

  it("keeps all events if the credential lacks the write scope", async () => {
    const { queue, flush } = await sending(() => problem(403, "insufficient_scope"));
    queue.record({ event: "api.call" });
    expect(await flush()).toMatchObject({ waiting: 1, refused: 0, error: { error: "insufficient_scope" } });
  });

  it("sets aside an unanswered usage event after 24 hours instead of sending it again", async () => {
    const { queue, flush, clock } = await sending(createCounter().receive);
    leave(queue, "unknown", { idempotencyKey: "key_1", body: { type: "api_calls" } });
    clock.advance(24 * 60 * 60 * 1000);
    expect(await flush()).toMatchObject({ sent: 0, refused: 1, waiting: 0 });
    expect(queue.contents().refused).toMatchObject([{ id: "key_1", error: "unanswered" }]);
    expect(server.seen).toEqual([]);
  });

  it("drops the oldest events when new ones exceed the bound while it is sending", async () => {
    const { queue, flush } = await sending(() => "tear");
    queue.adopt({ ...POLICY, maxQueueEvents: 10 });
    for (let number = 0; number < 10; number++) queue.record({ event: "api.call" });
    let recorded = 0;
    server.react(() => {
      while (recorded++ < 5) queue.record({ event: "later" });
      return "tear";
    });
    expect(await flush()).toMatchObject({ sent: 0, waiting: 10 });
    expect(queue.contents()).toMatchObject({ events: 10, dropped: 5 });
  });

  it("lets others send even if it cannot drop what is too much, as on a full disk", async () => {
    const { queue, flush, options, clock } = await sending(() => "tear");
    queue.adopt({ ...POLICY, maxQueueEvents: 1 });
    queue.record({ event: "api.call" });
    server.react(() => {
      queue.record({ event: "later" });
      return "tear";
    });
    const inTheWay = join(options.directory, "dropped.json");
    mkdirSync(inTheWay);
    await expect(flush()).rejects.toMatchObject({ code: "EISDIR" });
    expect(sendingLock(options.directory, clock).isHeld()).toBe(false);
  });

  it("gives up after 30 seconds while another sender runs, and reports how many events wait", async () => {
    const { queue, flush, options, clock } = await sending(createCounter().receive);
    for (let number = 0; number < 3; number++) queue.record({ event: "api.call" });
    const release = sendingLock(options.directory, options.clock).acquire();
    const start = clock.now();
    expect(await flush()).toEqual({ sent: 0, batches: 0, refused: 0, waiting: 3, busy: true });
    expect(clock.now() - start).toBeGreaterThanOrEqual(30_000);
    expect(clock.now() - start).toBeLessThan(31_000);
    release?.();
    expect(await flush()).toMatchObject({ sent: 3, waiting: 0 });
  });
});

describe("flushQueue with a timeout", () => {
  it("gives up when the time is over, and keeps unanswered events without a backoff", async () => {
    const { queue, options } = await sending(() => "hang");
    for (let number = 0; number < 3; number++) queue.record({ event: "api.call" });
    const report = await flushQueue({ ...options, clock: systemClock, timeoutMs: 50 });
    expect(report).toMatchObject({ sent: 0, waiting: 3, late: true, error: expect.any(Error) });
    expect(queue.contents().trouble).toBeUndefined();
  });

  it("sends all events in time, and waits for another sender no longer than the timeout", async () => {
    const { queue, options, clock } = await sending(createCounter().receive);
    for (let number = 0; number < 3; number++) queue.record({ event: "api.call" });
    const release = sendingLock(options.directory, options.clock).acquire();
    const start = clock.now();
    const told: string[] = [];
    const onBusy = () => told.push("busy");
    expect(await flushQueue({ ...options, timeoutMs: 1000, onBusy })).toMatchObject({
      busy: true,
      waiting: 3,
    });
    expect(told).toEqual(["busy"]);
    expect(clock.now() - start).toBeGreaterThanOrEqual(1000);
    expect(clock.now() - start).toBeLessThan(2000);
    release?.();
    const sent = await flushQueue({ ...options, clock: systemClock, timeoutMs: 60_000, onBusy });
    expect(sent).toEqual({ sent: 3, batches: 1, refused: 0, waiting: 0 });
    expect(told).toHaveLength(1);
  });

  it("ends when the caller's signal aborts, and notes no trouble with the server", async () => {
    const { queue, options } = await sending(() => "hang");
    queue.record({ event: "api.call" });
    const stop = new AbortController();
    const flushing = flushQueue({ ...options, signal: stop.signal, timeoutMs: 60_000, clock: systemClock });
    await expect.poll(() => server.seen.length).toBe(1);
    stop.abort(new Error("Ctrl-C"));
    await expect(flushing).rejects.toThrow("Ctrl-C");
    expect(queue.contents()).toMatchObject({ events: 1 });
    expect(queue.contents().trouble).toBeUndefined();
    expect(sendingLock(options.directory, options.clock).isHeld()).toBe(false);
  });
});

describe("runSender", () => {
  it("waits until the oldest event is as old as the flush interval, then sends", async () => {
    const counter = createCounter();
    const { queue, run, clock } = await sending(counter.receive);
    const start = clock.now();
    queue.record({ event: "api.call" });
    await run();
    expect(clock.now() - start).toBe(10_000);
    expect(counter.counted.size).toBe(1);
    expect(queue.senderNeeded()).toBe(false);
  });

  it("sends at once when flushAt events wait", async () => {
    const { queue, run, clock } = await sending(createCounter().receive);
    for (let number = 0; number < 20; number++) queue.record({ event: "api.call" });
    await run();
    expect(clock.slept).toEqual([]);
    expect(server.seen).toHaveLength(1);
  });

  it("ends at once while another sender is alive", async () => {
    const { queue, run, options } = await sending(createCounter().receive);
    queue.record({ event: "api.call" });
    const release = senderLock(options.directory, options.clock).acquire();
    expect(queue.senderNeeded()).toBe(false);
    await run();
    expect(server.seen).toEqual([]);
    release?.();
    expect(queue.senderNeeded()).toBe(true);
  });

  it("doubles its backoff, up to ten minutes, while the server does not answer", async () => {
    const { queue, run, clock } = await sending(() => "tear");
    await server.stop();
    queue.record({ event: "api.call" });
    const pauses: number[] = [];
    for (let round = 0; round < 8; round++) {
      await run();
      expect(queue.senderNeeded()).toBe(false);
      const { trouble } = queue.contents();
      expect(trouble?.reason).toContain("nothing listens there");
      pauses.push((trouble?.nextAt ?? 0) - clock.now());
      clock.advance(pauses.at(-1) ?? 0);
      expect(queue.senderNeeded()).toBe(true);
    }
    expect(pauses.map((ms) => ms / 1000)).toEqual([10, 20, 40, 80, 160, 320, 600, 600]);
    await server.start();
  });

  it("backs off for as long as Retry-After says", async () => {
    const { queue, run } = await sending(() => problem(429, "rate_limited", { "retry-after": "90" }));
    queue.record({ event: "api.call" });
    await run();
    const { at = 0, nextAt = 0 } = queue.contents().trouble ?? {};
    expect(nextAt - at).toBe(90_000);
  });

  it("waits no longer than the flush interval if the clock is set back", async () => {
    const { queue, run, clock } = await sending(createCounter().receive);
    clock.advance(60_000);
    queue.record({ event: "api.call" });
    clock.jump(-3_600_000);
    await run();
    expect(clock.slept.reduce((sum, ms) => sum + ms, 0)).toBe(10_000);
    expect(server.seen).toHaveLength(1);
  });

  it("tries again at once after a new sign-in", async () => {
    const credentials = storedCredential();
    const counter = createCounter();
    const { queue, run } = await sending(counter.receive, credentials);
    queue.record({ event: "api.call" });
    await run();
    expect(queue.contents()).toMatchObject({
      events: 1,
      trouble: { reason: expect.stringContaining("not signed in") },
    });
    await credentials.write({ accessToken: "tak_1" });
    queue.wake();
    expect(queue.senderNeeded()).toBe(true);
    await run();
    expect(counter.counted.size).toBe(1);
    expect(queue.contents().trouble).toBeUndefined();
  });

  it("asks for the policy first, and sends nothing if telemetry is disabled", async () => {
    const { queue, options } = await sending(createCounter().receive);
    queue.record({ event: "api.call" });
    const resolve = async () => {
      queue.adopt({ ...POLICY, enabled: false });
      throw new Error("of no interest");
    };
    await runSender({ ...options, entitlements: { resolve } });
    expect(server.seen).toEqual([]);
    expect(queue.contents()).toMatchObject({ events: 1, off: "policy" });
  });

  it("creates no directory if nothing was recorded", async () => {
    const { run, options } = await sending(createCounter().receive);
    await run();
    expect(existsSync(options.directory)).toBe(false);
  });
});
