import { describe, expect, it } from "vitest";
import { createResources } from "../../src/oauth/resources.ts";
import { resourcesOf } from "../../src/server/resources.ts";
import { approverFor, BASE_URL, DEVICE, oauthError, startServices, VISITOR } from "../accounts/fixture.ts";
import { startApp, type TestApp } from "../support/app.ts";

const TOOLS = `${BASE_URL}/mcp`;
const INITIALIZE = { jsonrpc: "2.0", id: 1, method: "ping" };

/** Signs in a device that asks for one resource, on a whole server. */
async function tokensFor(app: TestApp, resource: string | undefined, scope = "read write") {
  const { devices, tokens } = app.app.services;
  const asked = { client_id: "tool-cli", scope, ...(resource !== undefined && { resource }) };
  const { device_code, user_code } = await devices.begin(asked, DEVICE);
  await app.request("POST", `/api/v1/device-authorizations/${user_code}`, { body: { decision: "approve" } });
  return tokens.token({ device_code }, { ...VISITOR, url: "", subject: "" });
}

const ask = (app: TestApp, path: string, key: string) =>
  path === "/mcp" ? app.request("POST", path, { key, body: INITIALIZE }) : app.request("GET", path, { key });

describe("an access token for one resource", () => {
  it.each([
    ["", "/api/v1/account", "/mcp"],
    ["/mcp", "/mcp", "/api/v1/account"],
  ])(
    "for %j works there and is refused elsewhere, with a pointer to the metadata",
    async (own, good, other) => {
      const app = await startApp();
      const { access_token } = await tokensFor(app, app.url + own);
      expect((await ask(app, good, access_token)).status).toBe(200);
      const refused = await ask(app, other, access_token);
      const metadata = `${app.url}/.well-known/oauth-protected-resource${other === "/mcp" ? "/mcp" : ""}`;
      expect(refused.status).toBe(401);
      expect(refused.headers.get("www-authenticate")).toBe(
        `Bearer error="invalid_token", resource_metadata="${metadata}"`,
      );
      expect(refused.text).toContain(`issued for ${app.url}${own}`);
    },
  );

  it("does not open /metrics, which belongs to no resource", async () => {
    const app = await startApp({ trustProxy: "1" });
    const metrics = (key: string) =>
      app.request("GET", "/metrics", { key, headers: { "X-Forwarded-For": "203.0.113.5" } });
    const everywhere = await tokensFor(app, undefined, "operator");
    const bound = await tokensFor(app, `${app.url}/mcp`, "operator");
    expect((await metrics(everywhere.access_token)).status).toBe(200);
    expect((await metrics(bound.access_token)).status).toBe(404);
  });

  it("works everywhere if it was issued without a resource", async () => {
    const app = await startApp();
    const { access_token } = await tokensFor(app, undefined);
    for (const path of ["/mcp", "/api/v1/account"]) {
      expect((await ask(app, path, access_token)).status, path).toBe(200);
    }
  });
});

describe("the resource of a sign-in", () => {
  it("is matched regardless of case and trailing slash, and refused if it is unknown", async () => {
    const services = await startServices();
    const begin = (resource: string) => services.devices.begin({ client_id: "tool-cli", resource }, DEVICE);
    for (const written of [TOOLS, `${TOOLS}/`, "HTTPS://PLANE.example/mcp", BASE_URL, `${BASE_URL}/`]) {
      await expect(begin(written)).resolves.toBeDefined();
    }
    const others = ["https://other.example", "/mcp", "x", "urn:example:api", "a:b", "data:,x"];
    for (const none of [`${TOOLS}#x`, `${TOOLS}?x`, `${TOOLS}/x`, ...others]) {
      await expect(begin(none)).rejects.toMatchObject(oauthError("invalid_target"));
    }
  });

  it("is kept for all its tokens, while a sign-in without one can be narrowed per token", async () => {
    const services = await startServices();
    const { devices, token, owner, introspect } = services;
    const signIn = async (resource?: string) => {
      const asked = { client_id: "tool-cli", ...(resource !== undefined && { resource }) };
      const { device_code, user_code } = await devices.begin(asked, DEVICE);
      await devices.decide(user_code, "approve", approverFor(owner));
      return token({ device_code });
    };
    const refresh = (refresh_token: string, resource?: string) =>
      token({
        grant_type: "refresh_token",
        client_id: "tool-cli",
        refresh_token,
        ...(resource !== undefined && { resource }),
      });
    const audienceOf = async (secret: string) => {
      const told = await introspect({ token: secret });
      return told.active && told.aud;
    };
    const bound = await signIn(TOOLS);
    expect(await audienceOf(bound.access_token)).toBe(TOOLS);
    expect(await audienceOf(bound.refresh_token)).toBe(TOOLS);
    expect(await audienceOf((await refresh(bound.refresh_token)).access_token)).toBe(TOOLS);
    expect(await audienceOf((await refresh(bound.refresh_token, TOOLS)).access_token)).toBe(TOOLS);
    await expect(refresh(bound.refresh_token, BASE_URL)).rejects.toMatchObject(oauthError("invalid_target"));

    const free = await signIn();
    const narrowed = await refresh(free.refresh_token, TOOLS);
    expect(await audienceOf(narrowed.access_token)).toBe(TOOLS);
    expect(await audienceOf((await refresh(narrowed.refresh_token)).access_token)).toBe(undefined);
  });
});

describe("resources of a server", () => {
  const resources = createResources({
    resources: resourcesOf({
      upstreams: [{ name: "up", title: "The library", url: "http://127.0.0.1:1/mcp" }],
    }),
    issuer: () => "http://127.0.0.1:4242",
  });

  it("are found only under the server's own address, which a refusal suggests", () => {
    const ask = (resource: string) => () => resources.target({ resource });
    expect(ask("http://localhost:4242/mcp/up")).toThrow(
      "use http://127.0.0.1:4242/mcp/up, or start it with --base-url http://localhost:4242.",
    );
    expect(ask("http://localhost:4242/mcp/other")).toThrow("There is no such resource here.");
  });

  it("describe scopes differently for an upstream than for this server", () => {
    expect(resources.meaningOf("read", "http://127.0.0.1:4242/mcp/up")).toContain("call its tools");
    for (const scope of ["admin", "operator"] as const) {
      expect(resources.meaningOf(scope, "http://127.0.0.1:4242/mcp/up")).toMatch(/^Tell this server/);
      expect(resources.meaningOf(scope, "http://127.0.0.1:4242")).toMatch(/^Manage/);
      expect(resources.meaningOf(scope, undefined)).toMatch(/^Manage/);
    }
  });
});
