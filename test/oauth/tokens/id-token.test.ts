import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLocalJWKSet, jwtVerify } from "jose";
import { expect, it } from "vitest";
import { loadCatalogue } from "../../../src/metering/plans.ts";
import { adjustableClock } from "../../support/adjustable-clock.ts";
import { OWNER_KEY, startApp, type TestApp } from "../../support/app.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { OWNER } from "../../web/support/pages.ts";
import { signedInVisitor } from "../../web/support/visitor.ts";
import { CHALLENGE, redeeming } from "../redirect.ts";

const REDIRECT = { client_id: "tool-cli", redirect_uri: "http://127.0.0.1:7777/callback" };

/** Signs the owner in to the command line by redirect, and returns the ID token. */
async function idToken(app: TestApp): Promise<string> {
  const person = await signedInVisitor(app.url, OWNER);
  const asked = { ...REDIRECT, response_type: "code", scope: "openid", code_challenge_method: "S256" };
  const query = new URLSearchParams({ ...asked, code_challenge: CHALLENGE });
  const begun = await person.get(`/auth/authorize?${query}`);
  const page = await person.get(begun.location ?? "");
  const { location } = await person.send(page, "/auth/authorize", { decision: "approve" });
  const code = new URL(location ?? "").searchParams.get("code") ?? "";
  const body = new URLSearchParams(redeeming(code, REDIRECT));
  const answer = await fetch(`${app.url}/auth/token`, { method: "POST", body });
  return ((await answer.json()) as { id_token: string }).id_token;
}

it("an ID token can be verified until it expires, also if its key is replaced and entitlements end before", async () => {
  const plansFile = join(temporaryDirectory(), "plans.json");
  writeFileSync(plansFile, JSON.stringify({ policy: { ...loadCatalogue().policy, offlineGraceSeconds: 0 } }));
  const clock = adjustableClock();
  const owner = { email: OWNER.email, password: OWNER.password, apiKey: OWNER_KEY };
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
