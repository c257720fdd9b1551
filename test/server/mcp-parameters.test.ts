import { describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";

const HEADERS = { Accept: "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25" };

const GREETING = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};

function post(app: TestApp, body: unknown, headers: Record<string, string> = {}) {
  return app.request("POST", "/mcp", { body, headers: { ...HEADERS, ...headers } });
}

describe("parameters of a request to /mcp", () => {
  it.each([
    ["no arguments", { name: "review_my_change" }],
    ["none of them", { name: "review_my_change", arguments: {} }],
  ])("may be %s for a prompt without required arguments", async (_, params) => {
    const app = await startApp();
    const { body } = await post(app, { jsonrpc: "2.0", id: 1, method: "prompts/get", params });
    expect(body.result).toMatchObject({ messages: [{ role: "user" }] });
  });

  it.each([
    ["a prompt that is not there", "prompts/get", { name: "dance" }, /There is no prompt "dance"/],
    ["a greeting of nothing", "initialize", undefined, /^Invalid params: params: /],
    [
      "a greeting without a revision",
      "initialize",
      { ...GREETING, protocolVersion: null },
      /protocolVersion/,
    ],
    ["a greeting by nobody", "initialize", { ...GREETING, clientInfo: {} }, /clientInfo\.name/],
    ["a cursor of tools", "tools/list", { cursor: "bad" }, /cursor/],
    ["a cursor of prompts", "prompts/list", { cursor: "" }, /cursor/],
    ["a cursor of resources", "resources/list", { cursor: "2" }, /cursor/],
    ["a cursor of templates", "resources/templates/list", { cursor: "2" }, /cursor/],
  ])("are refused with -32602 for %s", async (_, method, params, message) => {
    const app = await startApp();
    const { body } = await post(app, { jsonrpc: "2.0", id: 1, method, params });
    expect(body.error).toMatchObject({ code: -32602, message: expect.stringMatching(message) });
  });

  it.each(["1999-01-01", "2099-01-01", "x".repeat(100), "latest"])(
    "are refused in the unknown revision %s with the supported ones",
    async (version) => {
      const app = await startApp();
      const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
      const { status, body } = await post(app, message, { "MCP-Protocol-Version": version });
      expect([status, body.id, body.error.code]).toEqual([400, 1, -32022]);
      expect(body.error.message).toMatch(/^Unsupported protocol version: /);
      expect(body.error.data.supported).toEqual(expect.arrayContaining(["2026-07-28", "2025-11-25"]));
    },
  );
});
