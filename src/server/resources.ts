import type { Catalogue } from "../metering/plans.ts";
import type { Resource } from "../oauth/resources.ts";
import { upstreamPath } from "./gateway/upstream-path.ts";
import { MCP_PATH } from "./mcp/mcp-route.ts";

/** Returns what tokens can be issued for: the API, the tools over MCP, and each upstream. */
export function resourcesOf({ upstreams = [] }: Pick<Catalogue, "upstreams">): readonly Resource[] {
  return [
    { path: "", name: "The whole API" },
    { path: MCP_PATH, name: "The tools, over MCP" },
    ...upstreams.map(
      ({ name, title }): Resource => ({ path: upstreamPath(name), name: title ?? name, isUpstream: true }),
    ),
  ];
}
