import type { Projections } from "../../../store/projection.ts";
import type { Collection, Entry, Space, Store } from "../../../store/store.ts";
import { iso } from "../../../system/clock.ts";
import { othersFirst } from "../../../system/others-first.ts";
import { entities, entityOf, relationshipOf, relationships } from "../documents.ts";
import type { Entity, Relationship } from "../graph-contract.ts";
import { graphKind } from "./graph-kind.ts";
import type { Part } from "./graph-projection.ts";

/** Characters of documents that are read and written out at a time: few enough not to delay others. */
const MAX_CHARACTERS = 128 * 1024;

/** A whole graph as it is sent: all entities, then the relationships among them, page by page. */
export interface WholeGraph {
  entities(): AsyncGenerator<Entity[]>;
  relationships(): AsyncGenerator<Relationship[]>;
  /** Counts of what was read so far. */
  counts(): { entities: number; relationships: number };
  updatedAt(): string | null;
}

export interface WholeGraphPorts {
  store: Pick<Store, "transact">;
  projections: Projections;
}

/** Reads a whole graph without delaying writers. A relationship added meanwhile appears only with both its ends. */
export function readWholeGraph(ports: WholeGraphPorts, space: Space, signal: AbortSignal): WholeGraph {
  const ids = new Set<string>();
  let related = 0;
  let updatedAt: number | undefined;
  const note = (times: { updatedAt: number }): void => {
    updatedAt = Math.max(updatedAt ?? 0, times.updatedAt);
  };
  const pages = <T>(part: Part, collection: Collection<T>) =>
    pagesOf(ports, space, { part, collection, signal });
  return {
    async *entities() {
      for await (const page of pages("entities", entities)) {
        for (const { id, value } of page) {
          ids.add(id);
          note(value);
        }
        yield page.map(({ id, value }) => entityOf(id, value));
      }
    },
    async *relationships() {
      for await (const page of pages("relationships", relationships)) {
        const known = page.filter(({ value }) => ids.has(value.from) && ids.has(value.to));
        for (const { value } of known) note(value);
        related += known.length;
        yield known.map(({ value }) => relationshipOf(value));
      }
    },
    counts: () => ({ entities: ids.size, relationships: related }),
    updatedAt: () => (updatedAt === undefined ? null : iso(updatedAt)),
  };
}

/** Yields documents page by page: the index lists their names in order, and the store has the documents. */
async function* pagesOf<T>(
  { store, projections }: WholeGraphPorts,
  space: Space,
  { part, collection, signal }: { part: Part; collection: Collection<T>; signal: AbortSignal },
): AsyncGenerator<Entry<T>[]> {
  let after: string | undefined;
  for (;;) {
    const asked = { part, after, maxCharacters: MAX_CHARACTERS };
    const { answer } = await projections.ask(graphKind, space, "page", asked, { signal });
    const { names } = answer;
    if (names.length === 0) return;
    after = names.at(-1);
    const values = await store.transact((tx) =>
      Promise.all(names.map((id) => tx.get(collection, space, id))),
    );
    yield names.flatMap((id, index) => {
      const value = values[index];
      return value === undefined ? [] : [{ id, value }];
    });
    await othersFirst();
  }
}
