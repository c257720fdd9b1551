import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { MAX_PIECES } from "../../../src/server/indexing/messages.ts";
import {
  createProjections,
  type HostedProjections,
  type ProjectionsOptions,
} from "../../../src/server/indexing/projections.ts";
import { GLOBAL, type Store } from "../../../src/store/store.ts";
import { type Clock, systemClock } from "../../../src/system/clock.ts";
import { bundled } from "../../support/bundled.ts";
import { fakeClock } from "../../support/clock.ts";
import { openTestStore } from "../../support/store.ts";
import { mirrorKind, numbers, words } from "./mirror.ts";

const [worker = "", mirror = ""] = await bundled(
  "test/server/indexing/mirror-worker.ts",
  "test/server/indexing/mirror.ts",
);
const collections = [words, numbers];

function follow(
  store: Pick<Store, "transact">,
  options: Partial<ProjectionsOptions> = {},
): HostedProjections {
  const projections = createProjections({
    store,
    clock: systemClock,
    path: worker,
    modules: { mirror: pathToFileURL(mirror) },
    ...options,
  });
  onTestFinished(() => projections.close());
  return projections;
}

async function open(options: Partial<ProjectionsOptions> = {}) {
  const store = await openTestStore({ collections });
  const projections = follow(store, options);
  const read = async (space = GLOBAL) => (await projections.ask(mirrorKind, space, "all", undefined)).answer;
  const setWord = (id: string, word: string, space = GLOBAL) =>
    store.transact((tx) => tx.put(words, space, id, word));
  return { store, projections, read, setWord };
}

describe("a projection", () => {
  it("includes everything committed before it is asked, deletions included", async () => {
    const { store, read, setWord } = await open();
    expect((await read()).words).toEqual(new Map());
    await setWord("a", "one");
    await setWord("b", "two");
    expect((await read()).words).toEqual(
      new Map([
        ["a", "one"],
        ["b", "two"],
      ]),
    );
    await store.transact((tx) => tx.delete(words, GLOBAL, "a"));
    expect((await read()).words).toEqual(new Map([["b", "two"]]));
  });

  it("keeps spaces apart", async () => {
    const { read, setWord } = await open();
    await setWord("a", "here", "acc_1/one");
    await setWord("a", "there", "acc_1/two");
    expect((await read("acc_1/one")).words.get("a")).toBe("here");
    expect((await read("acc_1/two")).words.get("a")).toBe("there");
  });

  it("includes acknowledged writes while others write and ask", async () => {
    const { read, setWord } = await open();
    const client = async (name: string) => {
      for (let round = 0; round < 20; round++) {
        await setWord(name, String(round));
        const seen = (await read()).words.get(name);
        expect(Number(seen)).toBeGreaterThanOrEqual(round);
      }
    };
    await Promise.all(Array.from({ length: 10 }, (_, index) => client(`client-${index}`)));
  });

  it("shows several collections as of one instant, even across many slices", async () => {
    const { store, read } = await open();
    const filler = "x".repeat(20_000);
    const write = async () => {
      for (let round = 0; round < 40; round++) {
        await store.transact(async (tx) => {
          for (let index = 0; index < 20; index++)
            await tx.put(words, GLOBAL, `filler-${index}`, filler + round);
          await tx.put(words, GLOBAL, "round", String(round));
          await tx.put(numbers, GLOBAL, "round", round);
        });
        await new Promise(setImmediate);
      }
    };
    const look = async () => {
      for (let round = 0; round < 20; round++) {
        const mirror = await read();
        expect(String(mirror.numbers.get("round"))).toBe(String(mirror.words.get("round")));
      }
    };
    await Promise.all([write(), look(), look()]);
  });

  it("is complete where what was written ends with a full slice", async () => {
    const { read, setWord } = await open();
    const long = "x".repeat(128 * 1024);
    await setWord("a", long);
    const first = await read();
    expect(first.words.get("a")).toBe(long);
    await setWord("b", long);
    const second = await read();
    expect([second.words.get("b"), second.made]).toEqual([long, first.made]);
  });

  it("catches up without being rebuilt, and returns the versions up to which it has read", async () => {
    const { store, projections, read, setWord } = await open();
    await setWord("a", "one");
    const { made } = await read();
    const { versions } = await projections.ask(mirrorKind, GLOBAL, "all", undefined);
    await setWord("b", "two");
    const written = await store.transact((tx) => tx.changes(words, GLOBAL, versions.get("words")));
    expect(written).toMatchObject({ entries: [{ id: "b", text: '"two"' }] });
    expect((await read()).made).toBe(made);
  });

  it("is evicted when others need the memory, least recently asked first, and rebuilt when asked", async () => {
    const { read, setWord } = await open({ maxBytes: 16_000 });
    for (const space of ["a", "b", "c"]) await setWord("id", space, space);
    const made = async (space: string) => {
      const mirror = await read(space);
      expect(mirror.words.get("id")).toBe(space);
      return mirror.made;
    };
    const [a, b, c] = [await made("a"), await made("b"), await made("c")];
    expect(await made("a")).toBe(a);
    await setWord("id", "d", "d");
    await made("d");
    expect([await made("a"), await made("c")]).toEqual([a, c]);
    expect(await made("b")).toBeGreaterThan(b);
  });

  it("is evicted for another of its own account before those of accounts that take less", async () => {
    const { read, setWord } = await open({ maxBytes: 40_000 });
    await setWord("id", "small", "acc_1/x");
    const small = await read("acc_1/x");
    for (const space of ["acc_2/a", "acc_2/b", "acc_2/c", "acc_2/d", "acc_2/e", "acc_2/f"]) {
      for (let index = 0; index < 8; index++) await setWord(`n${index}`, space, space);
      await read(space);
    }
    expect((await read("acc_1/x")).made).toBe(small.made);
  });

  it("is evicted even if it was asked last and alone exceeds the memory", async () => {
    const { read, setWord } = await open({ maxBytes: 10_000 });
    for (let index = 0; index < 20; index++) await setWord(`n${index}`, "x");
    const first = await read();
    expect(first.words.size).toBe(20);
    expect((await read()).made).toBeGreaterThan(first.made);
  });

  it("recovers after the store failed to answer", async () => {
    const store = await openTestStore({ collections });
    let fails = false;
    const projections = follow({
      transact: (work) => (fails ? Promise.reject(new Error("away")) : store.transact(work)),
    });
    const read = () => projections.ask(mirrorKind, GLOBAL, "all", undefined);
    await store.transact((tx) => tx.put(words, GLOBAL, "a", "one"));
    fails = true;
    const failed = await Promise.allSettled([1, 2, 3].map(read));
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    fails = false;
    expect((await read()).answer.words.get("a")).toBe("one");
  });

  it("mirrors any history of writes, deletions and questions", async () => {
    const id = fc.constantFrom("a", "b", "c", "d");
    const step = fc.oneof(
      fc.record({ kind: fc.constant("put" as const), id, number: fc.integer() }),
      fc.record({ kind: fc.constant("delete" as const), id }),
      fc.record({ kind: fc.constant("read" as const) }),
    );
    const { store, read } = await open();
    let space = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const name = `acc/${space++}`;
        const model = new Map<string, number>();
        for (const each of steps) {
          if (each.kind === "put") {
            model.set(each.id, each.number);
            await store.transact((tx) => tx.put(numbers, name, each.id, each.number));
          } else if (each.kind === "delete") {
            model.delete(each.id);
            await store.transact((tx) => tx.delete(numbers, name, each.id));
          } else {
            expect((await read(name)).numbers).toEqual(model);
          }
        }
        expect((await read(name)).numbers).toEqual(model);
      }),
      { numRuns: 20 },
    );
  });
});

