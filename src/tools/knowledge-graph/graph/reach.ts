import type { Steps } from "../../../store/projection.ts";
import type { Direction, Step } from "../contract.ts";
import type { Graph } from "./graph.ts";
import { inOrder } from "./in-order.ts";

/** Which relationships a walk follows, and in which direction. */
export interface Ways {
  direction: Direction;
  /** Type of the relationships; all by default. */
  type?: string | undefined;
}

/** An entity that was reached. Following `before` gives a shortest path back to the start. */
export interface Reached {
  id: string;
  distance: number;
  /** The last step of the path. */
  step: Step;
  /** The entity from which that step was taken; undefined for the start. */
  before: Reached | undefined;
}

/**
 * Returns everything within some hops, nearest first, then by id, without the start. Of several shortest paths, takes
 * the one whose entities, then types, sort first as seen from its end. The result does not depend on the order of
 * writing.
 */
export function* reach(graph: Graph, start: string, ways: Ways, depth: number): Steps<Reached[]> {
  const walk = yield* walkFrom(graph, start, ways, { depth });
  const reached: Reached[] = [];
  const { nodes } = graph;
  let nearer = new Map<number, Reached>();
  for (const [index, found] of (walk?.levels ?? []).entries()) {
    const level = new Map<number, Reached>();
    for (const node of yield* inOrder(found, (one, other) => nodes.nameOf(one) < nodes.nameOf(other))) {
      const edge = lastEdgeTo(node, walk as BreadthFirst);
      const before = nearer.get(graph.otherEnd(edge, node));
      const each = { id: nodes.nameOf(node), distance: index + 1, step: stepOf(graph, edge), before };
      level.set(node, each);
      reached.push(each);
      yield;
    }
    nearer = level;
  }
  return reached;
}

export function pathTo(reached: Reached): Step[] {
  const steps: Step[] = [];
  for (let at: Reached | undefined = reached; at; at = at.before) steps.push(at.step);
  return steps.reverse();
}

/** Returns the path that `reach` would find; undefined if there is none. */
export function* shortestPath(
  graph: Graph,
  start: string,
  goal: string,
  ways: Ways,
): Steps<Step[] | undefined> {
  const end = graph.nodes.find(goal);
  const walk = yield* walkFrom(graph, start, ways, { goal: end });
  if (end === undefined || !walk || walk.distance[end] === 0) return undefined;
  const steps: Step[] = [];
  for (let node = end; node !== walk.origin; ) {
    const edge = lastEdgeTo(node, walk);
    steps.push(stepOf(graph, edge));
    node = graph.otherEnd(edge, node);
    yield;
  }
  return steps.reverse();
}

interface BreadthFirst {
  graph: Graph;
  origin: number;
  direction: Direction;
  type: number | undefined;
  /** By node: 1 + the hops to it, or 0 where it was not reached. */
  distance: Int32Array;
  /** Nodes by distance, beginning with 1. */
  levels: number[][];
}

function* walkFrom(
  graph: Graph,
  start: string,
  { direction, type: typeName }: Ways,
  { depth = Number.POSITIVE_INFINITY, goal }: { depth?: number; goal?: number | undefined },
): Steps<BreadthFirst | undefined> {
  const origin = graph.nodes.find(start);
  const type = typeName === undefined ? undefined : graph.types.find(typeName);
  if (origin === undefined || (typeName !== undefined && type === undefined)) return undefined;
  const distance = new Int32Array(graph.nodes.end);
  const levels: number[][] = [];
  distance[origin] = 1;
  let level = [origin];
  for (let hops = 1; hops <= depth; hops++) {
    const next: number[] = [];
    const visit = (edge: number, node: number): void => {
      if (distance[node] !== 0 || (type !== undefined && graph.typeOf(edge) !== type)) return;
      distance[node] = hops + 1;
      next.push(node);
    };
    for (const node of level) {
      if (direction !== "in") for (const edge of graph.out(node)) visit(edge, graph.to(edge));
      if (direction !== "out") for (const edge of graph.in(node)) visit(edge, graph.from(edge));
      yield;
    }
    if (next.length === 0) break;
    levels.push(next);
    if (goal !== undefined && distance[goal] !== 0) break;
    level = next;
  }
  return { graph, origin, direction, type, distance, levels };
}

/** Returns the edge that sorts first among those by which a shortest path can reach a node. */
function lastEdgeTo(node: number, { graph, direction, type, distance }: BreadthFirst): number {
  const nearer = (distance[node] as number) - 1;
  let best = -1;
  const consider = (edge: number, other: number): void => {
    if (distance[other] !== nearer || (type !== undefined && graph.typeOf(edge) !== type)) return;
    if (best < 0 || comesFirst(graph, edge, best, node)) best = edge;
  };
  if (direction !== "in") for (const edge of graph.in(node)) consider(edge, graph.from(edge));
  if (direction !== "out") for (const edge of graph.out(node)) consider(edge, graph.to(edge));
  return best;
}

/**
 * Whether an edge sorts before another: by where it comes from, then by type. Of two opposite edges, the one that leads
 * to the node comes first.
 */
function comesFirst(graph: Graph, edge: number, other: number, node: number): boolean {
  const [source, otherSource] = [graph.otherEnd(edge, node), graph.otherEnd(other, node)];
  if (source !== otherSource) return graph.nodes.nameOf(source) < graph.nodes.nameOf(otherSource);
  const [type, otherType] = [graph.typeOf(edge), graph.typeOf(other)];
  if (type !== otherType) return graph.types.nameOf(type) < graph.types.nameOf(otherType);
  return graph.to(edge) === node;
}

function stepOf(graph: Graph, edge: number): Step {
  return {
    type: graph.types.nameOf(graph.typeOf(edge)),
    from: graph.nodes.nameOf(graph.from(edge)),
    to: graph.nodes.nameOf(graph.to(edge)),
  };
}
