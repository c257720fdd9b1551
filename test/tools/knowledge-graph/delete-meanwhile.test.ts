import { describe, expect, it, onTestFinished } from "vitest";
import { openMemoryStore } from "../../../src/store/memory.ts";
import type { Projections } from "../../../src/store/projection.ts";
import { projectSpace, type Store, type Transaction } from "../../../src/store/store.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { deleteEntity } from "../../../src/tools/knowledge-graph/delete.ts";
import {
  entities,
  type RelationshipDocument,
  relationshipKey,
  relationships,
} from "../../../src/tools/knowledge-graph/documents.ts";
import { graphKind } from "../../../src/tools/knowledge-graph/graph/graph-kind.ts";
import { recordEntity } from "../../../src/tools/knowledge-graph/record.ts";

const SPACE = projectSpace("acc", "default");
const HUB = "hub";

function relationship(line: string): RelationshipDocument {
  const [from = "", to = ""] = line.split(" ");
  return { from, to, type: "t", createdAt: 0, updatedAt: 0 };
}
const keyOf = (line: string) => relationshipKey(relationship(line));
const put = (tx: Transaction, line: string, more: Partial<RelationshipDocument> = {}) =>
  tx.put(relationships, SPACE, keyOf(line), { ...relationship(line), ...more });

/** Opens a store with a hub and relationships, and an index that misses writes made while it answers. */
async function open(...lines: string[]) {
  const memory = openMemoryStore(systemClock);
  onTestFinished(() => memory.close());
  const { transact } = memory;
  await transact(async (tx) => {
    await recordEntity(tx, SPACE, HUB, { type: "node", name: HUB }, 0);
    for (const line of lines) await put(tx, line);
  });
  const left = async () => {
    const found = await transact((tx) => tx.list(relationships, SPACE));
    return found.map(({ value: { from, to } }) => `${from} ${to}`).toSorted();
  };
  const limits: number[] = [];
  async function remove(...meanwhile: ((tx: Transaction) => Promise<unknown>)[]) {
    const ask = async (kind: unknown, _: string, name: string, asked: { ids: string[]; limit: number }) => {
      expect([kind, name, asked.ids]).toEqual([graphKind, "keysAt", [HUB]]);
      limits.push(asked.limit);
      const keys = (await left()).filter((line) => line.split(" ").includes(HUB)).map(keyOf);
      const changes = await transact((tx) => tx.changes(relationships, SPACE));
      if (changes === "reset") throw new Error("nothing is too old");
      await transact(meanwhile.shift() ?? (async () => {}));
      return {
        answer: { keys: keys.slice(0, asked.limit) },
        versions: new Map([[relationships.name, changes.version]]),
      };
    };
    const ports = { store: { transact } as Store, projections: { ask } as unknown as Projections };
    const deleted = await deleteEntity(ports, SPACE, HUB);
    const isThere = await transact((tx) => tx.has(entities, SPACE, HUB));
    expect(isThere).toBe(false);
    return { deleted, left: await left(), asked: limits.length };
  }
  return { remove };
}

const many = (count: number) => Array.from({ length: count }, (_, at) => `e${10_000 + at} ${HUB}`);

describe("deleteEntity() during concurrent writes", () => {
  it("deletes relationships that were added since the index answered, in both directions", async () => {
    const { remove } = await open("a hub", "hub b", "a b");
    const meanwhile = async (tx: Transaction) => {
      for (const line of ["c hub", "hub d", "c d"]) await put(tx, line);
    };
    expect(await remove(meanwhile)).toEqual({
      deleted: { entities: 1, relationships: 4 },
      left: ["a b", "c d"],
      asked: 1,
    });
  });

  it("counts no relationship that was deleted meanwhile, and a replaced one only once", async () => {
    const { remove } = await open("a hub", "hub b", "a b");
    const meanwhile = async (tx: Transaction) => {
      await tx.delete(relationships, SPACE, keyOf("hub b"));
      await put(tx, "a hub", { weight: 2 });
    };
    expect(await remove(meanwhile)).toEqual({
      deleted: { entities: 1, relationships: 1 },
      left: ["a b"],
      asked: 1,
    });
  });

  it("queries the index again if too much was written meanwhile", async () => {
    const { remove } = await open("a hub");
    const meanwhile = async (tx: Transaction) => {
      for (let at = 0; at < 20; at++) await put(tx, `c d${at}`, { properties: { text: "x".repeat(4000) } });
      await put(tx, "z hub");
    };
    const { deleted, left, asked } = await remove(meanwhile);
    expect([deleted, asked]).toEqual([{ entities: 1, relationships: 2 }, 2]);
    expect(left).toHaveLength(20);
  });

  it.each([
    [999, 1],
    [1000, 2],
    [1001, 2],
    [2001, 3],
  ])("deletes %i relationships with %i queries of the index", async (count, asked) => {
    const { remove } = await open(...many(count));
    expect(await remove()).toEqual({ deleted: { entities: 1, relationships: count }, left: [], asked });
  });

  it("fails with not_found if the entity was deleted meanwhile", async () => {
    const { remove } = await open("a hub");
    await expect(remove((tx) => tx.delete(entities, SPACE, HUB))).rejects.toMatchObject({
      error: "not_found",
      message: expect.stringContaining('entity "hub"'),
    });
  });
});
