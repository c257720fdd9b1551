import { describe, expect, it } from "vitest";
import { Problem } from "../../../src/contract/problem.ts";
import type { ReplayRecord } from "../../../src/server/operations/answering.ts";
import {
  createIdempotency,
  idempotencyKeys,
  MAX_KEPT_BYTES,
} from "../../../src/server/operations/idempotency.ts";
import type { Answer } from "../../../src/server/pipeline/answer.ts";
import { collection, type OpenedStore, type Store, StoreUnavailable } from "../../../src/store/store.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { gate } from "../../store/json-file/faulty-files.ts";
import { openTestStore } from "../../support/store.ts";

const effects = collection<{ by: string }>("effects");
const SPACE = "acc/shop";
type Run = Parameters<ReturnType<typeof createIdempotency>["once"]>[0]["run"];

const answerOf = (body: string): Answer => ({ status: 201, headers: { "Content-Type": "text/plain" }, body });

/** Opens instances on one store, each of which is alive until the test ends it. */
async function openInstances() {
  const store: OpenedStore = await openTestStore({ clock: systemClock });
  const dead = new Set<string>();
  const instance = (opening: string, more: Partial<Store> = {}) => {
    const idempotency = createIdempotency({
      store: { ...store, opening, isOpen: async (other) => !dead.has(other), ...more },
      clock: systemClock,
    });
    return (run: Run, { body = "body", repeatable = false, key = "key", sealed = false } = {}) =>
      idempotency.once({
        space: SPACE,
        endpoint: "shop.buy",
        key,
        digest: () => body,
        run,
        repeatable,
        sealed,
        check: () => {},
      });
  };
  /** Commits an effect with its answer. */
  const effect =
    (by: string, text = by) =>
    async (keep: ReplayRecord | undefined) => {
      const answer = answerOf(text);
      await store.transact(async (tx) => {
        await tx.insert(effects, SPACE, by, { by });
        await keep?.answer(tx, answer);
      });
      return { answer, committed: true };
    };
  const done = async () => {
    const entries = await store.transact((tx) => tx.list(effects, SPACE));
    return entries.map(({ id }) => id);
  };
  const records = () => store.transact((tx) => tx.list(idempotencyKeys, SPACE));
  return { store, dead, instance, effect, done, records };
}

const replayedAs = (body: string) => ({
  ...answerOf(body),
  headers: { "Content-Type": "text/plain", "Idempotent-Replayed": "true" },
});

