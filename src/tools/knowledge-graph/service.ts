import { type Handlers, Reply } from "../../contract/endpoint.ts";
import { inParts, jsonText } from "../../contract/json-text.ts";
import { Problem } from "../../contract/problem.ts";
import type { Projections } from "../../store/projection.ts";
import { type Space, type Store, spaceOf } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { othersFirst } from "../../system/others-first.ts";
import type { Random } from "../../system/random.ts";
import type { knowledgeGraphContract } from "./contract.ts";
import { deleteEntity, deleteMany, deleteRelationship } from "./delete.ts";
import { entities, entityOf, relationshipKey, relationshipOf } from "./documents.ts";
import { graphIn } from "./formats/formats.ts";
import { type Found, graphKind } from "./graph/graph-kind.ts";
import { readWholeGraph } from "./graph/whole-graph.ts";
import type { importJob } from "./import-job.ts";
import { recordEntity, recordRelationship, requireEnds } from "./record.ts";
import { recordImport } from "./record-import.ts";

export interface KnowledgeGraphPorts {
  store: Store;
  projections: Projections;
  clock: Clock;
  random: Random;
}

/** Characters of entities that are read and written out at a time: few enough not to delay others. */
const MAX_SLICE_CHARACTERS = 128 * 1024;

export function createKnowledgeGraph(ports: KnowledgeGraphPorts): Handlers<typeof knowledgeGraphContract> {
  const { store, projections, clock, random } = ports;

  async function requireEntity(space: Space, id: string) {
    const document = await store.transact((tx) => tx.get(entities, space, id));
    if (document) return entityOf(id, document);
    throw noEntity(id);
  }

  /** Yields the entities that were found, as they are in the store. */
  async function* read(space: Space, found: readonly Found[]) {
    for (const slice of inParts(found, MAX_SLICE_CHARACTERS)) {
      const documents = await store.transact((tx) =>
        Promise.all(slice.map(({ id }) => tx.get(entities, space, id))),
      );
      yield slice.flatMap(({ id, score, matched }, index) => {
        const document = documents[index];
        return document ? [{ entity: entityOf(id, document), score, matched }] : [];
      });
      await othersFirst();
    }
  }

  return {
    show: async ({ format }, caller) =>
      graphIn(format, readWholeGraph(ports, spaceOf(caller), caller.signal)),

    async search(query, caller) {
      const space = spaceOf(caller);
      const { signal } = caller;
      const { answer } = await projections.ask(graphKind, space, "search", query, { signal });
      const partial = answer.isPartial ? { partial: true as const } : {};
      const characters = answer.items.reduce((sum, { size }) => sum + size, 0);
      const items = read(space, answer.items);
      if (characters > MAX_SLICE_CHARACTERS) return Reply.raw(jsonText({ items, ...partial }));
      return { items: (await items.next()).value ?? [], ...partial };
    },

    async layout(input, caller) {
      const { signal } = caller;
      const { answer } = await projections.ask(graphKind, spaceOf(caller), "layout", input, { signal });
      if (answer) return answer;
      throw noEntity(input.entityId ?? input.community ?? "");
    },

    showEntity: async ({ entityId }, caller) => ({
      entity: await requireEntity(spaceOf(caller), entityId),
    }),

    async addEntity(entity, caller) {
      const space = spaceOf(caller);
      const id = entity.id ?? random.id("ent");
      const now = clock.now();
      return store.transact(async (tx) => {
        const { document, created } = await recordEntity(tx, space, id, entity, now);
        return new Reply({ entity: entityOf(id, document), created }, { status: created ? 201 : 200 });
      }, caller.answer);
    },

    async addRelationship(relationship, caller) {
      const space = spaceOf(caller);
      const key = relationshipKey(relationship);
      const now = clock.now();
      return store.transact(async (tx) => {
        await requireEnds(tx, space, [relationship]);
        const { document, created } = await recordRelationship(tx, space, key, relationship, now);
        return new Reply(
          { relationship: relationshipOf(document), created },
          { status: created ? 201 : 200 },
        );
      }, caller.answer);
    },

    async import(work, caller) {
      const packed = await work.run<typeof importJob>({ context: undefined });
      return recordImport({ ...ports, newId: () => random.id("ent") }, caller, packed);
    },

    deleteEntity: async ({ entityId }, caller) => ({
      deleted: await deleteEntity(ports, spaceOf(caller), entityId),
    }),

    deleteMany: async (given, caller) => ({ deleted: await deleteMany(ports, spaceOf(caller), given) }),

    deleteRelationship: async (relationship, caller) => ({
      deleted: await deleteRelationship(store, spaceOf(caller), relationship),
    }),

    async impact({ entityId, depth, direction, type }, caller) {
      const space = spaceOf(caller);
      const entity = await requireEntity(space, entityId);
      const { signal } = caller;
      const asked = { entityId, depth, ways: { direction, type } };
      const { answer, text } = await projections.ask(graphKind, space, "impact", asked, { signal });
      const head = JSON.stringify({ entity, depth, direction }).slice(0, -1);
      return Reply.raw(
        enclosed(`${head},"entities":[`, text, `],"counts":${JSON.stringify(answer.counts)}}`),
      );
    },

    async path({ from, to, direction, type }, caller) {
      const space = spaceOf(caller);
      for (const id of new Set([from, to])) await requireEntity(space, id);
      const { signal } = caller;
      const asked = { from, to, ways: { direction, type } };
      const { answer } = await projections.ask(graphKind, space, "path", asked, { signal });
      const { path } = answer;
      return { from, to, direction, distance: path?.length ?? null, path };
    },
  };
}

function noEntity(id: string): Problem {
  return new Problem("not_found", `There is no entity "${id}" in this project.`);
}

async function* enclosed(head: string, text: AsyncIterable<Buffer>, foot: string) {
  yield head;
  yield* text;
  yield foot;
}
