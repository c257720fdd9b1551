import { type HostedKind, source, WithText } from "../../../store/projection.ts";
import { entities, relationships } from "../documents.ts";
import { type GraphQuestions, graphKind } from "./graph-kind.ts";
import { GraphProjection } from "./graph-projection.ts";
import { layout } from "./layout/layout.ts";
import { pathTo, type Reached, reach, shortestPath } from "./reach.ts";

/** Memory that a reached entity takes until it is sent. */
const REACHED_BYTES = 160;

/** The graphs of projects in the index process. */
export const graphIndex: HostedKind<GraphProjection, GraphQuestions> = {
  kind: graphKind,
  sources: [
    source(entities, (projection: GraphProjection, { id, value, size }) =>
      value ? projection.putEntity(id, value, size) : projection.removeEntity(id),
    ),
    source(relationships, (projection: GraphProjection, { id, value, size }) => {
      if (value) return projection.putRelationship(id, value, size);
      projection.removeRelationship(id);
    }),
  ],
  empty: (maxBytes) => new GraphProjection(maxBytes),
  answers: {
    *search(projection, query) {
      projection.requireWhole();
      const { nodes } = projection.graph;
      const hits = yield* projection.search(query);
      const items = hits.map(({ document, score, matched }) => ({
        id: nodes.nameOf(document),
        score,
        matched,
        size: projection.sizeOf(document),
      }));
      return { items, isPartial: projection.isPartial };
    },
    *layout(projection, input) {
      projection.requireWhole();
      for (const id of [input.entityId, input.community]) {
        if (id !== undefined && projection.graph.nodes.find(id) === undefined) return null;
      }
      return yield* layout(projection, input);
    },
    *impact(projection, { entityId, depth, ways }) {
      projection.requireWhole();
      const reached = yield* reach(projection.graph, entityId, ways, depth);
      const counts = Object.fromEntries(Array.from({ length: depth }, (_, index) => [index + 1, 0]));
      for (const { distance } of reached) counts[distance] = (counts[distance] ?? 0) + 1;
      return new WithText({ counts }, textOf(reached), REACHED_BYTES * reached.length);
    },
    *path(projection, { from, to, ways }) {
      projection.requireWhole();
      return { path: (yield* shortestPath(projection.graph, from, to, ways)) ?? null };
    },
    *keysAt(projection, { ids, limit }) {
      yield;
      return { keys: projection.graph.keysAt(ids, limit) };
    },
    *page(projection, { part, after, maxCharacters }) {
      return { names: yield* projection.page(part, after, maxCharacters) };
    },
  },
};

function* textOf(reached: readonly Reached[]): Generator<string> {
  let comma = "";
  for (const each of reached) {
    yield comma + JSON.stringify({ id: each.id, distance: each.distance, path: pathTo(each) });
    comma = ",";
  }
}
