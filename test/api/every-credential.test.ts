import { createHash } from "node:crypto";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { ROLES, type Role, scopesOf } from "../../src/accounts/roles.ts";
import type { SignedIn } from "../../src/accounts/sign-in/sign-in.ts";
import { endpoints } from "../../src/api.ts";
import { allows, type Scope } from "../../src/contract/caller.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { type FakeClock, fakeClock } from "../support/clock.ts";

const FROM = { address: "127.0.0.1", userAgent: "test", requestId: "req_test", subject: "address/127.0.0.1" };
const VERIFIER = "a-code-verifier-of-at-least-43-characters-0123";
const CALLBACK = "http://127.0.0.1/callback";

/** Every path that takes a credential of the API, and the scope that it needs, if any. Leaving ends the credential. */
const PATHS = [
  ...endpoints.filter(({ name, scope }) => scope !== "public" && name !== "account.leave"),
  { name: "introspection", method: "POST", path: "/auth/introspect", scope: "operator" },
  { name: "userinfo", method: "GET", path: "/auth/userinfo", scope: undefined },
  { name: "mcp", method: "POST", path: "/mcp", scope: undefined },
  ...endpoints.filter(({ name }) => name === "account.leave"),
] as const;

type Path = (typeof PATHS)[number];
type Started = { app: TestApp; clock: FakeClock };

async function start(): Promise<Started> {
  const clock = fakeClock();
  return { app: await startApp({ clock }), clock };
}

/** Invites somebody to the owner's account, who comes. */
async function somebody({ app }: Started, role: Role): Promise<SignedIn & { secret: string }> {
  const body = { email: `${role}-${Math.random().toString(36).slice(2)}@example.test`, role };
  const invited = await app.request("POST", "/api/v1/users", { body });
  const link = new URL(invited.body.signInLink).searchParams.get("link") ?? "";
  const { signIn } = app.app.services;
  const secret = (await signIn.consumeLink(link, FROM))?.secret ?? "";
  const signedIn = await signIn.lookUp(secret);
  if (!signedIn) throw new Error("the invitation lets nobody in");
  return { ...signedIn, secret };
}

/** Signs in a device of somebody, who holds all scopes of their role. */
async function deviceOf({ app }: Started, who: SignedIn, { resource = "", dpop = "" } = {}) {
  const { devices, tokens } = app.app.services;
  const scope = scopesOf(who.user).join(" ");
  const code = await devices.begin({ client_id: "tool-cli", scope, ...(resource && { resource }) }, FROM);
  await devices.decide(code.user_code, "approve", { ...FROM, ...idsOf(who), scopes: who.scopes });
  const request = { ...FROM, url: `${app.url}/auth/token`, ...(dpop && { dpop }) };
  return { code, ...(await tokens.token({ device_code: code.device_code }, request)) };
}

/** Signs somebody in at an application that asks only who they are. */
async function identityOf({ app }: Started, who: SignedIn) {
  const { authorizations, tokens } = app.app.services;
  const client = { client_id: "tool-cli", redirect_uri: CALLBACK };
  const challenge = createHash("sha256").update(VERIFIER).digest("base64url");
  const asked = { response_type: "code", code_challenge: challenge, code_challenge_method: "S256" };
  const begun = await authorizations.begin({ ...client, ...asked, scope: "openid email" }, FROM.subject);
  if (!("requestUri" in begun)) throw new Error(begun.reason);
  const user = { ...FROM, ...idsOf(who), scopes: who.scopes, signedInAt: who.session.createdAt };
  const { redirect } = await authorizations.decide(begun.requestUri, client.client_id, "approve", user);
  const code = new URL(redirect).searchParams.get("code") ?? "";
  const redeeming = { grant_type: "authorization_code", code, code_verifier: VERIFIER, ...client };
  return { code, ...(await tokens.token(redeeming, { ...FROM, url: `${app.url}/auth/token` })) };
}

const idsOf = ({ account, user }: SignedIn) => ({ accountId: account.id, userId: user.id });

/** Returns how each path answers a credential: its status, by name. A path that lets it in answers something else. */
async function answersTo({ app, clock }: Started, key: string): Promise<Map<string, number>> {
  const answers = new Map<string, number>();
  for (const { name, method, path } of PATHS) {
    // Requests without a valid credential are limited to 60 a minute.
    clock.advance(1000);
    answers.set(name, (await app.request(method, path.replace(/\{\w+\}/g, "example"), { key })).status);
  }
  return answers;
}

const all = (status: number) => new Map(PATHS.map(({ name }) => [name, status]));