describe("the index process", () => {
  it("passes errors on, and answers the next question", async () => {
    const { projections, read } = await open();
    await expect(projections.ask(mirrorKind, GLOBAL, "fail", "on purpose")).rejects.toThrow("on purpose");
    expect((await read()).words.size).toBe(0);
  });

  it("makes a long text no faster than it is read, and sends it completely", async () => {
    const { projections, read } = await open();
    const asked = { pieces: 64, length: 64 * 1024 };
    const { answer, text } = await projections.ask(mirrorKind, GLOBAL, "text", asked);
    expect(answer).toEqual({ pieces: 64 });
    const made = async () => (await read()).pieces;
    let length = 0;
    let due = MAX_PIECES;
    for await (const piece of text) {
      await expect.poll(made).toBeGreaterThanOrEqual(due);
      expect(await made()).toBe(due);
      length += piece.length;
      due = Math.min(due + 1, 64);
    }
    expect(length).toBe(64 * 64 * 1024);
  });

  it("releases a text that is not read to its end", async () => {
    const { projections } = await open();
    const asked = { pieces: 64, length: 64 * 1024 };
    for (let round = 0; round < 20; round++) {
      const { text } = await projections.ask(mirrorKind, GLOBAL, "text", asked);
      for await (const _ of text) break;
    }
  });

  it("releases a text whose client goes away before any of it is read, and fails who reads it still", async () => {
    const { projections } = await open();
    const asked = { pieces: 64, length: 64 * 1024 };
    const leave = async () => {
      const client = new AbortController();
      const { text } = await projections.ask(mirrorKind, GLOBAL, "text", asked, { signal: client.signal });
      client.abort();
      return text;
    };
    for (let round = 0; round < 20; round++) await leave();
    const left = await leave();
    const read = async () => {
      for await (const _ of left);
    };
    await expect(read()).rejects.toThrow("withdrawn");
  });

  it("answers an account between two turns of another's long work", async () => {
    const { projections, read } = await open();
    await read("acc_2/x");
    let isOver = false;
    const long = projections.ask(mirrorKind, "acc_1/x", "long", { turns: 100 }).then(() => {
      isOver = true;
    });
    for (let round = 0; round < 5; round++) await read("acc_2/x");
    expect(isOver).toBe(false);
    await long;
  });

  it("drops the question of a client that went away", async () => {
    const { projections, read } = await open();
    await read();
    const going = new AbortController();
    const gone = projections.ask(mirrorKind, GLOBAL, "long", { turns: 100_000 }, { signal: going.signal });
    const waiting = projections.ask(mirrorKind, GLOBAL, "long", { turns: 1 });
    going.abort();
    await expect(gone).rejects.toMatchObject({ error: "overloaded" });
    expect(await waiting).toBeDefined();
  });

  it("refuses questions that wait too long, and more than 64 of one account", async () => {
    const { projections } = await open({ deadlineMs: 300 });
    const ask = (space: string) => projections.ask(mirrorKind, space, "long", { turns: 100_000 });
    const questions = Array.from({ length: 70 }, () => ask("acc_1/x"));
    const refused = await Promise.allSettled(questions);
    const reasons = refused.map((each) => (each as PromiseRejectedResult).reason.detail as string);
    expect(reasons.filter((reason) => reason.includes("wait already"))).toHaveLength(6);
    expect(reasons.filter((reason) => reason.includes("within 0.3 s"))).toHaveLength(64);
  });

  it("refuses the space that fills its heap twice for a minute, restarts, and answers other accounts", async () => {
    const clock = fakeClock();
    let started = 0;
    const log = { debug: () => void started++, warn: () => {} };
    const { projections, read, setWord } = await open({ maxHeapMb: 64, clock, log });
    await setWord("a", "one", "acc_1/x");
    await setWord("a", "two", "acc_2/x");
    const refused = { error: "quota_exceeded", extras: { members: { bound: "indexMemory" } } };
    const fill = () => projections.ask(mirrorKind, "acc_1/x", "fill", undefined);
    await expect(fill()).rejects.toMatchObject(refused);
    expect((await read("acc_2/x")).words.get("a")).toBe("two");
    for (const ms of [0, 59_999]) {
      clock.advance(ms);
      await expect(fill()).rejects.toMatchObject(refused);
      await expect(read("acc_1/x")).rejects.toMatchObject(refused);
    }
    expect(started).toBe(3);
    clock.advance(1);
    expect((await read("acc_1/x")).words.get("a")).toBe("one");
  });

  it("restarts when a projection fills its heap while it is built", async () => {
    const { read, setWord } = await open({ maxHeapMb: 64 });
    await setWord("a", "fills the heap", "acc_1/x");
    await setWord("a", "one", "acc_2/x");
    const [fatal, other] = await Promise.allSettled([read("acc_1/x"), read("acc_2/x")]);
    expect(fatal).toMatchObject({ status: "rejected", reason: { error: "quota_exceeded" } });
    expect(other).toMatchObject({ status: "fulfilled" });
  });

  it.skipIf(process.platform === "win32")(
    "is rebuilt in another process where the first is stopped between two questions",
    async () => {
      const said: string[] = [];
      const pids: number[] = [];
      const log = {
        debug: (details: object) => void ("pid" in details && pids.push(Number(details.pid))),
        warn: (_: object, message = "") => void said.push(message),
      };
      let tick = () => {};
      const clock: Clock = {
        ...systemClock,
        every: (_, work) => {
          tick = work;
          return () => {};
        },
      };
      const { read, setWord } = await open({ clock, log });
      await setWord("a", "one");
      expect((await read()).words.get("a")).toBe("one");
      // Lets it end its turn. One that is stopped in a turn is replaced, too.
      await systemClock.sleep(100);
      process.kill(pids[0] as number, "SIGSTOP");
      await setWord("a", "two");
      const answer = read();
      while (said.length === 0) {
        tick();
        await systemClock.sleep(10);
      }
      expect((await answer).words.get("a")).toBe("two");
      expect([pids.length, said]).toEqual([2, ["the index process hangs: it is replaced"]]);
    },
  );

  it("refuses questions once it is closed", async () => {
    const { projections, read } = await open();
    await read();
    await projections.close();
    await expect(read()).rejects.toMatchObject({ error: "overloaded" });
  });
});
