import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { giveQueueTo } from "../../../src/client/telemetry/queue-owner.ts";
import { createTelemetryQueue, sendingLock } from "../../../src/client/telemetry/telemetry-queue.ts";
import { sha256 } from "../../../src/system/sha256.ts";
import { seededRandom } from "../../support/random.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { hurryingClock } from "../support/clock.ts";

function queueOfServer() {
  const directory = join(temporaryDirectory(), "queue", "control.example");
  const clock = hurryingClock();
  const queue = createTelemetryQueue({ directory, clock, random: seededRandom(clock, directory) });
  return {
    directory,
    queue,
    clock,
    give: (accountId: string, before?: string) => giveQueueTo(accountId, { directory, before, clock }),
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

  it("fails no sign-in where the queue cannot be put aside", async () => {
    const { queue, give, waiting, directory } = queueOfServer();
    await give("ann");
    await give("bob");
    queue.record({ event: "of.bob" });
    mkdirSync(`${directory}.${sha256("bob").slice(0, 12)}`);
    expect(await give("ann")).toBe(0);
    expect(waiting()).toHaveLength(1);
  });
});
