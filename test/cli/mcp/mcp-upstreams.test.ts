import { describe, expect, it } from "vitest";
import { calling, LIST, post, startBefore, startUpstream } from "../../support/services/upstream.ts";
import { ownerOf } from "../support/owner.ts";
import { user } from "../support/tool.ts";

async function owner(rules: object = {}) {
  const upstream = await startUpstream();
  const app = await startBefore(upstream.url, { title: "The library", ...rules });
  return { app, upstream, ...ownerOf(app) };
}

describe("tool mcp upstreams", () => {
  it("lists the upstreams of a server, and who called which of their tools", async () => {
    const { app, upstream, tool } = await owner({ tools: { "export_*": { gate: "audit_logs" } } });
    const { token, accountId } = await app.account("free");
    const listed = await user({ TOOL_BASE_URL: app.url, TOOL_TOKEN: token }).tool("mcp", "upstreams");
    expect(listed.stdout).toContain(`${app.url}/mcp/up`);
    expect(listed.stdout).toContain("export_*");
    await post(app, LIST);
    await post(app, calling("echo"));
    await post(app, calling("export_csv"), { key: token });
    const shown = await tool("mcp", "upstreams", "up");
    expect(shown.stdout).toMatch(/^echo +1 +0 +0/m);
    expect(shown.stdout).toMatch(/^free +1$/m);
    expect(shown.stdout).not.toContain("It failed");
    await upstream.stop();
    await post(app, calling("echo"));
    expect((await tool("mcp", "upstreams", "up")).stdout).toMatch(
      /^It failed (\S+ s ago|just now|now): The library cannot be reached .*ECONNREFUSED/m,
    );
    expect((await tool("mcp", "upstreams", "other")).code).not.toBe(0);
    const ofNone = await tool("mcp", "upstreams", "--month", "2026-11");
    expect(ofNone).toMatchObject({ code: 2, stderr: expect.stringContaining("--month needs the name") });
    expect((await tool("mcp", "upstreams", "--account", accountId)).stdout).toMatch(
      /Lacking in its plan\n.* export_\*$/m,
    );
    const theirs = await tool("mcp", "upstreams", "up", "--account", accountId);
    expect(theirs.stdout).toContain("audit_logs, with the plan Enterprise (not theirs)");
    expect(theirs.stdout).toMatch(
      /Calls in \S+, in all projects of acc_\w+\nTool .*\n\(unlisted\) +\S+@\S+ +1$/m,
    );
  });
});

describe("tool mcp verify-header", () => {
  it("verifies the identity header of an upstream for its audience, and refuses other tokens", async () => {
    const { app, upstream, tool } = await owner();
    await post(app, calling("echo"));
    const header = upstream.received[0]!.headers.authorization!;
    const { code, json } = await tool("mcp", "verify-header", header, "--audience", upstream.url, "--json");
    expect([code, json.valid, json.claims.tool]).toEqual([0, true, "echo"]);
    const other = await tool("mcp", "verify-header", header, "--audience", "https://other.example");
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("no valid identity")]);
    expect(other.stderr).toContain(`its aud is "${upstream.url}", not "https://other.example"`);
    const { signature } = (await app.request("GET", "/api/v1/entitlements/resolve")).body;
    for (const token of [signature, "x"]) expect((await tool("mcp", "verify-header", token)).code).toBe(2);
    const shown = await tool("mcp", "verify-header", "--language", "go");
    expect(shown.stdout).toContain(`${app.url}/.well-known/jwks.json`);
  });
});

describe("tool mcp publish", () => {
  it("prints connection commands, a server.json for the registry, and a client metadata document", async () => {
    const { app, tool } = await owner({ description: "x".repeat(300) });
    const lines = await tool("mcp", "publish", "up");
    expect(lines.stdout).toContain(`${app.url}/connect/up`);
    expect(lines.stdout).toContain(`codex mcp add up --url ${app.url}/mcp/up`);
    const server = JSON.parse((await tool("mcp", "publish", "up", "--name", "com.example/library")).stdout);
    expect(server).toMatchObject({
      name: "com.example/library",
      title: "The library",
      version: "1.0.0",
      remotes: [{ type: "streamable-http", url: `${app.url}/mcp/up` }],
    });
    expect(server.description).toHaveLength(100);
    expect((await tool("mcp", "publish", "up", "--name", "library")).code).toBe(2);
    const id = "https://example.com/cli.json";
    const client = JSON.parse((await tool("mcp", "publish", "up", "--client-id", id)).stdout);
    expect(client).toMatchObject({ client_id: id, token_endpoint_auth_method: "none" });
    expect((await tool("mcp", "publish", "up", "--client-id", "http://example.com/x")).code).toBe(2);
  });
});
