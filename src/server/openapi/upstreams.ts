import { PROBLEMS, type ProblemCode } from "../../contract/problem.ts";
import { ANYWHERE, WITH_BODY, WITH_CREDENTIAL } from "../../contract/problems-of.ts";
import { JsonRpcMessage, JsonRpcResponse } from "./mcp-operation.ts";
import { OAUTH_OPERATIONS } from "./oauth.ts";
import type { Operation } from "./operation.ts";

const PARAMETERS = [
  {
    in: "path",
    name: "upstream",
    required: true,
    description: "The name of an MCP server behind this one",
    schema: { type: "string", pattern: "^[a-z0-9][a-z0-9-]{0,39}$" },
  },
  { $ref: "#/components/parameters/projectId" },
];

const STREAM = { "text/event-stream": undefined };
/** JSON-RPC errors of this server in place of an upstream's answer, or an upstream's own. */
const RPC_ERROR_CONTENT = { "application/json": JsonRpcResponse };
const answers = {
  200: { description: "The upstream's answer.", content: { "application/json": JsonRpcResponse, ...STREAM } },
  204: { description: "The session is over." },
  202: { description: "The upstream took a notification, or an answer." },
  400: { description: "The upstream refused, or headers differ from the body.", content: RPC_ERROR_CONTENT },
  404: { description: "There is no such upstream, session or method.", content: RPC_ERROR_CONTENT },
  405: { description: "The upstream does not take the method.", content: RPC_ERROR_CONTENT },
  502: { description: "The upstream cannot be reached, or failed.", content: RPC_ERROR_CONTENT },
  503: {
    description: "The upstream has been failing and is left alone for a while.",
    content: RPC_ERROR_CONTENT,
  },
  504: { description: "The upstream did not answer in time.", content: RPC_ERROR_CONTENT },
};
const common = {
  tag: "mcp",
  scope: "read",
  parameters: PARAMETERS,
  answers,
  problems: [],
} as const;
const ANY_METHOD = [...ANYWHERE, ...WITH_CREDENTIAL, "not_found"] as const;

/** Leaves out problems whose status the upstream's answers also have. */
function rpcProblems(codes: readonly ProblemCode[]): ProblemCode[] {
  return codes.filter((code) => !Object.hasOwn(answers, PROBLEMS[code].status));
}

/** The operations of `/mcp/{upstream}`, by method. */
export const UPSTREAM_OPERATIONS = {
  POST: {
    ...common,
    id: "mcp_upstream",
    summary: "Speak the Model Context Protocol with a server behind this one (streamable HTTP)",
    description:
      "The message goes on to the upstream with a signed identity in place of the credential. What the plan lacks is left out of lists and refused; each `tools/call` counts once.",
    body: {
      required: true,
      content: { "application/json": JsonRpcMessage },
      example: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    },
    rpcProblems: rpcProblems([...ANY_METHOD, ...WITH_BODY]),
  },
  GET: {
    ...common,
    id: "mcp_upstream_stream",
    summary: "Open the stream of a session with a server behind this one (revisions up to 2025-11-25)",
    rpcProblems: rpcProblems(ANY_METHOD),
  },
  DELETE: {
    ...common,
    id: "mcp_upstream_end",
    summary: "End a session with a server behind this one (revisions up to 2025-11-25)",
    rpcProblems: rpcProblems(ANY_METHOD),
  },
} satisfies Record<string, Operation>;

const OF_MCP = OAUTH_OPERATIONS["protected-resource.mcp"];

export const UPSTREAM_METADATA: Operation = {
  ...OF_MCP,
  id: "well_known_protected_resource_upstream",
  summary: "Show the metadata of a server behind this one as a protected resource (RFC 9728)",
  parameters: PARAMETERS.slice(0, 1),
  problems: [...OF_MCP.problems, "not_found"],
};
