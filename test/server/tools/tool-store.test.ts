import { describe, expect, it } from "vitest";
import { projects } from "../../../src/accounts/model.ts";
import { createProjects } from "../../../src/accounts/projects/projects.ts";
import { auditCollections } from "../../../src/audit/model.ts";
import { projectMaking } from "../../../src/server/tools/project-making.ts";
import { toolStore } from "../../../src/server/tools/tool-store.ts";
import { accountSpace, collection, GLOBAL, projectSpace } from "../../../src/store/store.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { testTrail } from "../../support/accounts/audit.ts";
import { openTestStore } from "../../support/store.ts";

const notes = collection<{ text: string }>("notes", { changes: true });
const others = collection<{ text: string }>("others", { changes: true });

async function open() {
  const plain = await openTestStore({ collections: [notes, others, projects, ...auditCollections] });
  const maker = createProjects({
    store: plain,
    audit: testTrail(plain, systemClock),
    clock: systemClock,
    plans: [],
  });
  const making = projectMaking(plain, maker);
  const store = toolStore({
    store: making,
    tool: { name: "notebook", collections: [notes], counters: ["seen"] },
  });
  const made = () => plain.transact((tx) => tx.list(projects, accountSpace("acc_a")));
  return { plain, store, made };
}

const space = projectSpace("acc_a", "shop/eu");

describe("a tool's store", () => {
  it("allows only the collections that its tool declares", async () => {
    const { store } = await open();
    const undeclared = /the tool notebook uses the collection "others", which it does not declare/i;
    const asking = [
      store.transact(async (tx) => tx.get(others, space, "a")),
      store.transact(async (tx) => tx.has(others, space, "a")),
      store.transact(async (tx) => tx.peek(others, space, "a")),
      store.transact(async (tx) => tx.list(others, space)),
      store.transact(async (tx) => tx.changes(others, space)),
      store.transact(async (tx) => tx.insert(others, space, "a", { text: "" })),
      store.transact(async (tx) => tx.put(others, space, "a", { text: "" })),
      store.transact(async (tx) => tx.delete(others, space, "a")),
    ];
    for (const outcome of await Promise.allSettled(asking)) {
      expect(outcome).toMatchObject({
        reason: expect.objectContaining({ message: expect.stringMatching(undeclared) }),
      });
    }
    await store.transact((tx) => tx.put(notes, space, "a", { text: "kept" }));
    expect(await store.transact((tx) => tx.get(notes, space, "a"))).toEqual({ text: "kept" });
  });

  it("allows only the counters that its tool declares", async () => {
    const { store } = await open();
    const all = { from: "", to: "~" };
    for (const use of [
      store.transact((tx) => tx.increment("usage", space, "a", 1)),
      store.transact((tx) => tx.counts("usage", space, all)),
      store.transact((tx) => tx.deleteCounts("usage", space, all)),
    ]) {
      await expect(use).rejects.toThrow(
        'The tool notebook uses the counter "usage", which it does not declare: add it to the tool\'s `counters`.',
      );
    }
    expect(await store.transact((tx) => tx.increment("seen", space, "a", 2))).toBe(2);
  });

  it("refuses an id that is no string, or that not every adapter can hold, in words", async () => {
    const { store } = await open();
    const note = { text: "kept" };
    for (const [id, message] of [
      [42 as unknown as string, 'The id of a document in "notes" must be a string; number is none'],
      ["a\0", 'The id of a document in "notes" must have whole characters and no NUL'],
      ["\ud800", "take it as Name or UserId, which refuse others"],
    ] as const) {
      for (const use of ["put", "insert", "get", "has", "peek", "delete"] as const) {
        const used = store.transact<unknown>(async (tx) => tx[use](notes, space, id, note));
        await expect(used, use).rejects.toThrow(message);
      }
    }
  });

  it("creates a project on write, and none on read, delete or failure", async () => {
    const { store, made } = await open();
    await store.transact((tx) => tx.get(notes, space, "a"));
    await store.transact((tx) => tx.delete(notes, space, "a"));
    await store.transact((tx) => tx.put(notes, GLOBAL, "a", { text: "nobody's" }));
    expect(await made()).toEqual([]);
    const given = new Error("given up");
    const failing = store.transact(async (tx) => {
      await tx.put(notes, space, "a", { text: "lost" });
      throw given;
    });
    await expect(failing).rejects.toBe(given);
    expect(await store.transact((tx) => tx.list(notes, space))).toEqual([]);
    await store.transact((tx) => tx.insert(notes, space, "a", { text: "kept" }));
    expect((await made()).map(({ id }) => id)).toEqual(["shop/eu"]);
    await store.transact((tx) => tx.put(notes, space, "b", { text: "kept" }));
    expect(await made()).toHaveLength(1);
  });

  it("creates a project for a counter", async () => {
    const { store, made } = await open();
    await store.transact((tx) => tx.increment("seen", space, "a", 1));
    expect((await made()).map(({ id }) => id)).toEqual(["shop/eu"]);
  });
});
