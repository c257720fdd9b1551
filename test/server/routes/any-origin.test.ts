import { describe, expect, it } from "vitest";
import type { startApp } from "../../support/app.ts";
import { startBefore } from "../../support/services/upstream.ts";

const PAGE = "https://inspector.example";

async function asked(app: Awaited<ReturnType<typeof startApp>>, method: string, path: string) {
  const preflight = await app.request("OPTIONS", path, {
    key: null,
    headers: { Origin: PAGE, "Access-Control-Request-Method": method },
  });
  const body = method === "POST" ? { body: {} } : {};
  return {
    preflight,
    answer: await app.request(method, path, { key: null, headers: { Origin: PAGE }, ...body }),
  };
}

describe("a page of another origin", () => {
  it.each([
    ["POST", "/auth/token"],
    ["POST", "/auth/register"],
    ["POST", "/auth/revoke"],
    ["GET", "/.well-known/oauth-authorization-server"],
    ["GET", "/.well-known/openid-configuration"],
    ["GET", "/.well-known/oauth-protected-resource"],
    ["GET", "/.well-known/oauth-protected-resource/mcp"],
    ["GET", "/.well-known/oauth-protected-resource/mcp/up"],
    ["GET", "/.well-known/jwks.json"],
  ])("may use %s %s, refusals included, but never with cookies", async (method, path) => {
    const app = await startBefore("http://127.0.0.1:9/mcp");
    const { preflight, answer } = await asked(app, method, path);
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-methods")).toBe(method);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("MCP-Protocol-Version");
    expect(answer.status).toBe(method === "GET" ? 200 : 400);
    for (const { headers } of [preflight, answer]) {
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("access-control-allow-credentials")).toBeNull();
      expect(headers.get("set-cookie")).toBeNull();
    }
  });

  it.each([
    ["GET", "/auth/authorize"],
    ["POST", "/auth/par"],
    ["POST", "/auth/introspect"],
    ["POST", "/auth/device/code"],
    ["GET", "/api/v1/usage"],
    ["POST", "/mcp"],
    ["POST", "/mcp/up"],
  ])("cannot read %s %s", async (method, path) => {
    const { preflight, answer } = await asked(await startBefore("http://127.0.0.1:9/mcp"), method, path);
    expect(preflight.status).not.toBe(204);
    for (const { headers } of [preflight, answer]) {
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
  });
});
