import { describe, expect, it, vi } from "vitest";
import type { Store } from "../../../src/store/store.ts";
import { follow } from "../../../src/tools/pair/follow.ts";
import { createWakeups } from "../../../src/tools/pair/wakeups.ts";
import { fakeClock } from "../../support/clock.ts";
import { openPair, openStream } from "./pair.ts";
import { ID, insert, openSession, SPACE } from "./recording.ts";

const turn = () => new Promise(setImmediate);

describe("a follower", () => {
  /** Follows a session that keeps three changes and has had five. */
  async function following(start: number, store?: Pick<Store, "transact">) {
    const session = await openSession({ a: "" }, { changes: 3, weight: 1e9 });
    for (let at = 0; at < 5; at++) await session.change("a", [insert(0, "x")], at);
    const wakeups = createWakeups({ store: session.store, clock: fakeClock() });
    const leaving = new AbortController();
    const asked = { store: (store ?? session.store) as Store, wakeups };
    const events = follow(asked, SPACE, ID, start, leaving.signal);
    return { events, leaving, count: () => wakeups.count(SPACE, ID) };
  }

  it("receives the kept changes, and nothing after leaving", async () => {
    const { events, leaving, count } = await following(2);
    const heard = [];
    for (let event = 0; event < 4; event++) heard.push((await events.next()).value);
    expect(heard.map(({ id, event }) => [id, event])).toEqual([
      ["2", "session"],
      ["3", "change"],
      ["4", "change"],
      ["5", "change"],
    ]);
    const next = events.next();
    await turn();
    expect(count()).toBe(1);
    leaving.abort();
    expect(await next).toEqual({ value: undefined, done: true });
    expect(count()).toBe(0);
  });

  it("that starts before the kept changes is ended without events", async () => {
    const { events, count } = await following(1);
    expect(await events.next()).toEqual({ value: undefined, done: true });
    expect(count()).toBe(0);
  });

  it("receives the error if the store fails", async () => {
    const transact = async () => {
      throw new Error("a fault");
    };
    const { events, count } = await following(2, { transact });
    await expect(events.next()).rejects.toThrow("a fault");
    expect(count()).toBe(0);
  });

  it("receives writes of its server at once, and is counted wherever sessions are shown", async () => {
    // The clock is stopped, so there is no polling for other servers' writes.
    const pair = await openPair({ clock: fakeClock() });
    const [id, other] = [await pair.start(), await pair.start()];
    const stream = await openStream(pair.app, id);
    expect((await stream.next())?.event).toBe("session");
    await pair.changed(id, { edits: [{ from: 0, to: 0, insert: "x" }] });
    expect(await stream.next()).toMatchObject({ id: "1", event: "change" });
    const listed = (await pair.send("GET", "")).body.items;
    expect(listed.map((item: { following: number }) => item.following)).toEqual([0, 1]);
    expect((await pair.send("GET", `/${id}/recent`)).body.following).toBe(1);
    expect((await pair.send("GET", `/${other}/recent`)).body.following).toBe(0);
    stream.close();
  });

  it.each(["1e0", "0x0", "9".repeat(20)])("that resumes from %s is refused with 400", async (last) => {
    const pair = await openPair();
    const stream = await openStream(pair.app, await pair.start(), { headers: { "Last-Event-ID": last } });
    expect(stream.status).toBe(400);
    stream.close();
  });
});

describe("polling for writes of other servers", () => {
  it("happens ten times a second without overlap, and continues after a failure", async () => {
    const clock = fakeClock();
    const looks: { found: (session: object) => void; failed: (error: Error) => void }[] = [];
    const transact = () => new Promise((resolve, reject) => looks.push({ found: resolve, failed: reject }));
    const wakeups = createWakeups({ store: { transact } as unknown as Store, clock });
    const woken = vi.fn();
    wakeups.follow(SPACE, ID, woken);
    clock.advance(99);
    expect(looks).toHaveLength(0);
    clock.advance(1);
    clock.advance(100);
    expect(looks).toHaveLength(1);
    looks[0]?.failed(new Error("the store is away"));
    await turn();
    expect(woken).not.toHaveBeenCalled();
    clock.advance(100);
    expect(looks).toHaveLength(2);
    looks[1]?.found({ sequence: 1 });
    await turn();
    expect(woken).toHaveBeenCalledOnce();
  });
});

it("a handoff repeated with the same Idempotency-Key happens once", async () => {
  const pair = await openPair();
  const id = await pair.start();
  const handoff = () => pair.send("POST", `/${id}/handoff`, { headers: { "Idempotency-Key": "one" } });
  const [first, second] = [await handoff(), await handoff()];
  expect(second.body).toEqual(first.body);
  expect((await pair.show(id)).session.participants).toEqual([
    { id: "alice", role: "navigator" },
    { id: "bob", role: "driver" },
  ]);
});
