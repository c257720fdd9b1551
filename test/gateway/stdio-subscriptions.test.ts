import { expect, it } from "vitest";
import { startProgram, textOf } from "./program.ts";

const ID = "io.modelcontextprotocol/subscriptionId";

/** Acknowledges a subscription and then ends it as its `end` says. */
const PROGRAM = `
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const _meta = { "${ID}": id };
  if (method === "server/discover") say({ id, result: { supportedVersions: ["2026-07-28"], capabilities: {} } });
  else if (method === "subscriptions/listen") {
    say({ method: "notifications/subscriptions/acknowledged", params: { _meta, notifications: {} } });
    if (params.end === "answer") say({ id, result: { resultType: "complete", _meta } });
    else say({ method: "notifications/cancelled", params: { requestId: id } });
  }
});`;

const ACKNOWLEDGED = {
  jsonrpc: "2.0",
  method: "notifications/subscriptions/acknowledged",
  params: { _meta: { [ID]: "mine" }, notifications: {} },
};

it.each([
  ["answer", [{ jsonrpc: "2.0", id: "mine", result: { resultType: "complete", _meta: { [ID]: "mine" } } }]],
  ["notification", []],
])(
  "a subscription that a program ends by its %s is over for its client, which knows it by its own id",
  async (end, last) => {
    const { send } = startProgram(PROGRAM);
    const params = { notifications: {}, end };
    const message = { jsonrpc: "2.0", id: "mine", method: "subscriptions/listen", params };
    const { body } = await send("key_1", message, { "mcp-protocol-version": "2026-07-28" });
    const said = (await textOf(body)).matchAll(/^data: (.*)$/gm);
    expect([...said].map(([, data]) => JSON.parse(data as string))).toEqual([ACKNOWLEDGED, ...last]);
  },
);
