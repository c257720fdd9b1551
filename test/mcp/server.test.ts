import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { chooseTools } from "../../src/mcp/choice.ts";
import { createMcpServer, type McpServerPorts } from "../../src/mcp/server.ts";

async function connected(ports: Pick<McpServerPorts, "call"> & Partial<McpServerPorts>) {
  const choice = chooseTools("agent_memory");
  const tools = "tools" in choice ? choice.tools : [];
  const { server, idle } = createMcpServer({
    every: () => () => {},
    tools,
    scopes: () => ["write"],
    ...ports,
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1" });
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  return { client, idle };
}

describe("an MCP server", () => {
  it("sends progress to a client that requests progress, until the answer", async () => {
    let tick = () => {};
    let stopped = false;
    const { client } = await connected({
      every: (ms, work) => {
        expect(ms).toBe(400);
        tick = work;
        return () => {
          stopped = true;
        };
      },
      async call() {
        for (let count = 0; count < 10; count++) tick();
        return { text: '{"memories":0}' };
      },
    });
    const heard: number[] = [];
    const call = { name: "agent_memory_stats", arguments: {} };
    await client.callTool(call, { onprogress: ({ progress }) => heard.push(progress) });
    expect(heard).toEqual([0.4, 2.4]);
    expect(stopped).toBe(true);
  });

  it("is idle once every call is answered", async () => {
    let answer = () => {};
    const { client, idle } = await connected({
      call: () =>
        new Promise((resolve) => {
          answer = () => resolve({ text: "{}" });
        }),
    });
    await idle();
    const calling = client.callTool({ name: "agent_memory_stats", arguments: {} });
    await new Promise((resolve) => setTimeout(resolve, 20));
    let isIdle = false;
    const waiting = idle().then(() => {
      isIdle = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isIdle).toBe(false);
    answer();
    await Promise.all([calling, waiting]);
  });

  it("answers a call without a result with Done", async () => {
    const { client } = await connected({ call: async () => ({ text: "" }) });
    const answer = await client.callTool({ name: "agent_memory_forget", arguments: { memoryId: "mem" } });
    expect(answer.content).toEqual([{ type: "text", text: "Done." }]);
  });
});
