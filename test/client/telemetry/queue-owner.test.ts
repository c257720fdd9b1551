import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ApiClient } from "../../../src/client/api-client.ts";
import { ownerIn } from "../../../src/client/telemetry/aside.ts";
import { flushQueue } from "../../../src/client/telemetry/flush-queue.ts";
import { giveQueueTo } from "../../../src/client/telemetry/queue-owner.ts";
import { createTelemetryQueue, sendingLock } from "../../../src/client/telemetry/telemetry-queue.ts";
import { sha256 } from "../../../src/system/sha256.ts";
import { seededRandom } from "../../support/random.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { hurryingClock } from "../support/clock.ts";

function queueOfServer() {
  const directory = join(temporaryDirectory(), "queue", "control.example");
  const clock = hurryingClock();
  const random = seededRandom(clock, directory);
  const queue = createTelemetryQueue({ directory, clock, random });
  return {
    directory,
    queue,
    clock,
    random,
    asideOf: (accountId: string) => `${directory}.${sha256(accountId).slice(0, 12)}`,
    give: (accountId: string, before?: string, enter?: () => Promise<void>) =>
      giveQueueTo(accountId, { directory, before, clock, random }, enter),
    waiting: () => queue.contents().batches.flatMap(({ body }) => (body as { events: object[] }).events),
  };
}

describe("giveQueueTo()", () => {
  it("puts the events of one account aside while another is the current one", async () => {
    const { queue, give, waiting } = queueOfServer();
    expect(await give("ann")).toBe(0);
    queue.record({ event: "of.ann" });
    expect(await give("ann")).toBe(0);
    expect(await give("bob")).toBe(1);
    expect(waiting()).toEqual([]);
    queue.record({ event: "of.bob" });
    queue.record({ event: "of.bob" });
    expect(await give("ann")).toBe(2);
    expect(waiting()).toMatchObject([{ event: "of.ann" }]);
    expect(await give("bob")).toBe(1);
    expect(waiting()).toMatchObject([{ event: "of.bob" }, { event: "of.bob" }]);
  });

  it("leaves what was recorded before a sign-in to it, and what an earlier version queued to whose it was", async () => {
    const { queue, give, waiting } = queueOfServer();
    queue.record({ event: "of.nobody" });
    expect(await give("ann")).toBe(0);
    expect(waiting()).toHaveLength(1);
    const earlier = queueOfServer();
    earlier.queue.record({ event: "of.ann" });
    expect(await earlier.give("bob", "ann")).toBe(1);
    expect(earlier.waiting()).toEqual([]);
    expect(await earlier.give("ann", "bob")).toBe(0);
    expect(earlier.waiting()).toHaveLength(1);
  });

  it("waits for a sender for some seconds", async () => {
    const { queue, give, waiting, clock, directory } = queueOfServer();
    await give("ann");
    queue.record({ event: "of.ann" });
    expect(sendingLock(directory, clock).acquire()).toBeDefined();
    const start = clock.monotonic();
    expect(await give("bob")).toBe(1);
    expect(clock.monotonic() - start).toBeGreaterThanOrEqual(5_000);
    expect(waiting()).toEqual([]);
  });

  it("adds to what is aside already, as after a process that was killed half-way", async () => {
    const { queue, give, waiting, directory, asideOf } = queueOfServer();
    await give("ann");
    queue.record({ event: "of.ann", count: 1 });
    await give("bob");
    queue.record({ event: "of.bob", count: 1 });
    expect(queue.contents()).toMatchObject({ events: 1, aside: 1 });
    mkdirSync(asideOf("bob"));
    renameSync(join(directory, "pending.jsonl"), join(asideOf("bob"), "pending.jsonl"));
    queue.record({ event: "of.bob", count: 2 });
    expect(await give("ann")).toBe(1);
    expect(waiting()).toMatchObject([{ event: "of.ann", count: 1 }]);
    expect(queue.contents().aside).toBe(2);
    queue.record({ event: "of.ann", count: 2 });
    expect(await give("bob")).toBe(2);
    expect(waiting()).toHaveLength(2);
    expect(await give("ann")).toBe(2);
    expect(waiting()).toMatchObject([
      { event: "of.ann", count: 1 },
      { event: "of.ann", count: 2 },
    ]);
  });

  it("brings back, at the next sign-in, what a killed process left aside of the account that is current already", async () => {
    const { queue, give, waiting, directory, asideOf } = queueOfServer();
    await give("ann");
    queue.record({ event: "of.ann" });
    mkdirSync(asideOf("ann"));
    renameSync(join(directory, "pending.jsonl"), join(asideOf("ann"), "pending.jsonl"));
    expect(waiting()).toEqual([]);
    await give("ann");
    expect(waiting()).toMatchObject([{ event: "of.ann" }]);
    expect(existsSync(asideOf("ann"))).toBe(false);
  });

  it("lets no sender begin while the other account is entered, nor one go on that read the credential before", async () => {
    const { queue, give, directory, clock, random } = queueOfServer();
    await give("ann");
    queue.record({ event: "of.ann" });
    await give("bob", undefined, async () => {
      expect(sendingLock(directory, clock).acquire()).toBeUndefined();
    });
    queue.record({ event: "of.bob" });
    const api = (accountId: string) =>
      ({
        credential: async () => ({ accessToken: "t", account: { id: accountId, name: accountId } }),
        request: async () => ({ status: 200, body: { results: [] } }),
      }) as unknown as ApiClient;
    expect(await flushQueue({ directory, clock, random, api: api("ann") })).toMatchObject({
      sent: 0,
      waiting: 1,
      busy: true,
    });
    expect(await flushQueue({ directory, clock, random, api: api("bob") })).toMatchObject({ sent: 1 });
  });

  it("puts aside for whom the queue is by then, when two processes enter accounts at once", async () => {
    const { queue, give, waiting } = queueOfServer();
    await give("ann");
    await give("eve", undefined, async () => {
      await give("bob");
      queue.record({ event: "of.bob" });
    });
    expect(waiting()).toEqual([]);
    await give("ann");
    expect(waiting()).toEqual([]);
    await give("bob");
    expect(waiting()).toMatchObject([{ event: "of.bob" }]);
  });

  it("fails no sign-in where the queue cannot be put aside, and counts nothing for the other account", async () => {
    const { queue, give, waiting, asideOf, directory, clock } = queueOfServer();
    await give("ann");
    queue.record({ event: "of.ann" });
    writeFileSync(join(directory, "dropped.json"), "{}");
    mkdirSync(join(asideOf("ann"), "dropped.json"), { recursive: true });
    let isIn = false;
    const enter = async () => {
      isIn = true;
    };
    expect(await give("bob", undefined, enter)).toBe(0);
    expect(isIn).toBe(true);
    expect(waiting()).toHaveLength(1);
    expect(ownerIn(directory)).toBe("ann");
    expect(sendingLock(directory, clock).acquire()).toBeDefined();
  });
});
