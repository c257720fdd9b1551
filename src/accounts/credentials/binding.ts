import { holdsRange } from "./address-ranges.ts";

/** What a key is bound to: it works for nothing else. What is absent binds it to nothing. */
export interface Binding {
  /** The one project that it may name. */
  projectId?: string | undefined;
  /** Names of endpoints, of MCP tools, or `upstream/tool`; `name*` stands for all that begin so. */
  tools?: readonly string[] | undefined;
  /** Addresses and CIDR ranges, IPv4 and IPv6. */
  addresses?: readonly string[] | undefined;
}

/** Of each kind that a key may be bound to. */
export const MAX_BOUND_TO = 50;

/** Whether one of `tools` names one of `names`, which all mean the same. */
export function holdsTool(tools: readonly string[], names: readonly string[]): boolean {
  return tools.some((tool) => {
    if (!tool.endsWith("*")) return names.includes(tool);
    const beginning = tool.slice(0, -1);
    return names.some((name) => name.startsWith(beginning));
  });
}

/** What of `inner` goes beyond `outer`; undefined where nothing does. */
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
