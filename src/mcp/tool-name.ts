/** Returns an endpoint's name as a tool: `knowledge-graph.addEntity` becomes `knowledge_graph_add_entity`. */
export function toolNameOf(endpoint: string): string {
  return endpoint
    .replace(/[.-]/g, "_")
    .replace(/[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase();
}
