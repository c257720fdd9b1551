import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  decodeProtectedHeader,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  jwtVerify,
} from "jose";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadCatalogue } from "../../../src/metering/plans.ts";
import { adjustableClock } from "../../support/adjustable-clock.ts";
import { OWNER_KEY, startApp, type TestApp } from "../../support/app.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { OWNER } from "../../web/support/pages.ts";
import { signedInVisitor } from "../../web/support/visitor.ts";
import { CHALLENGE, redeeming } from "../redirect.ts";

const REDIRECT = { client_id: "tool-cli", redirect_uri: "http://127.0.0.1:7777/callback" };
const owner = { email: OWNER.email, password: OWNER.password, apiKey: OWNER_KEY };

/** Signs the owner in to a client by redirect, and returns the ID token. */
async function idToken(app: TestApp, client = REDIRECT): Promise<string> {
  const person = await signedInVisitor(app.url, OWNER);
  const asked = { ...client, response_type: "code", scope: "openid", code_challenge_method: "S256" };
  const query = new URLSearchParams({ ...asked, code_challenge: CHALLENGE });
  const begun = await person.get(`/auth/authorize?${query}`);
  const page = await person.get(begun.location ?? "");
  const { location } = await person.send(page, "/auth/authorize", { decision: "approve" });
  const code = new URL(location ?? "").searchParams.get("code") ?? "";
  const body = new URLSearchParams(redeeming(code, client));
  const answer = await fetch(`${app.url}/auth/token`, { method: "POST", body });
  return ((await answer.json()) as { id_token: string }).id_token;
}

it("an ID token can be verified until it expires, also if its key is replaced and entitlements end before", async () => {
  const plansFile = join(temporaryDirectory(), "plans.json");
  writeFileSync(plansFile, JSON.stringify({ policy: { ...loadCatalogue().policy, offlineGraceSeconds: 0 } }));
  const clock = adjustableClock();
  const app = await startApp({ clock, plansFile, owner });
  const token = await idToken(app);
  expect((await app.request("POST", "/api/v1/signing-keys/rotate", { body: {} })).status).toBe(201);
  const verify = async () => {
    const { body } = await app.request("GET", "/.well-known/jwks.json");
    const currentDate = new Date(clock.now());
    return jwtVerify(token, createLocalJWKSet(body), { issuer: app.url, audience: "tool-cli", currentDate });
  };
  const { payload } = await verify();
  clock.advance((payload.exp as number) * 1000 - clock.now() - 1);
  expect((await verify()).payload).toEqual(payload);
});

describe("an ID token is signed with RS256", () => {
  const redirect_uri = "http://127.0.0.1:7777/callback";

  async function verified(
    app: TestApp,
    client_id: string,
    keys: JWTVerifyGetKey = createRemoteJWKSet(jwksOf(app)),
  ) {
    const token = await idToken(app, { client_id, redirect_uri });
    return jwtVerify(token, keys, { issuer: app.url, audience: client_id, algorithms: ["RS256"] });
  }

  const jwksOf = (app: TestApp) => new URL("/.well-known/jwks.json", app.url);

  it("for a client of the plans file that says so, with a key that is published from the start", async () => {
    const plansFile = join(temporaryDirectory(), "plans.json");
    const shop = { name: "Shop", redirectUris: [redirect_uri], idTokenSignedResponseAlg: "RS256" };
    writeFileSync(plansFile, JSON.stringify({ clients: { shop } }));
    const app = await startApp({ plansFile, owner });
    // Some libraries fetch the keys once, at their start.
    const keys = createLocalJWKSet((await (await fetch(jwksOf(app))).json()) as JSONWebKeySet);
    expect((await verified(app, "shop", keys)).payload.sub).toMatch(/^usr_/);
    const { alg } = decodeProtectedHeader(await idToken(app));
    expect(alg, "of a client that says nothing").toBe("EdDSA");
  });

  it("for a client that registers so", async () => {
    const app = await startApp({ owner });
    const body = { redirect_uris: [redirect_uri], id_token_signed_response_alg: "RS256" };
    const registered = await app.request("POST", "/auth/register", { body });
    expect([registered.status, registered.body.id_token_signed_response_alg]).toEqual([201, "RS256"]);
    expect((await verified(app, registered.body.client_id)).payload.aud).toBe(registered.body.client_id);
    const { items } = (await app.request("GET", "/api/v1/clients")).body;
    expect(Object.keys(items[0]).sort()).toEqual(["createdAt", "id", "lastUsedAt", "name", "redirectUris"]);
  });

  it("for a client whose document says so", async () => {
    const site = createServer((_, res) => {
      const document = { client_id, redirect_uris: [redirect_uri], id_token_signed_response_alg: "RS256" };
      res.setHeader("Content-Type", "application/json").end(JSON.stringify(document));
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void site.close());
    await once(site, "listening");
    const client_id = `http://127.0.0.1:${(site.address() as AddressInfo).port}/client.json`;
    const app = await startApp({ owner, privateClients: true });
    expect((await verified(app, client_id)).payload.aud).toBe(client_id);
  });

  it.each([undefined, "ES256", "none"])("and with EdDSA for one that registers with %s", async (alg) => {
    const app = await startApp({ owner });
    const body = { redirect_uris: [redirect_uri], id_token_signed_response_alg: alg };
    const registered = (await app.request("POST", "/auth/register", { body })).body;
    expect(registered.id_token_signed_response_alg).toBe("EdDSA");
    const token = await idToken(app, { client_id: registered.client_id, redirect_uri });
    expect(decodeProtectedHeader(token).alg).toBe("EdDSA");
  });
});
