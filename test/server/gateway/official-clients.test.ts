import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { decodeJwt } from "jose";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { packageRoot } from "../../../src/system/package.ts";
import { OWNER_KEY, startApp, type TestApp } from "../../support/app.ts";
import { counted } from "../../support/services/upstream.ts";

const EVERYTHING = join(packageRoot, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");
const MODERN = join(packageRoot, "test/support/services/modern-stdio.mjs");
const AUTHORIZED = { requestInit: { headers: { Authorization: `Bearer ${OWNER_KEY}` } } };

/** Connects a client of revisions before 2026-07-28, which most clients use. */
async function v1(
  app: TestApp,
  name: string,
): Promise<{ client: Client; transport: StreamableHTTPClientTransport }> {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(`${app.url}/mcp/${name}`), AUTHORIZED);
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, transport };
}

/** Connects a client of revision 2026-07-28, which has no sessions. */
async function v2(app: TestApp, name: string): Promise<ClientV2> {
  const client = new ClientV2({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new TransportV2(new URL(`${app.url}/mcp/${name}`), AUTHORIZED));
  onTestFinished(() => client.close());
  return client;
}

async function everythingOverHttp(): Promise<string> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const child: ChildProcess = spawn(process.execPath, [EVERYTHING, "streamableHttp"], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stderr!, "data");
  const url = `http://127.0.0.1:${port}/mcp`;
  await expect
    .poll(() =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  return url;
}

async function modernOverHttp(): Promise<string> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "notes", version: "1.0.0" });
    const inputSchema = z.object({ text: z.string() });
    server.registerTool("add-note", { description: "Save a note", inputSchema }, ({ text }) => ({
      content: [{ type: "text", text: `Saved: ${text}` }],
    }));
    return server;
  });
  const server = createServer(async (req, res) => {
    const headers = Object.entries(req.headers).map(
      ([name, value]) => [name, String(value)] as [string, string],
    );
    const body = req.method === "POST" ? (Readable.toWeb(req) as ReadableStream) : undefined;
    const init = { method: req.method!, headers, ...(body && { body, duplex: "half" }) } as RequestInit;
    const response = await handler.fetch(new Request(`http://127.0.0.1${req.url}`, init));
    res.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body) Readable.fromWeb(response.body as never).pipe(res);
    else res.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text;

describe("the official clients with only a key", () => {
  it("use an HTTP server with sessions: tools, progress, resources, prompts, end of session", async () => {
    const app = await startApp({ upstreams: [`everything=${await everythingOverHttp()}`] });
    const { client, transport } = await v1(app, "everything");
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("echo");
    expect(textOf(await client.callTool({ name: "echo", arguments: { message: "hi" } }))).toBe("Echo: hi");
    const steps: number[] = [];
    const long = { name: "trigger-long-running-operation", arguments: { duration: 0.4, steps: 4 } };
    await client.callTool(long, undefined, { onprogress: ({ progress }) => steps.push(progress) });
    expect(steps).toEqual([1, 2, 3, 4]);
    const { resources } = await client.listResources();
    expect((await client.readResource({ uri: resources[0]!.uri })).contents).toHaveLength(1);
    expect((await client.listPrompts()).prompts.length).toBeGreaterThan(0);
    expect((await client.getPrompt({ name: "simple-prompt" })).messages.length).toBeGreaterThan(0);
    expect(await counted(app)).toBe(2);
    await transport.terminateSession();
    const modern = await v2(app, "everything");
    expect(textOf(await modern.callTool({ name: "echo", arguments: { message: "yo" } }))).toBe("Echo: yo");
    expect(await counted(app)).toBe(3);
  });

  it("use an HTTP server without sessions, in both protocol eras", async () => {
    const app = await startApp({ upstreams: [`notes=${await modernOverHttp()}`] });
    const modern = await v2(app, "notes");
    expect(modern.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    expect((await modern.listTools()).tools.map(({ name }) => name)).toEqual(["add-note"]);
    expect(textOf(await modern.callTool({ name: "add-note", arguments: { text: "a" } }))).toBe("Saved: a");
    const { client } = await v1(app, "notes");
    expect(textOf(await client.callTool({ name: "add-note", arguments: { text: "b" } }))).toBe("Saved: b");
    expect(await counted(app)).toBe(2);
  });

  it("share one stdio program with sessions, each with its own ids and progress", async () => {
    const app = await startApp({ upstreams: [`everything=${process.execPath} ${EVERYTHING} stdio`] });
    const clients = await Promise.all([v1(app, "everything"), v1(app, "everything"), v2(app, "everything")]);
    const answers = await Promise.all(
      clients.map(async (each, index) => {
        const client = "transport" in each && "client" in each ? each.client : (each as ClientV2);
        const steps: number[] = [];
        const onprogress = ({ progress }: { progress: number }) => void steps.push(progress);
        const long = {
          name: "trigger-long-running-operation",
          arguments: { duration: 0.3, steps: 3 + index },
        };
        await (client instanceof Client
          ? client.callTool(long, undefined, { onprogress })
          : client.callTool(long, { onprogress }));
        const echoed = await client.callTool({ name: "echo", arguments: { message: String(index) } });
        return [steps.length, textOf(echoed)];
      }),
    );
    expect(answers).toEqual([
      [3, "Echo: 0"],
      [4, "Echo: 1"],
      [5, "Echo: 2"],
    ]);
    const env = textOf(await clients[0].client.callTool({ name: "get-env", arguments: {} }));
    expect(env).toContain("PATH");
    expect(env).not.toContain("VITEST");
  });

  it("share one stdio program without sessions in both eras, and continue after it restarts", async () => {
    const app = await startApp({ upstreams: [`notes="${process.execPath}" '${MODERN}'`] });
    const modern = await v2(app, "notes");
    expect(modern.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    const { client } = await v1(app, "notes");
    expect(textOf(await modern.callTool({ name: "add-note", arguments: { text: "a" } }))).toBe("Saved: a");
    expect(textOf(await client.callTool({ name: "add-note", arguments: { text: "b" } }))).toBe("Saved: b");
    expect(decodeJwt(textOf(await client.callTool({ name: "who" }))!)).toMatchObject({ tool: "who" });
    expect(textOf(await client.callTool({ name: "end" }))).toContain("is started again");
    const again = () => client.callTool({ name: "add-note", arguments: { text: "c" } }).then(textOf);
    await expect.poll(again, { interval: 200 }).toBe("Saved: c");
  });
});
