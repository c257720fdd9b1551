import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { endpoint } from "../../src/contract/endpoint.ts";
import { createTestServer } from "../../src/testing/test-server.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { overHttp, overHttpV2 } from "./support/sessions.ts";

const Text = z.object({ text: z.string() });
type Chain = { next?: Chain | undefined };
const Chain: z.ZodType<Chain> = z.object({
  get next() {
    return Chain.optional();
  },
});

// Both clients refuse an answer that does not match the output schema of its tool.
it.each([
  ["a list", z.array(Text), [{ text: "a" }], { result: [{ text: "a" }] }],
  ["a text", z.string(), "a", { result: "a" }],
  ["a number", z.number(), 0, { result: 0 }],
  ["nothing, where it might be an object", Text.nullable(), null, { result: null }],
  ["an object, where it might be nothing", Text.nullable(), { text: "a" }, { result: { text: "a" } }],
  [
    "an object, where it might be a list",
    z.union([Text, z.array(Text)]),
    { text: "a" },
    { result: { text: "a" } },
  ],
  ["a list of what holds itself", z.array(Chain), [{ next: {} }], { result: [{ next: {} }] }],
  ["what holds itself", Chain, { next: {} }, { next: {} }],
  ["one of two objects", z.union([Text, z.object({ n: z.number() })]), { n: 1 }, { n: 1 }],
  ["a record", z.record(z.string(), z.number()), { n: 1 }, { n: 1 }],
  ["any object", z.any(), { n: 1 }, { n: 1 }],
])("a tool may answer with %s over MCP", async (_, output, answer, structured) => {
  const tool = defineTool({
    name: "greetings",
    contract: {
      greet: endpoint({
        name: "greetings.greet",
        method: "GET",
        path: "/api/v1/tools/greetings",
        summary: "Greet",
        scope: "read",
        input: z.object({}),
        output,
      }),
    },
    create: () => ({ greet: async () => answer }),
  });
  const server = await createTestServer({ tools: [tool] });
  onTestFinished(server.close);
  const key = await server.key(["read"]);
  for (const connect of [overHttp, overHttpV2]) {
    const session = await connect(server, { key, tools: "greetings" });
    await session.client.listTools();
    const { content, structuredContent } = await session.call("greetings_greet");
    expect(structuredContent).toEqual(structured);
    expect(content).toEqual([{ type: "text", text: JSON.stringify(answer) }]);
  }
});
