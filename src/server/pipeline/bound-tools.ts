import { holdsTool } from "../../accounts/credentials/binding.ts";
import { Problem } from "../../contract/problem.ts";
import { toolNameOf } from "../../mcp/tool-name.ts";
import type { Identity } from "./exchange.ts";

/** What a key that is bound to tools may ask all the same: what it is. */
const ALWAYS = "account.show";

/** Whether a credential is for an endpoint, which its MCP tool stands for, too. */
export function isForEndpoint(
  { credential: { tools } }: Pick<Identity, "credential">,
  endpoint: string,
): boolean {
  return tools === undefined || endpoint === ALWAYS || holdsTool(tools, [endpoint, toolNameOf(endpoint)]);
}

/** Whether a credential is for a tool of an MCP server behind this one; without a tool: for all that it has. */
export function isForUpstream(
  { credential: { tools } }: Pick<Identity, "credential">,
  upstream: string,
  tool?: string,
): boolean {
  if (tools === undefined) return true;
  const isWhole = tools.some((each) => each.endsWith("*") && `${upstream}/`.startsWith(each.slice(0, -1)));
  return isWhole || (tool !== undefined && holdsTool(tools, [`${upstream}/${tool}`]));
}

/** 403 that says what the key is for, which its holder may know. */
export function outsideTools(
  { credential: { tools = [] } }: Pick<Identity, "credential">,
  what: string,
): Problem {
  return new Problem("outside_binding", `This key works for ${tools.join(", ")} alone, and not for ${what}.`);
}

/** `Problem` `outside_binding` for an endpoint that the credential is not for. */
export function requireEndpoint(identity: Identity, endpoint: string): void {
  if (!isForEndpoint(identity, endpoint)) throw outsideTools(identity, endpoint);
}

/** Whether a name or pattern of tools stands for any: of an endpoint, its MCP tool, or an upstream's. */
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
