import { describe, expect, it } from "vitest";
import { createLimiter, windowEntries } from "../../../src/store/json-file/limiter.ts";
import { openMemoryStore } from "../../../src/store/memory.ts";
import { GLOBAL, type LimitWindow, type Store, StoreUnavailable } from "../../../src/store/store.ts";
import { fakeClock } from "../../support/clock.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { imageOf, openAt, recordingLog } from "./directory.ts";
import { faultyFiles } from "./faulty-files.ts";

const hour: LimitWindow = { key: "hour", capacity: 10, kind: "fixed", windowMs: 3_600_000 };
const burst: LimitWindow = { key: "burst", capacity: 20, kind: "bucket", windowMs: 60_000, refill: 10 };
const left = (windows: { remaining: number }[]) => windows.map(({ remaining }) => remaining);
const ask = [
  { ...hour, cost: 0 },
  { ...burst, cost: 0 },
];

describe("rate-limit windows in a directory", () => {
  it("survive a kill except for the last second", async () => {
    const directory = temporaryDirectory();
    const clock = fakeClock();
    const store = await openAt(directory, { clock });
    for (let count = 0; count < 3; count++) await store.admit([hour, burst]);
    clock.advance(1000);
    await store.transact((tx) => tx.list(windowEntries, GLOBAL));
    await store.admit([hour, burst]);
    const recovered = await openAt(imageOf(directory), { clock });
    expect(left((await recovered.admit(ask)).windows)).toEqual([7, 17 + 1 / 6]);
    expect(left((await store.admit(ask)).windows)).toEqual([6, 16 + 1 / 6]);
  });

  it("admit requests while the disk is full, and are saved once there is room again", async () => {
    const files = faultyFiles();
    const directory = temporaryDirectory();
    const clock = fakeClock();
    const { lines, log } = recordingLog();
    const store = await openAt(directory, { clock, log, openFile: files.open });
    files.free = 0;
    await store.admit([hour]);
    clock.advance(1000);
    await expect(store.transact((tx) => tx.list(windowEntries, GLOBAL))).rejects.toThrow();
    // Writers get errors while the disk is full, so the limiter does not log it as well.
    expect(lines).toEqual([]);
    files.free = Number.POSITIVE_INFINITY;
    clock.advance(1000);
    await store.transact((tx) => tx.list(windowEntries, GLOBAL));
    const recovered = await openAt(imageOf(directory), { clock });
    expect((await recovered.admit([{ ...hour, cost: 0 }])).windows[0]?.remaining).toBe(9);
  });

  it("survive a restart after the clock was set", async () => {
    const directory = temporaryDirectory();
    const clock = fakeClock();
    const store = await openAt(directory, { clock });
    clock.jump(1_800_000);
    for (let count = 0; count < 12; count++) await store.admit([burst]);
    clock.advance(1000);
    await store.transact((tx) => tx.list(windowEntries, GLOBAL));
    const recovered = await openAt(imageOf(directory), { clock });
    expect((await recovered.admit([{ ...burst, cost: 0 }])).windows[0]?.remaining).toBeCloseTo(8 + 1 / 6);
  });

  it("refill buckets by elapsed time, and reset fixed windows by the wall clock", async () => {
    const clock = fakeClock();
    const store = await openAt(temporaryDirectory(), { clock });
    for (let count = 0; count < 5; count++) await store.admit([hour, burst]);
    clock.jump(3_600_000);
    expect(left((await store.admit(ask)).windows)).toEqual([10, 15]);
    clock.jump(-3_600_000);
    clock.advance(6000);
    expect(left((await store.admit(ask)).windows)).toEqual([5, 16]);
  });

  it("are deleted once they are full again or have ended", async () => {
    const directory = temporaryDirectory();
    const clock = fakeClock();
    const store = await openAt(directory, { clock });
    await store.admit([hour, burst]);
    clock.advance(1000);
    const saved = () => store.transact((tx) => tx.list(windowEntries, GLOBAL));
    expect((await saved()).map(({ id }) => id)).toEqual(["burst", "hour"]);
    clock.advance(2 * 60_000);
    expect((await saved()).map(({ id }) => id)).toEqual(["hour"]);
    clock.advance(2 * 3_600_000);
    expect(await saved()).toEqual([]);
  });

  it("are not saved for requests that cost nothing or are refused", async () => {
    const clock = fakeClock();
    const store = await openAt(temporaryDirectory(), { clock });
    await store.admit([{ ...hour, key: "asked", cost: 0 }]);
    await store.admit([{ ...hour, key: "refused", capacity: 0 }]);
    clock.advance(1000);
    expect(await store.transact((tx) => tx.list(windowEntries, GLOBAL))).toEqual([]);
  });

  /** Creates a limiter on a store whose transactions are counted, and fail while `failure` is set. */
  async function beside() {
    const clock = fakeClock();
    const { lines, log } = recordingLog();
    const store = openMemoryStore(fakeClock());
    const faults: { failure: Error | undefined; transactions: number } = {
      failure: undefined,
      transactions: 0,
    };
    const transact: Store["transact"] = async (work) => {
      faults.transactions++;
      if (faults.failure) throw faults.failure;
      return store.transact(work);
    };
    const limiter = await createLimiter(transact, { clock, log });
    faults.transactions = 0;
    const saved = async () => (await store.transact((tx) => tx.ids(windowEntries, GLOBAL))).length;
    return { clock, lines, faults, limiter, saved };
  }
  const admitted = async ({ limiter }: Awaited<ReturnType<typeof beside>>, keys: number) => {
    for (let key = 0; key < keys; key++) await limiter.admit([{ ...hour, key: `hour/${key}` }]);
  };

  it("are saved five hundred per transaction, and only if they changed", async () => {
    const at = await beside();
    await admitted(at, 1001);
    await at.limiter.save();
    expect([at.faults.transactions, await at.saved()]).toEqual([3, 1001]);
    await at.limiter.save();
    expect(at.faults.transactions).toBe(3);
    await admitted(at, 1);
    await at.limiter.save();
    expect(at.faults.transactions).toBe(4);
  });

  it("are saved again after a failure, which is logged unless it is StoreUnavailable", async () => {
    const at = await beside();
    await admitted(at, 501);
    for (const failure of [new StoreUnavailable("the disk is full"), new Error("a fault")]) {
      at.faults.failure = failure;
      await at.limiter.save();
    }
    // After a part has failed, the others are not tried.
    expect(at.faults.transactions).toBe(2);
    expect(at.lines).toMatchObject([
      {
        level: "error",
        message: "rate-limit windows were not saved",
        details: { err: { message: "a fault" } },
      },
    ]);
    at.faults.failure = undefined;
    await at.limiter.save();
    expect(await at.saved()).toBe(501);
  });

  it("are forgotten once they have ended, also if they could not be saved", async () => {
    const at = await beside();
    await admitted(at, 501);
    at.faults.failure = new StoreUnavailable("the store is read only");
    await at.limiter.save();
    at.clock.advance(2 * 3_600_000 + 60_000);
    await at.limiter.save();
    at.faults.failure = undefined;
    at.faults.transactions = 0;
    await at.limiter.save();
    expect(at.faults.transactions).toBe(0);
  });

  it("are saved every second until the limiter is stopped", async () => {
    const at = await beside();
    await admitted(at, 1);
    at.clock.advance(999);
    expect(at.faults.transactions).toBe(0);
    at.clock.advance(1);
    expect(at.faults.transactions).toBe(1);
    await admitted(at, 1);
    at.limiter.stop();
    at.clock.advance(1000);
    expect(at.faults.transactions).toBe(1);
  });

  it("are kept as long as they still limit requests", async () => {
    const at = await beside();
    const quick: LimitWindow = { key: "quick", capacity: 100, kind: "bucket", windowMs: 300_000 };
    for (let time = 0; time < 5; time++) await at.limiter.admit([hour, { ...quick, cost: 20 }]);
    at.clock.advance(120_000);
    const { windows } = await at.limiter.admit([
      { ...hour, cost: 0 },
      { ...quick, cost: 0 },
    ]);
    expect(left(windows)).toEqual([5, 40]);
  });
});
