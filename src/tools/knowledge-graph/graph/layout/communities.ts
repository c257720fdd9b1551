import { UndirectedGraph } from "graphology";
import louvainModule from "graphology-communities-louvain";

// The package is CommonJS, but its types are those of an ES module.
const louvain = louvainModule as unknown as typeof louvainModule.default;

/**
 * Finds the communities of nodes (Blondel et al. 2008). Returns the number of each node's community, the largest first.
 * Nodes without a neighbour are in none: -1.
 *
 * @param edges indices of nodes.
 */
export function communitiesOf(
  nodes: number,
  edges: readonly { from: number; to: number }[],
): { group: Int32Array; count: number } {
  const group = new Int32Array(nodes).fill(-1);
  const graph = new UndirectedGraph();
  for (const node of group.keys()) graph.addNode(node);
  for (const { from, to } of edges) {
    if (from !== to) graph.mergeEdge(from, to);
  }
  if (graph.size === 0) return { group, count: 0 };
  // Without a random walk, the same graph always has the same communities.
  const found = louvain(graph, { randomWalk: false });
  const sizes = new Map<number, number>();
  for (const node of group.keys()) {
    if (graph.degree(node) === 0) continue;
    const community = found[node] as number;
    sizes.set(community, (sizes.get(community) ?? 0) + 1);
  }
  const order = [...sizes]
    .sort(([a, one], [b, other]) => other - one || a - b)
    .map(([community]) => community);
  const rank = new Map(order.map((community, index) => [community, index]));
  for (const node of group.keys()) {
    if (graph.degree(node) > 0) group[node] = rank.get(found[node] as number) as number;
  }
  return { group, count: order.length };
}
