import { resolve } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";
import { user } from "../../cli/support/tool.ts";
import { OWNER_KEY } from "../../support/app.ts";

const TOOL = resolve(import.meta.dirname, "../../../bin/tool.js");

export interface SessionOptions {
  /** The owner's unless given; null for none. */
  key?: string | null;
  tools?: string;
  project?: string;
  /** Of `tool mcp`. */
  environment?: Record<string, string>;
}

export interface Session {
  client: Client;
  /** The names of the listed tools. */
  names(): Promise<string[]>;
  call(name: string, given?: Record<string, unknown>): Promise<CallToolResult>;
  /** Resolves with the next notification that the tools have changed. */
  changed(): Promise<void>;
  /** What the program wrote on stderr. */
  errors(): string;
}

/** The SDK's own client on `tool mcp`, the real program. */
export async function overStdio(
  app: { url: string },
  options: SessionOptions = {},
): Promise<Session & { home: string }> {
  const { key = OWNER_KEY, tools, project, environment } = options;
  const { env, home } = user(environment);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [TOOL, "mcp", ...flag("--tools", tools), ...flag("--project", project)],
    env: { ...env, TOOL_BASE_URL: app.url, ...(key !== null && { TOOL_TOKEN: key }) },
    cwd: home,
    stderr: "pipe",
  });
  let errors = "";
  transport.stderr?.on("data", (piece) => {
    errors += piece;
  });
  return { ...(await connected(transport, () => errors)), home };
}

/** The SDK's own client on `/mcp`. */
export async function overHttp(app: { url: string }, options: SessionOptions = {}): Promise<Session> {
  const { key = OWNER_KEY, tools, project } = options;
  const url = new URL(`${app.url}/mcp`);
  if (tools !== undefined) url.searchParams.set("tools", tools);
  const headers = {
    ...(key !== null && { Authorization: `Bearer ${key}` }),
    ...(project !== undefined && { "X-Project-Id": project }),
  };
  return connected(new StreamableHTTPClientTransport(url, { requestInit: { headers } }), () => "");
}

export const TRANSPORTS = [
  ["stdio", overStdio],
  ["streamable HTTP", overHttp],
] as const;

async function connected(
  transport: StdioClientTransport | StreamableHTTPClientTransport,
  errors: () => string,
): Promise<Session> {
  const waiting = new Set<() => void>();
  const client = new Client(
    { name: "test", version: "1" },
    {
      listChanged: {
        tools: {
          autoRefresh: false,
          debounceMs: 0,
          onChanged: () => {
            for (const resolve of waiting) resolve();
          },
        },
      },
    },
  );
  // The SDK's own types disagree under exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  onTestFinished(() => client.close());
  return {
    client,
    errors,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, given = {}) => (await client.callTool({ name, arguments: given })) as CallToolResult,
    changed: () => new Promise((resolve) => waiting.add(resolve)),
  };
}

export function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

function flag(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, value];
}
