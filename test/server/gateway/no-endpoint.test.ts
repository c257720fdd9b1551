import { expect, it } from "vitest";
import { post, startBefore, startUpstream } from "../../support/services/upstream.ts";

const INITIALIZE = { jsonrpc: "2.0", id: 1, method: "initialize", params: {} };

/** Sends the handshake to an upstream that answers it with 404 and a text. */
async function greeted(type: string, said: string) {
  const upstream = await startUpstream((_, res) => res.writeHead(404, { "Content-Type": type }).end(said));
  return post(await startBefore(upstream.url, { title: "The library" }), INITIALIZE);
}

it.each([
  ["text/html", "<pre>Cannot POST /</pre>"],
  ["application/json", '{"detail":"Not Found"}'],
])("an address at which there is no MCP endpoint is told to be wrong: 404 with %s", async (type, said) => {
  const { status, body } = await greeted(type, said);
  expect([status, body.error.message]).toEqual([
    502,
    "The library has no MCP endpoint at its address (404). Its operator has to give the whole address, with a path such as /mcp, of an endpoint over streamable HTTP.",
  ]);
});

it("an endpoint that does not know the handshake says so itself", async () => {
  const said = '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"unknown"}}';
  const { status, text } = await greeted("application/json", said);
  expect([status, text]).toEqual([404, said]);
});
