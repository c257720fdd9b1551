import { holdsRange } from "./address-ranges.ts";

/** The restrictions of a key. An absent member does not restrict it. */
export interface Binding {
  /** The only project that its requests may name. */
  projectId?: string | undefined;
  /** Names of endpoints or MCP tools, or `upstream/tool`. A trailing `*` matches all names with that prefix. */
  tools?: readonly string[] | undefined;
  /** Addresses and CIDR ranges, IPv4 and IPv6. */
  addresses?: readonly string[] | undefined;
}

/** The most tools, and the most addresses, that a key may be bound to. */
export const MAX_BOUND_TO = 50;

/** Whether one of the patterns in `tools` matches one of `names`, which are aliases of one tool. */
export function holdsTool(tools: readonly string[], names: readonly string[]): boolean {
  return tools.some((tool) => {
    if (!tool.endsWith("*")) return names.includes(tool);
    const beginning = tool.slice(0, -1);
    return names.some((name) => name.startsWith(beginning));
  });
}

/** Returns the first restriction of `outer` that `inner` exceeds, or undefined. */
export function beyond(outer: Binding, inner: Binding): keyof Binding | undefined {
  if (outer.projectId !== undefined && inner.projectId !== outer.projectId) return "projectId";
  const { tools, addresses } = outer;
  if (tools && !inner.tools?.every((tool) => holdsPattern(tools, tool))) return "tools";
  if (addresses && !inner.addresses?.every((range) => holdsRange(addresses, range))) return "addresses";
  return undefined;
}

function holdsPattern(tools: readonly string[], pattern: string): boolean {
  return tools.some((tool) =>
    tool.endsWith("*") ? pattern.startsWith(tool.slice(0, -1)) : tool === pattern,
  );
}
