import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { ConnectionPool, Statement } from "../../../../src/store/postgres/connection/connections.ts";
import { Patience } from "../../../../src/store/postgres/connection/patience.ts";
import { createLimiter } from "../../../../src/store/postgres/limiter.ts";
import type { WindowRow } from "../../../../src/store/postgres/statements/windows.ts";
import type { LimitWindow } from "../../../../src/store/store.ts";
import { fakeClock } from "../../../support/clock.ts";
import { gate } from "../../json-file/faulty-files.ts";

const MINUTE = 60_000;
const hour: LimitWindow = { key: "hour", capacity: 3, kind: "fixed", windowMs: 60 * MINUTE };
/** A bucket that holds 20 and gains 10 a minute. */
const burst: LimitWindow = { key: "burst", capacity: 20, kind: "bucket", windowMs: MINUTE, refill: 10 };

/** Creates a limiter on a fake table of windows, which answers as the database would when the test lets it. */
function open() {
  const clock = fakeClock();
  const rows = new Map<string, WindowRow>();
  const state = {
    asked: [] as string[],
    answering: Promise.resolve(),
    failure: undefined as Error | undefined,
  };
  const names = ["key", "value", "at", "other_value", "other_at", "forget_at"] as const;

  async function query(statement: Statement | string): Promise<{ rows: WindowRow[]; command: string }> {
    const { name = String(statement), values = [] } = typeof statement === "string" ? {} : statement;
    state.asked.push(name);
    await state.answering;
    if (state.failure) throw state.failure;
    const keys = (values[0] ?? []) as string[];
    if (name === "insert windows")
      for (const key of keys)
        rows.set(key, {
          key,
          value: null,
          at: null,
          other_value: null,
          other_at: null,
          forget_at: values[1] as number,
        });
    if (name === "update windows")
      keys.forEach((key, index) => {
        const columns = names.map((column, at) => [column, (values[at] as unknown[])[index]]);
        rows.set(key, Object.fromEntries(columns) as WindowRow);
      });
    const found = keys.flatMap((key) => rows.get(key) ?? []);
    return { rows: /^(lock|read)/.test(name) ? found : [], command: "COMMIT" };
  }
  const client = { query, on() {}, removeListener() {}, release() {} };
  const pool = { query, perTransaction: undefined, sent: (statement: object) => statement };
  const limiter = createLimiter({
    pool: { ...pool, connect: async () => client } as unknown as ConnectionPool,
    clock,
    patience: new Patience(clock),
    databaseTime: () => clock.now(),
  });
  const admitted = async (...windows: LimitWindow[]) => (await limiter.admit(windows)).admitted;
  const left = async (window: LimitWindow) =>
    (await limiter.admit([{ ...window, cost: 0 }])).windows[0]?.remaining;
  return { clock, rows, state, limiter, admitted, left };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
}

