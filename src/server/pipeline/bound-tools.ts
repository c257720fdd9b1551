import { holdsTool } from "../../accounts/credentials/binding.ts";
import { Problem } from "../../contract/problem.ts";
import { toolNameOf } from "../../mcp/tool-name.ts";
import type { Identity } from "./exchange.ts";

/** The endpoint that every key may call, even one bound to tools: it describes the key. */
const ALWAYS = "account.show";

/** The name of `/metrics`. It is no endpoint of the API, but a scraper's key is bound to it like to one. */
export const METRICS = "service.metrics";

/** Whether a credential may use an endpoint. A binding to the endpoint's MCP tool counts as well. */
export function isForEndpoint(
  { credential: { tools } }: Pick<Identity, "credential">,
  endpoint: string,
): boolean {
  return tools === undefined || endpoint === ALWAYS || holdsTool(tools, [endpoint, toolNameOf(endpoint)]);
}

/** Whether a credential may use a tool of an upstream or, without `tool`, all of the upstream. */
export function isForUpstream(
  { credential: { tools } }: Pick<Identity, "credential">,
  upstream: string,
  tool?: string,
): boolean {
  if (tools === undefined) return true;
  const isWhole = tools.some((each) => each.endsWith("*") && `${upstream}/`.startsWith(each.slice(0, -1)));
  return isWhole || (tool !== undefined && holdsTool(tools, [`${upstream}/${tool}`]));
}

/** Returns the 403 that names the tools a key is bound to, which its holder may know. */
export function outsideTools(
  { credential: { tools = [] } }: Pick<Identity, "credential">,
  what: string,
): Problem {
  return new Problem("outside_binding", `This key works for ${tools.join(", ")} alone, and not for ${what}.`);
}

/** Throws `outside_binding` if the credential may not use the endpoint. */
export function requireEndpoint(identity: Identity, endpoint: string): void {
  if (!isForEndpoint(identity, endpoint)) throw outsideTools(identity, endpoint);
}

/** Returns whether a name or pattern matches any tool: an endpoint, its MCP tool, or a tool of an upstream. */
export function toolsKnown(
  endpoints: readonly string[],
  upstreams: readonly string[],
): (tool: string) => boolean {
  const names = endpoints.flatMap((name) => [name, toolNameOf(name)]);
  return (tool) => {
    const isOfUpstream = upstreams.some(
      (name) => tool.startsWith(`${name}/`) && tool.length > name.length + 1,
    );
    return isOfUpstream || holdsTool([tool], [...names, ...upstreams.map((name) => `${name}/`)]);
  };
}
