import { resolve } from "node:path";
import * as v2 from "@modelcontextprotocol/client";
import { StdioClientTransport as V2StdioTransport } from "@modelcontextprotocol/client/stdio";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";
import { user } from "../../cli/support/tool.ts";
import { OWNER_KEY } from "../../support/app.ts";

const TOOL = resolve(import.meta.dirname, "../../../bin/tool.js");

export interface SessionOptions {
  /** API key, by default the owner's; null for none. */
  key?: string | null;
  tools?: string;
  project?: string;
  /** Environment of `tool mcp`. */
  environment?: Record<string, string>;
}

export interface Session {
  client: Pick<
    Client,
    "getServerVersion" | "getInstructions" | "listTools" | "listPrompts" | "listResources"
  >;
  /** Returns the names of the listed tools. */
  names(): Promise<string[]>;
  call(
    name: string,
    given?: Record<string, unknown>,
    options?: {
      signal?: AbortSignal;
      timeout?: number;
      onprogress?: (progress: { progress: number }) => void;
    },
  ): Promise<CallToolResult>;
  prompt(name: string, given?: Record<string, string>): Promise<string>;
  /** Returns the text of a resource. */
  read(uri: string): Promise<string>;
  /** Resolves with the next notification that the tools have changed. */
  changed(): Promise<void>;
  /** Returns the program's stderr. */
  errors(): string;
  close(): Promise<void>;
}

/** Connects the SDK's client of revisions up to 2025-11-25 to `tool mcp`, the real program. */
export async function overStdio(app: { url: string }, options: SessionOptions = {}) {
  const { parameters, home } = program(app, options);
  const transport = new StdioClientTransport(parameters);
  const errors = gathered(transport.stderr);
  return { ...(await connected(transport, errors)), home };
}

/** Connects the SDK's client of revision 2026-07-28 to `tool mcp`. */
export async function overStdioV2(app: { url: string }, options: SessionOptions = {}) {
  const { parameters } = program(app, options);
  const transport = new V2StdioTransport(parameters);
  const errors = gathered(transport.stderr);
  return connectedV2(transport, errors);
}

/** Connects the SDK's client of revisions up to 2025-11-25 to `/mcp`. */
export async function overHttp(app: { url: string }, options: SessionOptions = {}): Promise<Session> {
  const { url, headers } = address(app, options);
  return connected(new StreamableHTTPClientTransport(url, { requestInit: { headers } }), () => "");
}

/** Connects the SDK's client of revision 2026-07-28 to `/mcp`. */
export async function overHttpV2(app: { url: string }, options: SessionOptions = {}) {
  const { url, headers } = address(app, options);
  return connectedV2(new v2.StreamableHTTPClientTransport(url, { requestInit: { headers } }), () => "");
}

export const TRANSPORTS = [
  ["stdio", overStdio],
  ["streamable HTTP, as of 2025-11-25", overHttp],
  ["streamable HTTP, as of 2026-07-28", overHttpV2],
] as const;

function program(app: { url: string }, { key = OWNER_KEY, tools, project, environment }: SessionOptions) {
  const { env, home } = user(environment);
  const parameters = {
    command: process.execPath,
    args: [TOOL, "mcp", ...flag("--tools", tools), ...flag("--project", project)],
    env: { ...env, TOOL_BASE_URL: app.url, ...(key !== null && { TOOL_TOKEN: key }) },
    cwd: home,
    stderr: "pipe" as const,
  };
  return { parameters, home };
}

function gathered(stderr: NodeJS.EventEmitter | null): () => string {
  let errors = "";
  stderr?.on("data", (piece) => {
    errors += piece;
  });
  return () => errors;
}

function address(app: { url: string }, { key = OWNER_KEY, tools, project }: SessionOptions) {
  const url = new URL(`${app.url}/mcp`);
  if (tools !== undefined) url.searchParams.set("tools", tools);
  const headers = {
    ...(key !== null && { Authorization: `Bearer ${key}` }),
    ...(project !== undefined && { "X-Project-Id": project }),
  };
  return { url, headers };
}

async function connected(
  transport: StdioClientTransport | StreamableHTTPClientTransport,
  errors: () => string,
): Promise<Session> {
  const { listChanged, changed } = changes();
  const client = new Client({ name: "test", version: "1" }, { listChanged });
  // The SDK's own types disagree under exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  onTestFinished(() => client.close());
  return {
    client,
    errors,
    changed,
    close: () => client.close(),
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, given = {}, options = {}) =>
      (await client.callTool({ name, arguments: given }, undefined, options)) as CallToolResult,
    prompt: async (name, given = {}) => promptText(await client.getPrompt({ name, arguments: given })),
    read: async (uri) => resourceText(await client.readResource({ uri })),
  };
}

async function connectedV2(
  transport: v2.Transport,
  errors: () => string,
): Promise<Session & { v2: v2.Client }> {
  const { listChanged, changed } = changes();
  const client = new v2.Client(
    { name: "test", version: "2" },
    { listChanged, versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    v2: client,
    client: client as unknown as Session["client"],
    errors,
    changed,
    close: () => client.close(),
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, given = {}, options = {}) =>
      (await client.callTool({ name, arguments: given }, options)) as CallToolResult,
    prompt: async (name, given = {}) => promptText(await client.getPrompt({ name, arguments: given })),
    read: async (uri) => resourceText(await client.readResource({ uri })),
  };
}

function changes() {
  const waiting = new Set<() => void>();
  const onChanged = () => {
    for (const resolve of waiting) resolve();
  };
  return {
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged } },
    changed: () => new Promise<void>((resolve) => waiting.add(resolve)),
  };
}

export function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

function promptText({ messages }: { messages: readonly { content: unknown }[] }): string {
  return messages.map(({ content }) => (content as { text?: string }).text ?? "").join("\n");
}

function resourceText({ contents }: { contents: readonly object[] }): string {
  return contents.map((content) => ("text" in content ? String(content.text) : "")).join("\n");
}

function flag(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, value];
}