describe("a claim", () => {
  it("lasts while its owner lives, and a duplicate elsewhere waits for the answer", async () => {
    const { instance, effect, done } = await openInstances();
    const [here, there] = [instance("here"), instance("there")];
    const { closed, open } = gate();
    const first = here(async (keep) => {
      await closed;
      return effect("here")(keep);
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    let settled = false;
    const second = there(effect("there")).finally(() => {
      settled = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(settled).toBe(false);
    open();
    expect(await first).toEqual(answerOf("here"));
    expect(await second).toEqual(replayedAs("here"));
    expect(await done()).toEqual(["here"]);
  });

  it("is void as soon as its owner is dead, even for another body", async () => {
    const { instance, effect, done, dead } = await openInstances();
    void instance("here")(() => new Promise(() => {}));
    await new Promise((resolve) => setTimeout(resolve, 20));
    dead.add("here");
    expect(await instance("there")(effect("there"), { body: "other" })).toEqual(answerOf("there"));
    expect(await done()).toEqual(["there"]);
  });

  it("that was taken over gives its first owner the other's answer, and no effect of its own", async () => {
    const { instance, effect, done, dead } = await openInstances();
    const { closed, open } = gate();
    const first = instance("here")(async (keep) => {
      await closed;
      return effect("here")(keep);
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    dead.add("here");
    await instance("there")(effect("there"));
    open();
    expect(await first).toEqual(replayedAs("there"));
    expect(await done()).toEqual(["there"]);
  });

  it("is refused for another body, during the work and afterwards", async () => {
    const { instance, effect } = await openInstances();
    const { closed, open } = gate();
    const first = instance("here")(async (keep) => {
      await closed;
      return effect("here")(keep);
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const other = () => instance("there")(effect("there"), { body: "other" });
    await expect(other()).rejects.toMatchObject({ error: "idempotency_mismatch" });
    open();
    await first;
    await expect(other()).rejects.toMatchObject({ error: "idempotency_mismatch" });
  });

  it("is released after a failure, or later if the store is unavailable at first", async () => {
    const { instance, effect, store, done, records } = await openInstances();
    let away = false;
    const here = instance("here", {
      transact: (work) => (away ? Promise.reject(new StoreUnavailable("away")) : store.transact(work)),
    });
    const fail: Run = async () => {
      throw new Problem("unprocessable", "no");
    };
    await expect(here(fail)).rejects.toThrow("no");
    expect(await records()).toEqual([]);
    await expect(
      here(async (keep) => {
        away = true;
        return fail(keep);
      }),
    ).rejects.toThrow("no");
    expect(await records()).toHaveLength(1);
    away = false;
    // The instance that left the record need not wait for it to expire.
    expect(await here(effect("first"), { key: "another" })).toEqual(answerOf("first"));
    expect(await instance("there")(effect("second"))).toEqual(answerOf("second"));
    expect(await done()).toEqual(["first", "second"]);
  });

  it("of an old version without an owner holds until its time is over", async () => {
    const { instance, effect, store, records } = await openInstances();
    await instance("here")(effect("here"));
    const id = (await records())[0]?.id as string;
    const claimedUntil = Date.now() + 150;
    await store.transact((tx) =>
      tx.put(idempotencyKeys, SPACE, id, { bodyHash: "body", state: "running", claimedUntil }),
    );
    expect(await instance("there")(effect("there"))).toEqual(answerOf("there"));
    expect(Date.now()).toBeGreaterThanOrEqual(claimedUntil);
  });
});

describe("a step", () => {
  const step = (keep: ReplayRecord | undefined, store: Store, number: number, by: string) =>
    store.transact(async (tx) => {
      const done = await keep?.stepDone(tx, number);
      if (done) return done.result;
      await tx.insert(effects, SPACE, by, { by });
      await keep?.step(tx, number, by);
      return by;
    });

  it("done before a crash gives the repeat its result", async () => {
    const { instance, store, done, dead, effect } = await openInstances();
    const { closed } = gate();
    const gave: unknown[] = [];
    void instance("here")(async (keep) => {
      await step(keep, store, 1, "here 1");
      await closed;
      throw new Error("never");
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    dead.add("here");
    const repeat = instance("there")(async (keep) => {
      gave.push(await step(keep, store, 1, "there 1"), await step(keep, store, 2, "there 2"));
      return effect("answer")(keep);
    });
    expect(await repeat).toEqual(answerOf("answer"));
    expect(gave).toEqual(["here 1", "there 2"]);
    expect(await done()).toEqual(["answer", "here 1", "there 2"]);
  });

  it("is not done by an instance that lost the claim", async () => {
    const { instance, store, done, dead, effect } = await openInstances();
    const { closed, open } = gate();
    const first = instance("here")(async (keep) => {
      await closed;
      await step(keep, store, 1, "here 1");
      return effect("here")(keep);
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    dead.add("here");
    await instance("there")(effect("there"));
    open();
    expect(await first).toEqual(replayedAs("there"));
    expect(await done()).toEqual(["there"]);
  });
});

describe("the answer", () => {
  it("is kept if the request had no effect, or its effect may be repeated", async () => {
    const { instance, effect, done } = await openInstances();
    const here = instance("here");
    const idle: Run = async () => ({ answer: answerOf("nothing"), committed: false });
    expect(await here(idle)).toEqual(answerOf("nothing"));
    expect(await here(effect("never"))).toEqual(replayedAs("nothing"));
    const options = { repeatable: true, key: "another" };
    expect(await here(effect("import"), options)).toEqual(answerOf("import"));
    expect(await here(effect("never"), options)).toEqual(replayedAs("import"));
    expect(await done()).toEqual(["import"]);
  });

  it("that is too long to keep is neither replayed nor is its effect repeated", async () => {
    const { instance, effect, done } = await openInstances();
    const here = instance("here");
    const long = "é".repeat(MAX_KEPT_BYTES / 2);
    expect(await here(effect("longest", long))).toEqual(answerOf(long));
    expect(await here(effect("never"))).toEqual(replayedAs(long));
    const key = "another";
    expect((await here(effect("too long", `${long}!`), { key })).body).toHaveLength(long.length + 1);
    await expect(here(effect("never"), { key })).rejects.toMatchObject({
      error: "invalid_state",
      message: expect.stringMatching(/was carried out.*262144/),
    });
    await expect(here(effect("never"), { key, body: "other" })).rejects.toMatchObject({
      error: "idempotency_mismatch",
    });
    expect(await done()).toEqual(["longest", "too long"]);
  });

  it("that is too long to keep is computed again if the effect may be repeated", async () => {
    const { instance } = await openInstances();
    const here = instance("here");
    let runs = 0;
    const run: Run = async () => {
      runs++;
      return { answer: answerOf("x".repeat(MAX_KEPT_BYTES + 1)), committed: false };
    };
    expect(await here(run, { repeatable: true })).toEqual(await here(run, { repeatable: true }));
    expect(runs).toBe(2);
  });

  it("is not kept if it is an error", async () => {
    const { instance, effect, records } = await openInstances();
    const here = instance("here");
    await here(async () => ({ answer: { ...answerOf("busy"), status: 409 }, committed: false }));
    expect(await records()).toEqual([]);
    expect(await here(effect("then"))).toEqual(answerOf("then"));
  });

  it("recorded by an old version without its text is refused with invalid_state", async () => {
    const { instance, effect, store, records } = await openInstances();
    await instance("here")(effect("here"));
    const id = (await records())[0]?.id as string;
    const guessed = { bodyHash: "body", state: "applied" as const, claimedUntil: 0, result: true };
    await store.transact((tx) => tx.put(idempotencyKeys, SPACE, id, guessed));
    await expect(instance("there")(effect("there"))).rejects.toMatchObject({ error: "invalid_state" });
  });
});

it("an answer with a secret is stored encrypted under its Idempotency-Key", async () => {
  const { instance, effect, records } = await openInstances();
  const here = instance("here");
  const asked = { sealed: true, key: "hard to guess" };
  await here(effect("one", "the secret"), asked);
  const [kept] = await records();
  expect(JSON.stringify(kept)).not.toMatch(/the secret|hard to guess/);
  expect(kept?.value.answer?.body?.length).toBeGreaterThan("the secret".length);
  expect(await here(effect("two"), asked)).toEqual(replayedAs("the secret"));
});
