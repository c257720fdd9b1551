/** The name of the tool that an endpoint makes: `knowledge-graph.addEntity` becomes `knowledge_graph_add_entity`. */
export function toolNameOf(endpoint: string): string {
  return endpoint
    .replace(/[.-]/g, "_")
    .replace(/[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase();
}
