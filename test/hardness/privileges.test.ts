import { describe, expect, it } from "vitest";
import { endpoints } from "../../src/api.ts";
import { startApp } from "../support/app.ts";
import { temporaryDirectory } from "../support/store.ts";
import { signedInVisitor, visitor } from "../web/support/visitor.ts";
import { unlimitedPlans } from "./fuzz/unlimited-plans.ts";

const OWNER = { email: "owner@localhost", password: "correct horse battery staple" };

describe("a browser session", () => {
  it("authenticates no API endpoint, neither by its cookie nor by its secret as a bearer token", async () => {
    const app = await startApp({ owner: OWNER, plansFile: unlimitedPlans(temporaryDirectory()) });
    const cookie = (await signedInVisitor(app.url, OWNER)).cookie();
    const secret = cookie.slice(cookie.indexOf("=") + 1);
    for (const { method, path, scope } of endpoints) {
      if (scope === "public") continue;
      const target = path.replace(/\{\w+\}/g, "example");
      const answer = await app.request(method, target, { key: null, headers: { Cookie: cookie } });
      expect([path, answer.status]).toEqual([path, 401]);
    }
    expect((await app.request("GET", "/api/v1/account", { key: secret })).status).toBe(401);
  });
});

describe("an account admin", () => {
  it("is refused operator endpoints: accounts, plans, introspection and metrics", async () => {
    const app = await startApp();
    const { token, accountId } = await app.account("enterprise");
    const asked = [
      ["GET", "/api/v1/accounts", undefined],
      ["POST", "/api/v1/accounts", { name: "mine", ownerEmail: "a@b.test", plan: "enterprise" }],
      ["PATCH", `/api/v1/accounts/${accountId}`, { plan: "enterprise" }],
      ["POST", `/api/v1/accounts/${accountId}/sign-in-link`, {}],
      ["PUT", "/api/v1/projects/default", { plan: "enterprise" }],
      ["POST", "/api/v1/keys", { name: "more", scopes: ["operator"] }],
      ["POST", "/auth/introspect", { token }],
    ] as const;
    for (const [method, path, body] of asked) {
      const answer = await app.request(method, path, { key: token, body });
      expect([path, answer.status, answer.body.error]).toEqual([path, 403, "insufficient_scope"]);
    }
    expect((await app.request("GET", "/metrics", { key: token })).status).toBe(404);
  });

  it("gets 400 for body members that would raise privileges", async () => {
    const app = await startApp();
    const { token } = await app.account("pro");
    for (const [method, path, body] of [
      ["POST", "/api/v1/users", { email: "a@b.test", role: "member", operator: true }],
      ["POST", "/api/v1/users", { email: "a@b.test", role: "member", accountId: "acc_other" }],
      ["POST", "/api/v1/keys", { name: "a", scopes: ["read"], accountId: "acc_other" }],
      ["PUT", "/api/v1/projects/a", { name: "a", accountId: "acc_other" }],
      ["POST", "/api/v1/track", { type: "api_calls", accountId: "acc_other" }],
    ] as const) {
      expect((await app.request(method, path, { key: token, body })).status).toBe(400);
    }
  });
});

describe("a member of an account", () => {
  it("passes on only a member's scopes to a device that asks for more", async () => {
    const app = await startApp();
    const invited = await app.request("POST", "/api/v1/users", {
      body: { email: "m@b.test", role: "member" },
    });
    const browser = visitor(app.url);
    const link = new URL(invited.body.signInLink);
    await browser.send(await browser.get(link.pathname + link.search), "/sign-in");
    const wanted = { client_id: "tool-cli", scope: "write admin operator" };
    const { device_code, user_code } = (
      await app.request("POST", "/auth/device/code", { key: null, body: wanted })
    ).body;
    const page = await browser.get(`/device?user_code=${user_code}`);
    await browser.send(page, "/device", { decision: "approve" });
    const pair = await app.request("POST", "/auth/device/token", { key: null, body: { device_code } });
    expect(pair.body.scope).toBe("write");
    const users = await app.request("GET", "/api/v1/users", { key: pair.body.access_token });
    expect([users.status, users.body.error]).toEqual([403, "insufficient_scope"]);
  });
});
