import { describe, expect, it } from "vitest";
import { makeReadOnly, makeWritable, openStore, readOnlyReason } from "../../src/store/open.ts";
import { stopWriting } from "../../src/store/stopped-writing.ts";
import { systemClock } from "../../src/system/clock.ts";
import { createLog } from "../../src/system/log.ts";
import { temporaryDirectory } from "../support/store.ts";

async function closedStore(): Promise<string> {
  const where = temporaryDirectory();
  const store = await openStore(where, { collections: [], clock: systemClock, log: createLog("silent") });
  await store.close();
  return where;
}

describe("stopWriting()", () => {
  it.each([
    [undefined, "is written to again."],
    ["back at noon.", "stays read only (back at noon.), until tool data writable."],
  ])("restores the earlier state (%s) when taken back", async (before, left) => {
    const where = await closedStore();
    if (before !== undefined) await makeReadOnly(where, before, systemClock);
    const stopped = await stopWriting(where, "moving.", systemClock);
    await stopped.done;
    expect([await readOnlyReason(where), await stopped.stands()]).toEqual(["moving.", true]);
    expect(await stopped.takeBack()).toBe(left);
    expect(await readOnlyReason(where)).toBe(before);
  });

  it("says nothing of a store that is not there when taken back", async () => {
    const stopped = await stopWriting(temporaryDirectory(), "moving.", systemClock);
    await expect(stopped.done).rejects.toThrow("There is no store in");
    expect(await stopped.takeBack()).toBeUndefined();
  });

  it("leaves a later decision in place when taken back", async () => {
    const where = await closedStore();
    const stopped = await stopWriting(where, "moving.", systemClock);
    await stopped.done;
    await makeReadOnly(where, "moving to another.", systemClock);
    expect(await stopped.stands()).toBe(false);
    await stopped.takeBack();
    expect(await readOnlyReason(where)).toBe("moving to another.");
    await makeWritable(where);
    expect(await stopped.stands()).toBe(false);
    expect(await stopped.takeBack()).toBe("is written to again.");
  });
});
