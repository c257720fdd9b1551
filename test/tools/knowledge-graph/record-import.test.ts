import { Readable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Problem } from "../../../src/contract/problem.ts";
import { openMemoryStore } from "../../../src/store/memory.ts";
import type { Projections } from "../../../src/store/projection.ts";
import { type Store, spaceOf } from "../../../src/store/store.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { deleteEntity } from "../../../src/tools/knowledge-graph/delete.ts";
import { entities, relationships } from "../../../src/tools/knowledge-graph/documents.ts";
import { packImport } from "../../../src/tools/knowledge-graph/read-import.ts";
import { recordEntity } from "../../../src/tools/knowledge-graph/record.ts";
import { recordImport } from "../../../src/tools/knowledge-graph/record-import.ts";

const CALLER = {
  accountId: "acc",
  projectId: "default",
  answer: { role: "answer" },
  step: { role: "step" },
} as const;
const SPACE = spaceOf(CALLER);

function open() {
  const memory = openMemoryStore(systemClock);
  onTestFinished(() => memory.close());
  let made = 0;
  const record = (transact: Store["transact"], body: Parameters<typeof packImport>[0]) =>
    recordImport(
      { store: { transact } as Store, clock: systemClock, newId: () => `made-${++made}` },
      CALLER,
      Readable.from(packImport(body)),
    );
  return { transact: memory.transact, record };
}

const nodes = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `node-${index}`, type: "node", name: `Node ${index}` }));

type Record = (body: Parameters<typeof packImport>[0]) => Promise<unknown>;

async function addEach(transact: Store["transact"], all: ReturnType<typeof nodes>) {
  for (const node of all) await transact((tx) => recordEntity(tx, SPACE, node.id, node, 0));
}

/** The index of a graph in which nothing is related yet. */
const WITHOUT_RELATIONSHIPS = {
  ask: async () => ({ answer: { keys: [] }, versions: new Map() }),
} as unknown as Projections;

describe("recordImport", () => {
  it("counts each entity and relationship once across many transactions", async () => {
    const { transact, record } = open();
    const steps: unknown[] = [];
    const noting: Store["transact"] = (work, as) => {
      if (as === CALLER.step) steps.push(as);
      return transact(work);
    };
    const all = nodes(2000);
    const chain = all.slice(1).map(({ id }, index) => ({ from: `node-${index}`, to: id, type: "next" }));
    await record(transact, { entities: all.slice(0, 30), relationships: [] });
    expect(
      await record(noting, { entities: [...all, { type: "node", name: "No id" }], relationships: chain }),
    ).toEqual({
      entities: { created: 1971, updated: 30 },
      relationships: { created: 1999, updated: 0 },
    });
    expect(steps.length).toBeGreaterThan(2);
    expect(await transact((tx) => tx.ids(entities, SPACE))).toHaveLength(2001);
  });

  it("names missing ends in the order of the request, and writes nothing", async () => {
    const { transact, record } = open();
    // Later lookups are answered first.
    let waiting = 0;
    const late: Store["transact"] = async (work) => {
      const result = await transact(work);
      for (let turns = 8 - 2 * waiting++; turns > 0; turns--) await new Promise(setImmediate);
      return result;
    };
    const relationships = nodes(600).map(({ id }) => ({ from: id, to: id, type: "self" }));
    const fault = await record(late, {
      entities: [{ id: "one", type: "node", name: "One" }],
      relationships,
    }).catch((error: unknown) => error);
    expect(fault).toMatchObject({ error: "unprocessable" });
    const { errors } = (fault as Problem).extras;
    expect(errors).toEqual(
      Array.from({ length: 100 }, (_, index) => ({
        path: `relationships.${index}.from`,
        message: `there is no entity "node-${index}"`,
      })),
    );
    expect(await transact((tx) => tx.ids(entities, SPACE))).toEqual([]);
  });

  it.each([
    ["an import", (record: Record) => record({ entities: nodes(2), relationships: [] })],
    ["single requests", (_: Record, transact: Store["transact"]) => addEach(transact, nodes(2))],
  ])("relates nothing to an entity of %s that is deleted while it records", async (_, addNodes) => {
    const { transact, record } = open();
    await addNodes((body) => record(transact, body), transact);
    let isDeleted = false;
    const deletingFirst: Store["transact"] = async (work, as) => {
      if (as === CALLER.step && !isDeleted) {
        isDeleted = true;
        await deleteEntity(
          { store: { transact } as Store, projections: WITHOUT_RELATIONSHIPS },
          SPACE,
          "node-1",
        );
      }
      return transact(work);
    };
    const body = { entities: [], relationships: [{ from: "node-0", to: "node-1", type: "next" }] };
    await expect(record(deletingFirst, body)).rejects.toMatchObject({
      error: "unprocessable",
      extras: { errors: [{ path: "to", message: 'there is no entity "node-1"' }] },
    });
    expect(isDeleted).toBe(true);
    expect(await transact((tx) => tx.ids(relationships, SPACE))).toEqual([]);
  });

  it("refuses the recorded steps of a version that sliced the import differently", async () => {
    const { record } = open();
    const before = { entities: { created: 1000, updated: 0 }, relationships: { created: 0, updated: 0 } };
    const repeating = (async () => before) as unknown as Store["transact"];
    await expect(record(repeating, { entities: nodes(2), relationships: [] })).rejects.toMatchObject({
      error: "idempotency_mismatch",
    });
  });

  it("records at most four slices at a time", async () => {
    const { transact, record } = open();
    let [underWay, most] = [0, 0];
    const slow: Store["transact"] = async (work) => {
      most = Math.max(most, ++underWay);
      for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate);
      const result = await transact(work);
      underWay--;
      return result;
    };
    const all = nodes(2000);
    const chain = all.slice(1).map(({ id }, index) => ({ from: `node-${index}`, to: id, type: "next" }));
    expect((await record(slow, { entities: all, relationships: chain })).relationships.created).toBe(1999);
    expect(most).toBe(4);
  });

  it("waits for slices in progress before it reports a failure", async () => {
    const { transact, record } = open();
    let [begun, ended] = [0, 0];
    const failing: Store["transact"] = async (work) => {
      const mine = ++begun;
      if (mine === 2) throw new Error("the disk is full");
      const result = await transact(work);
      for (let turns = 0; turns < 10; turns++) await new Promise(setImmediate);
      ended++;
      return result;
    };
    await expect(record(failing, { entities: nodes(3000), relationships: [] })).rejects.toThrow(
      "the disk is full",
    );
    expect(ended).toBe(begun - 1);
    expect(begun).toBeLessThan(12);
  });
});
