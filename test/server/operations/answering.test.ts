import { describe, expect, it } from "vitest";
import type { Caller } from "../../../src/contract/caller.ts";
import { Answering, answeringStore } from "../../../src/server/operations/answering.ts";
import { collection, type Store } from "../../../src/store/store.ts";
import { openTestStore } from "../../support/store.ts";

const things = collection<{ n: number }>("things");

type Roles = Required<Pick<Caller, "answer" | "step">>;

/** Opens a store that knows which transaction holds the answer, and a function that runs handlers over it. */
async function openAnswering({ strict = true } = {}) {
  const plain = await openTestStore();
  const store = answeringStore(plain);
  const kept: string[] = [];
  const steps: unknown[] = [];
  const run = (handler: (roles: Roles) => Promise<unknown>) => {
    const answering = new Answering({
      endpoint: "things.make",
      render: (result) => ({
        status: (result as { status?: number } | undefined)?.status ?? 200,
        headers: {},
        body: JSON.stringify(result),
      }),
      keep: {
        async answer(tx, { body }) {
          await tx.put(things, "kept", "answer", { n: kept.length });
          kept.push(String(body));
        },
        stepDone: async (_, number) => (number <= steps.length ? { result: steps[number - 1] } : undefined),
        async step(_, number, result) {
          steps[number - 1] = result;
        },
      },
      strict,
    });
    return answering.run(() => handler({ answer: answering.asAnswer, step: answering.asStep }));
  };
  const written = async () => (await plain.transact((tx) => tx.list(things, "acc"))).map(({ id }) => id);
  return { store, plain, run, kept, written };
}

describe("a handler", () => {
  it("keeps the answer of its answering transaction, and may read in others", async () => {
    const { store, run, kept, written } = await openAnswering();
    const { answer, committed } = await run(async (caller) => {
      await store.transact((tx) => tx.get(things, "acc", "a"));
      return store.transact(async (tx) => {
        await tx.put(things, "acc", "a", { n: 1 });
        return { made: "a" };
      }, caller.answer);
    });
    expect([answer.body, committed, kept]).toEqual(['{"made":"a"}', true, ['{"made":"a"}']]);
    expect(await written()).toEqual(["a"]);
  });

  it("does each step once, even if it is run again after a crash", async () => {
    const { store, run, written, kept } = await openAnswering();
    const done: string[] = [];
    const handler = (crash: boolean) => async (caller: Roles) => {
      const gave: unknown[] = [];
      for (const id of ["a", "b", "c"]) {
        gave.push(
          await store.transact(async (tx) => {
            done.push(id);
            await tx.insert(things, "acc", id, { n: 1 });
            return { id };
          }, caller.step),
        );
        if (crash && id === "b") throw new Error("crash");
      }
      return store.transact(async () => ({ gave }), caller.answer);
    };
    await expect(run(handler(true))).rejects.toThrow("crash");
    await run(handler(false));
    expect([done, await written()]).toEqual([
      ["a", "b", "c"],
      ["a", "b", "c"],
    ]);
    expect(kept).toEqual(['{"gave":[{"id":"a"},{"id":"b"},{"id":"c"}]}']);
  });

  it("may answer without an effect, and may repeat an answering transaction that gave no answer", async () => {
    const { store, run, kept } = await openAnswering();
    expect(await run(async () => ({ n: 1 }))).toMatchObject({ committed: false });
    const { answer } = await run(async (caller) => {
      await store.transact(async (tx) => void (await tx.get(things, "acc", "a")), caller.answer);
      return store.transact(async () => ({ n: 2 }), caller.answer);
    });
    expect([answer.body, kept]).toEqual(['{"n":2}', ['{"n":2}']]);
  });

  it.each<[string, (store: Store, caller: Roles) => Promise<unknown>]>([
    [
      "has an effect in a transaction that is neither a step nor gives the answer",
      (store) => store.transact((tx) => tx.put(things, "acc", "a", { n: 1 })),
    ],
    [
      "gives something else than its answering transaction did",
      async (store, caller) => ({ ...(await store.transact(async () => ({ n: 1 }), caller.answer)) }),
    ],
    [
      "writes in an answering transaction that gives no answer",
      (store, caller) => store.transact((tx) => tx.put(things, "acc", "a", { n: 1 }), caller.answer),
    ],
    [
      "answers twice",
      async (store, caller) => {
        await store.transact(async () => ({ n: 1 }), caller.answer);
        return store.transact(async () => ({ n: 2 }), caller.answer);
      },
    ],
    [
      "commits an answer of 409",
      (store, caller) => store.transact(async () => ({ status: 409 }), caller.answer),
    ],
  ])("that %s fails in tests, and leaves nothing behind", async (fault, handler) => {
    const { store, run, written } = await openAnswering();
    await expect(run((caller) => handler(store, caller))).rejects.toThrow(`things.make ${fault}`);
    expect(await written()).toEqual([]);
  });

  it("is not checked outside of tests", async () => {
    const { store, run, written } = await openAnswering({ strict: false });
    await run(() => store.transact((tx) => tx.put(things, "acc", "a", { n: 1 })));
    expect(await written()).toEqual(["a"]);
  });

  it("has a plain store once it has returned, and outside of a request", async () => {
    const { store, run, kept } = await openAnswering();
    let late: Roles | undefined;
    await run(async (caller) => {
      late = caller;
      return {};
    });
    for (const role of [undefined, late?.answer, late?.step]) {
      expect(await store.transact(async () => 1, role)).toBe(1);
    }
    expect(kept).toEqual([]);
  });

  it("hears what a role is if it gives anything else", async () => {
    const { store, written } = await openAnswering();
    const role = "answer" as unknown as Roles["answer"];
    const write = store.transact((tx) => tx.put(things, "acc", "a", { n: 1 }), role);
    await expect(write).rejects.toThrow('"answer" is no role of a transaction: use caller.answer');
    expect(await written()).toEqual([]);
  });

  it("takes nothing of the run along when its caller's members are written as JSON", async () => {
    const { run } = await openAnswering();
    const { answer } = await run(async ({ answer, step }) => ({ answer, step }));
    expect(answer.body).toBe('{"answer":{"role":"answer"},"step":{"role":"step"}}');
  });
});