describe("rate-limit windows in a database", () => {
  it("are charged all or none, and created when first charged", async () => {
    const { rows, admitted, left } = open();
    const once = { ...hour, key: "once", capacity: 1 };
    expect(await left(hour)).toBe(3);
    expect(rows.size).toBe(0);
    expect([await admitted(hour, once), await admitted(hour, once)]).toEqual([true, false]);
    expect([await left(hour), await left(once)]).toEqual([2, 0]);
    expect([...rows.keys()].sort()).toEqual(["hour", "once"]);
  });

  it("remember the previous window if a clock goes back to it", async () => {
    const { clock, admitted, left } = open();
    await admitted(hour);
    clock.advance(60 * MINUTE);
    expect(await left(hour)).toBe(3);
    await admitted(hour);
    clock.jump(-60 * MINUTE);
    expect(await left(hour)).toBe(2);
  });

  it("refill no bucket that is ahead of the clock, and correct one more than a minute ahead", async () => {
    const { clock, rows, admitted, left } = open();
    const ahead = (at: number): WindowRow => ({
      key: "burst",
      value: 5,
      at,
      other_value: null,
      other_at: null,
      forget_at: at,
    });
    rows.set("burst", ahead(clock.now() + MINUTE));
    expect(await left(burst)).toBe(5);
    clock.advance(MINUTE);
    expect(await left(burst)).toBe(5);
    clock.advance(MINUTE);
    expect(await left(burst)).toBe(15);
    for (const [lead, at] of [
      [MINUTE, MINUTE],
      [MINUTE + 1, 0],
    ] as const) {
      rows.set("burst", ahead(clock.now() + lead));
      // The row is written although the request is refused.
      expect(await admitted({ ...burst, cost: 6 })).toBe(false);
      expect(rows.get("burst")).toMatchObject({ value: 5, at: clock.now() + at });
    }
  });

  it("are queried in rounds, where requests during a round share the next in order", async () => {
    const { state, admitted } = open();
    await admitted({ ...hour, key: "made" });
    const { closed, open: answer } = gate();
    state.answering = closed;
    state.asked = [];
    const first = admitted(hour);
    await turns();
    const later = Array.from({ length: 4 }, () => admitted(hour));
    await turns();
    expect(state.asked.filter((name) => name === "lock windows")).toHaveLength(1);
    answer();
    expect(await Promise.all([first, ...later])).toEqual([true, true, true, false, false]);
    // The first request locked again after it had created the row; the later ones shared a round.
    expect(state.asked.filter((name) => name === "lock windows")).toHaveLength(3);
  });

  it("are queried in larger rounds while another instance charges them too", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { rows, state, admitted } = open();
    const many = { ...hour, capacity: 1000 };
    const locked = () => state.asked.filter((name) => name === "lock windows").length;
    const another = () => rows.set("hour", { ...(rows.get("hour") as WindowRow), value: 500 });
    const pair = () => Promise.all([admitted(many), admitted(many)]);
    await pair();
    await pair();
    another();
    await pair();
    for (let round = 0; round < 10; round++) {
      state.asked = [];
      const first = admitted(many);
      await turns();
      expect(locked()).toBe(0);
      const second = admitted(many);
      await turns();
      vi.advanceTimersByTime(1);
      expect(await Promise.all([first, second])).toEqual([true, true]);
      expect(locked()).toBe(1);
    }
    // No other instance has taken from the window since.
    expect(await admitted(many)).toBe(true);
    // A single caller does not wait for others.
    another();
    expect([await admitted(many), await admitted(many)]).toEqual([true, true]);
  });

  it("are read without a lock for requests that cost nothing", async () => {
    const { rows, state, left, admitted } = open();
    await admitted(hour);
    state.asked = [];
    expect(await left(hour)).toBe(2);
    expect(state.asked).toEqual(["read windows"]);
    state.asked = [];
    expect(await admitted(hour, { ...burst, cost: 0 })).toBe(true);
    expect(state.asked.slice(1)).toEqual(["lock windows", "read windows", "update windows", "COMMIT"]);
    expect([...rows.keys()]).toEqual(["hour"]);
  });

  it("fail only for the requests of a round that the database fails", async () => {
    const { state, admitted } = open();
    state.failure = new Error("gone");
    const failing = [admitted(hour), admitted(hour)];
    for (const each of failing) await expect(each).rejects.toMatchObject({ name: "StoreUnavailable" });
    state.failure = undefined;
    expect(await admitted(hour)).toBe(true);
  });

  it("fail after 5 s without an answer, also for requests that wait for the next round", async () => {
    const { clock, state, admitted } = open();
    const { closed, open: answer } = gate();
    state.answering = closed;
    const waiting = [admitted(hour)];
    await turns();
    waiting.push(admitted(hour));
    const outcomes = Promise.allSettled(waiting);
    for (let ticks = 0; ticks < 10; ticks++) clock.advance(500);
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({ reason: { message: "the database has not answered for 5 s" } });
    answer();
    await turns();
    expect(await admitted(hour)).toBe(true);
  });

  it("answer pending requests when the limiter is closed, and refuse later ones", async () => {
    const { limiter, admitted } = open();
    const last = admitted(hour);
    await limiter.close();
    expect(await last).toBe(true);
    await expect(admitted(hour)).rejects.toThrow("the store is closed");
  });
});
