import type { AnyHostedKind } from "../store/projection.ts";

/** What lives on the index process, by the kind's name; loaded when it is first asked for. */
export const projectionKinds: Record<string, () => Promise<AnyHostedKind>> = {
  "agent-memory": async () => (await import("./agent-memory/memory-index.ts")).memoryIndex,
  "knowledge-graph": async () => (await import("./knowledge-graph/graph-index.ts")).graphIndex,
};
