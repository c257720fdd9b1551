import type { Input } from "../../../../contract/endpoint.ts";
import type { Steps } from "../../../../store/projection.ts";
import { bestOf } from "../../../../text/search/best.ts";
import type { knowledgeGraphContract } from "../../contract.ts";
import type { GraphLayout } from "../../layout-contract.ts";
import type { GraphProjection } from "../graph-projection.ts";
import { reach } from "../reach.ts";
import { communitiesOf } from "./communities.ts";
import type { KeptLayout } from "./kept-layouts.ts";
import { LayoutSimulation, startsOf } from "./simulation.ts";

export type LayoutInput = Input<typeof knowledgeGraphContract.layout>;

/** Maximum number of relationships drawn. With more, nothing can be made out. */
const MAX_EDGES = 10_000;
/** Number of items examined between two yields. */
const SLICE = 5000;
/** Length of the longer side of a drawing. */
const SIDE = 1000;

/** Returns the drawing as far as it has settled. The next call continues from there. */
export function* layout(projection: GraphProjection, input: LayoutInput): Steps<GraphLayout> {
  const { entityId, depth, community, type, limit } = input;
  const key = JSON.stringify([entityId, depth, community, type, limit]);
  const before = projection.layouts.get(key);
  const isCurrent = before?.version === projection.version;
  const next = isCurrent ? before : yield* begin(projection, input, before);
  projection.layouts.put(key, next);
  yield* next.simulation.run();
  return yield* described(projection, next);
}

function* begin(
  projection: GraphProjection,
  input: LayoutInput,
  before: KeptLayout | undefined,
): Steps<KeptLayout> {
  const { graph, version } = projection;
  let nodes = yield* chosen(projection, input);
  let edges = yield* edgesAmong(projection, nodes);
  let groups = yield* grouped(projection, nodes, edges);
  const { community } = input;
  if (community !== undefined) {
    const leader = nodes.findIndex((node) => graph.nodes.nameOf(node) === community);
    const wanted = leader < 0 ? -1 : groups.group[leader];
    nodes = nodes.filter((_, index) => index === leader || (wanted !== -1 && groups.group[index] === wanted));
    edges = yield* edgesAmong(projection, nodes);
    groups = yield* grouped(projection, nodes, edges);
  }
  yield;
  const starts = startsOf(groups.group, groups.count);
  const places = new Map(before?.nodes.map((node, index) => [node, before.simulation.points[index]]));
  const points = nodes.map((node, index) => {
    const { x, y } = places.get(node) ?? (starts[index] as { x: number; y: number });
    const group = groups.group[index] as number;
    return { x, y, group, radius: radiusOf(projection.degreeOf(node)) };
  });
  const index = new Map(nodes.map((node, at) => [node, at]));
  const simulation = new LayoutSimulation(
    points,
    edges.map((edge) => endsOf(projection, edge, index)),
  );
  if (before) simulation.calm();
  return { version, nodes, edges, groups, simulation };
}

/** Returns the radius of a node by its number of relationships. */
export function radiusOf(degree: number): number {
  return Math.min(14, 3 + 1.2 * Math.sqrt(degree));
}

/** Returns the nodes with most relationships, of all or of a type, or else those within some hops of one. */
function* chosen(
  projection: GraphProjection,
  { entityId, depth, type, limit }: LayoutInput,
): Steps<number[]> {
  const { graph } = projection;
  if (entityId !== undefined) {
    const start = graph.nodes.find(entityId);
    if (start === undefined) return [];
    const reached = yield* reach(graph, entityId, { direction: "both" }, depth);
    const near = reached.slice(0, limit - 1).map(({ id }) => graph.nodes.find(id) as number);
    return [start, ...near];
  }
  const only = type === undefined ? undefined : projection.typeNumber(type);
  const wanted: number[] = [];
  let looked = 0;
  for (const id of graph.nodes.names()) {
    if (++looked % SLICE === 0) yield;
    const node = graph.nodes.find(id) as number;
    if (type === undefined || projection.isOfType(node, only)) wanted.push(node);
  }
  yield;
  return bestOf(wanted, limit, (a, b) => {
    const difference = projection.degreeOf(a) - projection.degreeOf(b);
    return difference > 0 || (difference === 0 && graph.nodes.nameOf(a) < graph.nodes.nameOf(b));
  });
}

function* edgesAmong({ graph }: GraphProjection, nodes: readonly number[]): Steps<number[]> {
  const among = new Set(nodes);
  const edges: number[] = [];
  let looked = 0;
  for (const node of nodes) {
    for (const edge of graph.out(node)) {
      if (++looked % SLICE === 0) yield;
      if (edges.length === MAX_EDGES) return edges;
      if (among.has(graph.to(edge))) edges.push(edge);
    }
  }
  return edges;
}

function* grouped(projection: GraphProjection, nodes: readonly number[], edges: readonly number[]) {
  yield;
  const index = new Map(nodes.map((node, at) => [node, at]));
  const groups = communitiesOf(
    nodes.length,
    edges.map((edge) => endsOf(projection, edge, index)),
  );
  yield;
  return groups;
}

function endsOf({ graph }: GraphProjection, edge: number, index: ReadonlyMap<number, number>) {
  return { from: index.get(graph.from(edge)) as number, to: index.get(graph.to(edge)) as number };
}

function* described(projection: GraphProjection, kept: KeptLayout): Steps<GraphLayout> {
  const { graph } = projection;
  const { nodes, edges, groups, simulation } = kept;
  const { points } = simulation;
  const [left, right] = extentOf(points.map(({ x }) => x));
  const [top, bottom] = extentOf(points.map(({ y }) => y));
  const scale = SIDE / Math.max(1, right - left, bottom - top);
  const place = (value: number, from: number) => Math.round((value - from) * scale * 10) / 10;
  yield;
  const index = new Map(nodes.map((node, at) => [node, at]));
  return {
    width: place(right, left),
    height: place(bottom, top),
    nodes: nodes.map((node, at) => {
      const { x, y } = points[at] as (typeof points)[number];
      return {
        ...projection.entityAt(node),
        degree: projection.degreeOf(node),
        community: groups.group[at] as number,
        x: place(x, left),
        y: place(y, top),
      };
    }),
    edges: edges.map((edge) => ({
      ...endsOf(projection, edge, index),
      type: graph.types.nameOf(graph.typeOf(edge)),
    })),
    communities: communitiesIn(projection, kept),
    types: yield* projection.typeCounts(),
    counts: { entities: graph.nodes.size, relationships: graph.edgeCount },
  };
}

/** Returns the communities, each with the name of its entity with most relationships. */
function communitiesIn(
  projection: GraphProjection,
  { nodes, groups }: KeptLayout,
): GraphLayout["communities"] {
  const sizes = new Array<number>(groups.count).fill(0);
  const leaders: number[] = [];
  for (const [index, node] of nodes.entries()) {
    const group = groups.group[index] as number;
    if (group < 0) continue;
    sizes[group] = (sizes[group] as number) + 1;
    const leader = leaders[group];
    if (leader === undefined || projection.degreeOf(node) > projection.degreeOf(leader))
      leaders[group] = node;
  }
  return leaders.map((leader, group) => {
    const { id, name } = projection.entityAt(leader);
    return { leader: id, name, entities: sizes[group] as number };
  });
}

function extentOf(values: readonly number[]): [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return values.length === 0 ? [0, 0] : [least, most];
}
