import { describe, expect, it, vi } from "vitest";
import type { SessionDocument } from "../../../src/tools/pair/documents.ts";
import { sessions } from "../../../src/tools/pair/documents.ts";
import { sessionsPage } from "../../../src/tools/pair/sessions.ts";
import { createWakeups } from "../../../src/tools/pair/wakeups.ts";
import { adjustableClock } from "../../support/adjustable-clock.ts";
import { openTestStore } from "../../support/store.ts";

const SPACE = "acc_a";
const SESSION: SessionDocument = {
  ...{ participants: [], files: 0, length: 0, sequence: 0, oldest: 1, weight: 0 },
  ...{ createdAt: 0, updatedAt: 0 },
};

async function withWakeups() {
  const store = await openTestStore({ collections: [sessions] });
  const clock = adjustableClock();
  let look = () => {};
  const stopped = vi.fn();
  const every = (_: number, work: () => void) => {
    look = work;
    return stopped;
  };
  const wakeups = createWakeups({ store, clock: { ...clock, every } });
  const put = (id: string, document: Partial<SessionDocument> = {}) =>
    store.transact((tx) => tx.put(sessions, SPACE, id, { ...SESSION, ...document }));
  /** Polls for the writes of other instances, as a timer does. */
  const looked = async () => {
    look();
    await store.transact((tx) => tx.get(sessions, SPACE, "pair_a"));
    await new Promise(setImmediate);
  };
  return { store, wakeups, put, looked, stopped };
}

describe("followers of a session", () => {
  it("are woken at once by writes of this process to that session only", async () => {
    const { wakeups } = await withWakeups();
    const [one, other, elsewhere] = [vi.fn(), vi.fn(), vi.fn()];
    const leave = wakeups.follow(SPACE, "pair_a", one);
    wakeups.follow(SPACE, "pair_a", other);
    wakeups.follow(SPACE, "pair_b", elsewhere);
    wakeups.follow("acc_b", "pair_a", elsewhere);
    wakeups.written(SPACE, "pair_a");
    leave();
    wakeups.written(SPACE, "pair_a");
    expect([one, other, elsewhere].map(({ mock }) => mock.calls.length)).toEqual([1, 2, 0]);
  });

  it("are woken by a poll only if another instance wrote since the last poll", async () => {
    const { wakeups, put, looked } = await withWakeups();
    await put("pair_a");
    const [one, other] = [vi.fn(), vi.fn()];
    wakeups.follow(SPACE, "pair_a", one);
    wakeups.follow(SPACE, "pair_a", other);
    const wokenBy = async (write: () => Promise<unknown>) => {
      await write();
      await looked();
      const calls = [one, other].map(({ mock }) => mock.calls.length);
      for (const each of [one, other]) each.mockClear();
      return calls;
    };
    expect(await wokenBy(async () => {})).toEqual([1, 1]);
    expect(await wokenBy(async () => {})).toEqual([0, 0]);
    expect(await wokenBy(() => put("pair_a", { sequence: 1 }))).toEqual([1, 1]);
    expect(await wokenBy(() => put("pair_b", { sequence: 1 }))).toEqual([0, 0]);
  });

  it("are woken by the first poll if the session was deleted before it", async () => {
    const { wakeups, looked } = await withWakeups();
    const wake = vi.fn();
    wakeups.follow(SPACE, "pair_a", wake);
    await looked();
    expect(wake).toHaveBeenCalledOnce();
  });

  it("stop the polling when the last one leaves", async () => {
    const { wakeups, stopped } = await withWakeups();
    const [first, last] = [vi.fn(), vi.fn()].map((wake) => wakeups.follow(SPACE, "pair_a", wake));
    expect(wakeups.count(SPACE, "pair_a")).toBe(2);
    first?.();
    expect(stopped).not.toHaveBeenCalled();
    last?.();
    expect(stopped).toHaveBeenCalledOnce();
    expect(wakeups.count(SPACE, "pair_a")).toBe(0);
  });
});

it("sessionsPage() finds ended sessions behind hundreds of active ones", async () => {
  const { store, put } = await withWakeups();
  await put("pair_000", { endedAt: 1 });
  await put("pair_001", { endedAt: 1 });
  for (let number = 2; number < 450; number++) await put(`pair_${String(number).padStart(3, "0")}`);
  const page = (cursor?: string) =>
    store.transact((tx) => sessionsPage(tx, SPACE, { state: "ended", limit: 1, cursor }));
  expect(await page()).toMatchObject({ items: [{ session: { id: "pair_001" } }], nextCursor: "pair_001" });
  const rest = await page("pair_001");
  expect(rest.items.map(({ session }) => session.id)).toEqual(["pair_000"]);
  expect(rest).not.toHaveProperty("nextCursor");
});
