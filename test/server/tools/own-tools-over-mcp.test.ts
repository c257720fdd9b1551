import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { Reply } from "../../../src/contract/endpoint.ts";
import { Problem } from "../../../src/contract/problem.ts";
import { createTestServer, type TestServer } from "../../../src/testing/test-server.ts";
import type { AnyTool } from "../../../src/tools/define-tool.ts";
import { contract, greetings, PATH } from "./greetings.ts";

let server: TestServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function overMcp(method: string, params: object) {
  const headers = { Accept: "application/json, text/event-stream" };
  const body = { jsonrpc: "2.0", id: 1, method, params };
  return (await (server as TestServer).request("POST", "/mcp", { body, headers })).body.result;
}

it("agents are told in words when to call again, since they see no Retry-After", async () => {
  const greet = async () => {
    throw new Problem("overloaded", "Too many are greeted.", { headers: { "Retry-After": "7" } });
  };
  server = await createTestServer({ tools: [greetings(() => ({ greet }))] });
  const { isError, content } = await overMcp("tools/call", { name: "greetings_greet", arguments: {} });
  expect(isError).toBe(true);
  expect(content[0].text).toContain("Too many are greeted.\nTry again after 7 s.\n");
  expect(content[0].text).not.toContain("Retry-After");
});

it("agents get a text that is no JSON as the result, and are told of any other answer that is none", async () => {
  const formats = { "text/plain": "always" };
  const text = { ...contract.greet, formats, output: z.string() };
  const page = { ...contract.greet, formats, name: "greetings.page", path: `${PATH}/page` };
  async function* parts() {
    yield "Hello ";
    yield "you";
  }
  const tool = {
    name: "greetings",
    contract: { text, page },
    create: () => ({
      text: async () => Reply.raw(parts(), { "Content-Type": "text/plain" }),
      page: async () => Reply.raw("Hello", { "Content-Type": "text/plain" }),
    }),
  } as AnyTool;
  server = await createTestServer({ tools: [tool] });
  const told = await overMcp("tools/call", { name: "greetings_greet", arguments: {} });
  expect(told.structuredContent).toEqual({ result: "Hello you" });
  const other = await overMcp("tools/call", { name: "greetings_page", arguments: {} });
  expect(other.isError).toBe(true);
  expect(other.content[0].text).toContain("The answer is text/plain: it can be had over HTTP alone.");
});

it("agents are promised no data of a tool that may answer with a 204, and told that it is done", async () => {
  const forget = { ...contract.greet, method: "DELETE", status: 204, output: z.undefined() };
  const poll = {
    ...contract.greet,
    name: "greetings.poll",
    path: `${PATH}/poll`,
    otherwise: { 204: "None" },
  };
  const tool = {
    name: "greetings",
    contract: { forget, poll },
    create: () => ({ forget: async () => {}, poll: async () => new Reply(undefined, { status: 204 }) }),
  } as AnyTool;
  server = await createTestServer({ tools: [tool] });
  const { tools } = await overMcp("tools/list", {});
  for (const name of ["greetings_greet", "greetings_poll"]) {
    expect(tools.find((each: { name: string }) => each.name === name)).not.toHaveProperty("outputSchema");
    const told = await overMcp("tools/call", { name, arguments: {} });
    expect(told).toEqual({ content: [{ type: "text", text: "Done." }] });
  }
});

it("agents give a truth value of a query as one, or as text", async () => {
  const greet = {
    ...contract.greet,
    input: z.object({ formal: z.stringbool().default(false) }),
    output: z.object({ formal: z.boolean() }),
  };
  const tool = {
    name: "greetings",
    contract: { greet },
    create: () => ({ greet: async (input: object) => input }),
  };
  server = await createTestServer({ tools: [tool] });
  const { tools } = await overMcp("tools/list", {});
  const listed = tools.find(({ name }: { name: string }) => name === "greetings_greet");
  expect(listed.inputSchema.properties).toEqual({ formal: { type: "boolean" } });
  for (const [formal, answer] of [
    [true, true],
    [false, false],
    ["yes", true],
  ]) {
    const called = await overMcp("tools/call", { name: "greetings_greet", arguments: { formal } });
    expect(called.structuredContent).toEqual({ formal: answer });
  }
});
