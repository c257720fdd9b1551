import { expect, it } from "vitest";
import { post, startBefore, startUpstream } from "../../support/services/upstream.ts";

it("GET /connect/{name} shows a link or command for each client, and is 404 for an unknown upstream", async () => {
  const upstream = await startUpstream();
  const rules = { title: 'The <library> "of" all', description: "Finds books." };
  const app = await startBefore(upstream.url, rules);
  const { status, text, headers } = await app.request("GET", "/connect/up", { key: null });
  expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(text).toContain("Connect to The &lt;library&gt;");
  expect(text).toContain("Finds books.");
  expect(text).toContain(`claude mcp add --transport http up ${app.url}/mcp/up`);
  const code = /href="(vscode:mcp\/install\?[^"]+)"/.exec(text)?.[1] as string;
  const asked = JSON.parse(decodeURIComponent(code.split("?")[1] as string));
  expect(asked).toEqual({ name: "up", type: "http", url: `${app.url}/mcp/up` });
  const cursor = /href="(cursor:[^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") as string;
  const config = new URL(cursor).searchParams.get("config") as string;
  expect(JSON.parse(Buffer.from(config, "base64").toString())).toEqual({ url: `${app.url}/mcp/up` });
  // The one that lets people copy a command.
  expect(text.match(/<script[^>]*>/g)).toEqual([expect.stringContaining(' src="/assets/console.')]);
  expect(headers.get("content-security-policy")).toContain("script-src 'self'");
  expect(text).not.toMatch(/ on\w+=/);
  expect(text).not.toContain(upstream.url);
  for (const name of ["other", "%3Cscript%3E", "__proto__"]) {
    expect((await app.request("GET", `/connect/${name}`, { key: null })).status).toBe(404);
  }
  expect((await post(app, { jsonrpc: "2.0", id: 1, method: "ping" })).status).toBe(200);
});
