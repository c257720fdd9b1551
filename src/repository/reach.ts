import { addTo } from "./add-to.ts";
import type { Edge } from "./repository.ts";

export type Direction = "in" | "out" | "both";

export interface Reached {
  path: string;
  /** Number of edges from the nearest start. */
  distance: number;
  /** The edges of one shortest path, beginning at the start. Computed when read. */
  readonly way: Edge[];
}

interface Ways {
  direction: Direction;
  /** Maximum number of edges. */
  depth?: number;
}

/**
 * Returns all files that can be reached, nearest first, then by path: against the edges (`in`: what depends on the
 * starts), along them, or both. The starts are not included.
 */
export function reach(
  edges: readonly Edge[],
  starts: readonly string[],
  { direction, depth = Infinity }: Ways,
): Reached[] {
  const neighbours = new Map<string, Edge[]>();
  // Outgoing edges come first: where two files import each other, the path follows the edge that points onward.
  if (direction !== "in") for (const edge of edges) addTo(neighbours, edge.from, edge);
  if (direction !== "out") for (const edge of edges) addTo(neighbours, edge.to, edge);
  const before = new Map<string, { path: string; edge: Edge } | undefined>(
    starts.map((path) => [path, undefined]),
  );
  const wayTo = (path: string): Edge[] => {
    const way: Edge[] = [];
    for (let step = before.get(path); step; step = before.get(step.path)) way.push(step.edge);
    return way.reverse();
  };
  const reached: Reached[] = [];
  let border = [...new Set(starts)];
  for (let distance = 1; border.length > 0 && distance <= depth; distance++) {
    const next: string[] = [];
    for (const path of border) {
      for (const edge of neighbours.get(path) ?? []) {
        const other = edge.from === path ? edge.to : edge.from;
        if (before.has(other)) continue;
        before.set(other, { path, edge });
        next.push(other);
      }
    }
    border = next.sort();
    for (const path of border) {
      reached.push({
        path,
        distance,
        get way() {
          return wayTo(path);
        },
      });
    }
  }
  return reached;
}

/**
 * Returns the edges of a shortest path from one file to another; undefined if there is none. Of several, prefers one
 * that goes along all edges or against all.
 */
export function wayBetween(
  edges: readonly Edge[],
  from: string,
  to: string,
  direction: Direction,
): Edge[] | undefined {
  if (from === to) return [];
  const wayIn = (each: Direction) =>
    reach(edges, [from], { direction: each }).find(({ path }) => path === to)?.way;
  const shortest = wayIn(direction);
  if (!shortest || direction !== "both") return shortest;
  return [wayIn("out"), wayIn("in")].find((way) => way?.length === shortest.length) ?? shortest;
}
