import type { Caller } from "../../contract/caller.ts";
import { type Handlers, Reply } from "../../contract/endpoint.ts";
import { jsonText } from "../../contract/json-text.ts";
import { Problem } from "../../contract/problem.ts";
import { projectSpace, type Space, type Store } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import type { Random } from "../../system/random.ts";
import type { knowledgeGraphContract } from "./contract.ts";
import { deleteEntity, deleteRelationship } from "./delete.ts";
import { entities, entityOf, relationshipKey, relationshipOf } from "./documents.ts";
import { graphIn } from "./formats/formats.ts";
import { createGraphProjections } from "./graph-projection.ts";
import { pathTo, type Reached, reach, shortestPath } from "./reach.ts";
import { recordEntity, recordRelationship, requireEnds } from "./record.ts";
import { recordImport } from "./record-import.ts";
import { readWholeGraph } from "./whole-graph.ts";

export interface KnowledgeGraphPorts {
  store: Store;
  clock: Clock;
  random: Random;
  /** Makes the project unless it is there, before anything is written in it. */
  ensureProject: (accountId: string, projectId: string) => Promise<void>;
}

const PART = 1000;

export function createKnowledgeGraph(ports: KnowledgeGraphPorts): Handlers<typeof knowledgeGraphContract> {
  const { store, clock, random, ensureProject } = ports;
  const projections = createGraphProjections(store);

  async function writableSpaceOf(caller: Caller): Promise<Space> {
    await ensureProject(caller.accountId, caller.projectId);
    return spaceOf(caller);
  }

  async function requireEntity(space: Space, id: string) {
    const document = await store.transact((tx) => tx.get(entities, space, id));
    if (document) return entityOf(id, document);
    throw new Problem("not_found", `There is no entity "${id}" in this project.`);
  }

  return {
    show: async ({ format }, caller) => graphIn(format, readWholeGraph(store, spaceOf(caller))),

    async search(query, caller) {
      const space = spaceOf(caller);
      const projection = await projections.read(space);
      const hits = projection.search(query);
      const ids = hits.map(({ document }) => projection.graph.nodes.nameOf(document));
      const found = await store.transact((tx) => Promise.all(ids.map((id) => tx.get(entities, space, id))));
      return {
        items: hits.flatMap(({ score, matched }, index) => {
          const [id, document] = [ids[index] as string, found[index]];
          return document ? [{ entity: entityOf(id, document), score, matched }] : [];
        }),
      };
    },

    async addEntity(entity, caller) {
      const space = await writableSpaceOf(caller);
      const id = entity.id ?? random.id("ent");
      const now = clock.now();
      return store.transact(async (tx) => {
        const { document, created } = await recordEntity(tx, space, id, entity, now);
        return new Reply({ entity: entityOf(id, document), created }, { status: created ? 201 : 200 });
      }, "answer");
    },

    async addRelationship(relationship, caller) {
      const space = await writableSpaceOf(caller);
      const key = relationshipKey(relationship);
      const now = clock.now();
      return store.transact(async (tx) => {
        await requireEnds(tx, space, [relationship]);
        const { document, created } = await recordRelationship(tx, space, key, relationship, now);
        return new Reply(
          { relationship: relationshipOf(document), created },
          { status: created ? 201 : 200 },
        );
      }, "answer");
    },

    async import(input, caller) {
      const space = await writableSpaceOf(caller);
      const entities = input.entities.map((entity) => ({ ...entity, id: entity.id ?? random.id("ent") }));
      const now = clock.now();
      return store.transact((tx) => recordImport(tx, space, { ...input, entities }, now), "answer");
    },

    deleteEntity: async ({ entityId }, caller) => ({
      deleted: await deleteEntity({ store, projections }, spaceOf(caller), entityId),
    }),

    deleteRelationship: async (relationship, caller) => ({
      deleted: await deleteRelationship(store, spaceOf(caller), relationship),
    }),

    async impact({ entityId, depth, direction, type }, caller) {
      const space = spaceOf(caller);
      const entity = await requireEntity(space, entityId);
      const { graph } = await projections.read(space);
      const reached = reach(graph, entityId, { direction, type }, depth);
      const counts = Object.fromEntries(Array.from({ length: depth }, (_, index) => [index + 1, 0]));
      for (const { distance } of reached) counts[distance] = (counts[distance] ?? 0) + 1;
      return Reply.raw(jsonText({ entity, depth, direction, entities: withPaths(reached), counts }));
    },

    async path({ from, to, direction, type }, caller) {
      const space = spaceOf(caller);
      for (const id of new Set([from, to])) await requireEntity(space, id);
      const { graph } = await projections.read(space);
      const path = shortestPath(graph, from, to, { direction, type }) ?? null;
      return { from, to, direction, distance: path?.length ?? null, path };
    },
  };
}

/** In parts, since all paths together can be far longer than all entities. */
function* withPaths(reached: readonly Reached[]) {
  for (let start = 0; start < reached.length; start += PART) {
    const part = reached.slice(start, start + PART);
    yield part.map((each) => ({ id: each.id, distance: each.distance, path: pathTo(each) }));
  }
}

function spaceOf({ accountId, projectId }: Caller): Space {
  return projectSpace(accountId, projectId);
}