describe("each path that takes a credential", () => {
  it.each(ROLES)("is open to a token of the role %s if it has the scope, and else 403", async (role) => {
    const started = await start();
    const who = await somebody(started, role);
    const { access_token } = await deviceOf(started, who);
    const mayNot = ({ scope }: Path) => scope !== undefined && !allows(who.scopes, scope as Scope);
    const answers = await answersTo(started, access_token);
    for (const path of PATHS) {
      const status = answers.get(path.name);
      if (mayNot(path)) expect([path.name, status]).toEqual([path.name, 403]);
      else expect([path.name, status]).not.toEqual([path.name, 401]);
    }
  });

  it.each([
    "a session",
    "a refresh token",
    "a device code",
    "a user code",
    "an authorization code",
    "an ID token",
  ])("answers 401 to %s", async (kind) => {
    const started = await start();
    const who = await somebody(started, "owner");
    const device = await deviceOf(started, who);
    const identity = await identityOf(started, who);
    const held: Record<string, string | undefined> = {
      "a session": who.secret,
      "a refresh token": device.refresh_token,
      "a device code": device.code.device_code,
      "a user code": device.code.user_code,
      "an authorization code": identity.code,
      "an ID token": identity.id_token,
    };
    expect(await answersTo(started, held[kind] ?? "")).toEqual(all(401));
  });

  it("answers 401 to a token that is bound to a key, sent without its proof", async () => {
    const started = await start();
    const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
    const claims = { jti: "j1", htm: "POST", htu: `${started.app.url}/auth/token` };
    const dpop = await new SignJWT({ ...claims, iat: Math.floor(started.clock.now() / 1000) })
      .setProtectedHeader({ typ: "dpop+jwt", alg: "ES256", jwk: await exportJWK(publicKey) })
      .sign(privateKey);
    const bound = await deviceOf(started, await somebody(started, "owner"), { dpop });
    expect(bound.token_type).toBe("DPoP");
    expect(await answersTo(started, bound.access_token)).toEqual(all(401));
  });

  it("answers 401 to a token that is for /mcp, but for /mcp and what says who somebody is", async () => {
    const started = await start();
    const who = await somebody(started, "owner");
    const { access_token } = await deviceOf(started, who, { resource: `${started.app.url}/mcp` });
    const answers = await answersTo(started, access_token);
    const others = [...answers].filter(([, status]) => status !== 401);
    expect(others).toEqual([
      ["userinfo", 403],
      ["mcp", 400],
    ]);
  });

  it("answers 403 to a token that only says who somebody is, but for what says so", async () => {
    const started = await start();
    const { access_token } = await identityOf(started, await somebody(started, "owner"));
    const answers = await answersTo(started, access_token);
    expect([...answers].filter(([, status]) => status !== 403)).toEqual([["userinfo", 200]]);
  });

  it.each([
    ["suspended", "PATCH", { suspended: true }],
    ["removed", "DELETE", undefined],
  ] as const)(
    "answers 401 to the token and the key of a member who was %s",
    async (_what, method, change) => {
      const started = await start();
      const who = await somebody(started, "admin");
      const { access_token } = await deviceOf(started, who);
      const body = { name: "mine", scopes: ["read", "write", "admin"] };
      const made = await started.app.request("POST", "/api/v1/keys", { key: access_token, body });
      expect(made.status).toBe(201);
      const ended = await started.app.request(method, `/api/v1/users/${who.user.id}`, { body: change });
      expect(ended.status).toBeLessThan(300);
      for (const secret of [access_token, made.body.secret])
        expect(await answersTo(started, secret)).toEqual(all(401));
    },
  );

  it("answers 403 to a key that is bound to another address", async () => {
    const started = await start();
    const body = { name: "elsewhere", scopes: ["admin", "operator"], addresses: ["192.0.2.0/24"] };
    const { secret } = (await started.app.request("POST", "/api/v1/keys", { body })).body;
    expect(await answersTo(started, secret)).toEqual(all(403));
  });

  it("answers 403 to a key that is bound to one endpoint, but for that and the account", async () => {
    const started = await start();
    const body = { name: "narrow", scopes: ["admin", "operator"], tools: ["usage.show"] };
    const { secret } = (await started.app.request("POST", "/api/v1/keys", { body })).body;
    const answers = await answersTo(started, secret);
    const open = [...answers].filter(([, status]) => status !== 403).map(([name]) => name);
    expect(open).toEqual(["account.show", "usage.show", "mcp"]);
  });

  it("answers 403 to a key that is bound to a project, where it is not about that project alone", async () => {
    const started = await start();
    const { request, key } = started.app;
    await request("PUT", "/api/v1/projects/one", { body: { name: "one" } });
    const secret = await key(["admin", "operator"], { projectId: "one" });
    const open: string[] = [];
    for (const endpoint of PATHS) {
      const { name, method } = endpoint;
      // What tools keep is a project's.
      if (name === "mcp" || endpoint.path.startsWith("/api/v1/tools/")) continue;
      const given: Record<string, unknown> = "example" in endpoint ? { ...endpoint.example } : { token: "x" };
      const path = endpoint.path.replace(/\{(\w+)\}/g, (_, part) => {
        const value = String(given[part] ?? "example");
        delete given[part];
        return encodeURIComponent(value);
      });
      const body = method === "GET" || method === "DELETE" ? undefined : given;
      if ((await request(method, path, { key: secret, body })).status !== 403) open.push(name);
    }
    expect(open).toEqual([
      ...["account.show", "projects.list", "usage.track", "usage.batch", "usage.show", "usage.bounds"],
      ...["entitlements.resolve", "agents.list", "upstreams.list", "upstreams.show"],
    ]);
  });
});
