import { describe, expect, it } from "vitest";
import {
  callerFor,
  HOUR,
  oauthError,
  problem,
  type Services,
  startServices,
  trailOf,
  VISITOR,
} from "../../accounts/fixture.ts";
import { startApp } from "../../support/app.ts";
import { begin, codeOf, consenting, redeeming } from "../redirect.ts";

const DAY = 24 * HOUR;
const REDIRECT = "http://127.0.0.1/callback";

async function register({ registrations }: Services, metadata: object = { redirect_uris: [REDIRECT] }) {
  if (!registrations) throw new Error("clients may not register");
  return registrations.register(metadata, VISITOR);
}

const asking = (client_id: string) => ({ client_id, redirect_uri: "http://127.0.0.1:4000/callback" });

describe("a client that registers itself (RFC 7591)", () => {
  it("gets an id and is public, regardless of the authentication method requested", async () => {
    const services = await startServices();
    const answer = await register(services, {
      client_name: " Editor ",
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: "client_secret_basic",
      client_id: "chosen",
      logo_uri: "https://evil.example/logo.png",
    });
    expect(answer).toEqual({
      client_id: expect.stringMatching(/^dcr_[0-9a-z]{26}$/),
      client_id_issued_at: expect.any(Number),
      client_name: "Editor",
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      id_token_signed_response_alg: "EdDSA",
    });
    await expect(begin(services, asking(answer.client_id))).resolves.toHaveProperty("requestUri");
  });

  it("may send null for what it leaves out", async () => {
    const unset = { client_name: null, grant_types: null, response_types: null, jwks: null, scope: null };
    const answer = await register(await startServices(), { redirect_uris: [REDIRECT], ...unset });
    expect(answer).toMatchObject({ client_name: "Unnamed application", redirect_uris: [REDIRECT] });
  });

  it("has a name without control, bidirectional or invisible characters", async () => {
    const services = await startServices();
    const named = (client_name: string) => register(services, { client_name, redirect_uris: [REDIRECT] });
    expect((await named("\u202egpj.\u2066Ed\u0000it\u200bor\n")).client_name).toBe("gpj.Editor");
    expect((await named(" \u00a0 My \t\n  Editor ")).client_name).toBe("My Editor");
    expect((await named("x".repeat(128))).client_name).toHaveLength(128);
    await expect(named(" \u200b ")).rejects.toMatchObject(oauthError("invalid_client_metadata"));
  });

  it.each([
    ["no redirect URI", { redirect_uris: [] }, "invalid_redirect_uri"],
    ["none at all", {}, "invalid_redirect_uri"],
    [
      "more than a hundred",
      { redirect_uris: Array.from({ length: 101 }, () => "a:/") },
      "invalid_redirect_uri",
    ],
    [
      "long ones",
      { redirect_uris: Array.from({ length: 3 }, (_, i) => `https://a.example/${i}${"a".repeat(900)}`) },
      "invalid_redirect_uri",
    ],
    ["plain http", { redirect_uris: ["http://app.example/callback"] }, "invalid_redirect_uri"],
    ["a script", { redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
    ["data", { redirect_uris: ["data:text/html,x"] }, "invalid_redirect_uri"],
    ["a fragment", { redirect_uris: ["https://app.example/#x"] }, "invalid_redirect_uri"],
    ["a path in place of a host", { redirect_uris: ["https:app.example/callback"] }, "invalid_redirect_uri"],
    ["a password", { redirect_uris: ["https://u:p@app.example/"] }, "invalid_redirect_uri"],
    [
      "an implicit grant",
      { redirect_uris: [REDIRECT], grant_types: ["implicit"] },
      "invalid_client_metadata",
    ],
    ["a token response", { redirect_uris: [REDIRECT], response_types: ["token"] }, "invalid_client_metadata"],
    ["a long name", { redirect_uris: [REDIRECT], client_name: "x".repeat(129) }, "invalid_client_metadata"],
    ["nothing that is an object", [], "invalid_client_metadata"],
  ])("with %s is refused", async (_, metadata, error) => {
    await expect(register(await startServices(), metadata)).rejects.toMatchObject(oauthError(error));
  });

  it.each([
    [
      { redirect_uris: Array(3).fill(`https://a.example/${"a".repeat(900)}`) },
      "redirect_uris: hold more than 2048 characters",
    ],
    [{ redirect_uris: ["data:x"] }, "redirect_uris.0: must not have the scheme data:"],
    [{ redirect_uris: [REDIRECT], grant_types: ["implicit"] }, "grant_types: must hold authorization_code"],
    [{ redirect_uris: [REDIRECT], response_types: ["token"] }, "response_types: must hold code"],
    [{ redirect_uris: [REDIRECT], client_name: "" }, "client_name: must have something to see"],
  ])("is refused with the reason for %.60j", async (metadata, description) => {
    await expect(register(await startServices(), metadata)).rejects.toMatchObject({ description });
  });

  it("has a default name, and a readable error if the metadata is no object", async () => {
    const services = await startServices();
    expect((await register(services)).client_name).toBe("Unnamed application");
    const refused = await register(services, []).catch((error) => error);
    expect(refused.description).not.toMatch(/^:/);
  });

  it("may have redirect URIs of 2,048 characters in total, and is vouched for by nobody", async () => {
    const services = await startServices();
    const redirect_uris = [`${REDIRECT}/`, "https://app.example/"].map((uri) => uri.padEnd(1024, "a"));
    const { client_id } = await register(services, { redirect_uris });
    const begun = await begin(services, { client_id, redirect_uri: redirect_uris[0] as string });
    const uri = "requestUri" in begun ? begun.requestUri : "";
    const { client } = await services.authorizations.describe(uri, client_id, consenting(services.owner));
    expect(client.vouchedBy).toBe("nobody");
    const more = { redirect_uris: [...redirect_uris, "app:/"] };
    await expect(register(services, more)).rejects.toMatchObject(oauthError("invalid_redirect_uri"));
  });

  it("is deleted after a day without an approval, or 90 days after its last use", async () => {
    const services = await startServices();
    const [unused, used] = [await register(services), await register(services)];
    const asked = { client_id: used.client_id, redirect_uri: REDIRECT };
    const pair = await services.token(redeeming(await codeOf(services, asked), asked));
    services.clock.advance(DAY);
    await expect(begin(services, asking(unused.client_id))).rejects.toMatchObject(
      oauthError("invalid_client"),
    );
    services.clock.advance(20 * DAY);
    const refresh = {
      grant_type: "refresh_token",
      client_id: used.client_id,
      refresh_token: pair.refresh_token,
    };
    await services.token(refresh);
    services.clock.advance(90 * DAY - 1);
    await expect(begin(services, asking(used.client_id))).resolves.toHaveProperty("requestUri");
    services.clock.advance(1);
    await expect(begin(services, asking(used.client_id))).rejects.toMatchObject(oauthError("invalid_client"));
  });

  it("registers anew when it comes back after a long time, as its refresh token is told that it is unknown", async () => {
    const services = await startServices();
    const { client_id } = await register(services);
    const asked = { client_id, redirect_uri: REDIRECT };
    const { refresh_token } = await services.token(redeeming(await codeOf(services, asked), asked));
    const refresh = () => services.token({ grant_type: "refresh_token", client_id, refresh_token });
    services.clock.advance(31 * DAY);
    await expect(refresh()).rejects.toMatchObject(oauthError("invalid_grant"));
    services.clock.advance(60 * DAY);
    await expect(refresh()).rejects.toMatchObject(oauthError("invalid_client"));
  });

  it("can register ten times a minute from one address, unless registration is turned off", async () => {
    const post = (app: Awaited<ReturnType<typeof startApp>>) =>
      app.request("POST", "/auth/register", { key: null, body: { redirect_uris: [REDIRECT] } });
    const app = await startApp();
    const statuses = [];
    for (let count = 0; count < 11; count++) statuses.push((await post(app)).status);
    expect(statuses).toEqual([...Array(10).fill(201), 429]);
    const closed = await startApp({ clientRegistration: false });
    expect((await post(closed)).status).toBe(404);
    const metadata = await closed.request("GET", "/.well-known/oauth-authorization-server", { key: null });
    expect(metadata.body.registration_endpoint).toBeUndefined();
  });
});

describe("management of registered clients", () => {
  it("lists clients in order of registration, in pages, removes them, and logs both", async () => {
    const services = await startServices();
    const { registrations, owner } = services;
    if (!registrations) throw new Error("clients may not register");
    const ids: string[] = [];
    for (const client_name of ["One", "Two", "Three"]) {
      const { client_id } = await register(services, { client_name, redirect_uris: [REDIRECT] });
      ids.push(client_id);
      const noted = (await trailOf(services)).at(-1);
      expect(noted).toMatchObject({
        action: "client.registered",
        target: { kind: "client", id: client_id, name: client_name },
        after: { redirectUris: [REDIRECT] },
      });
      expect(noted).not.toHaveProperty("accountId");
    }
    const createdAt = services.clock.now();
    const first = await registrations.list({ limit: 2 });
    const one = { name: "One", redirectUris: [REDIRECT], idTokenAlgorithm: "EdDSA", createdAt };
    expect(first.items[0]).toEqual({ id: ids[0], ...one });
    expect(first.nextCursor).toBe(ids[1]);
    const rest = await registrations.list({ limit: 2, cursor: ids[1] });
    expect(rest.items.map(({ name }) => name)).toEqual(["Three"]);
    expect(rest).not.toHaveProperty("nextCursor");
    expect(await registrations.list({ limit: 3 })).not.toHaveProperty("nextCursor");
    const by = callerFor(owner);
    expect(await registrations.revoke(by, ids[1] as string)).toBe("Two");
    expect((await trailOf(services)).at(-1)).toMatchObject({
      action: "client.revoked",
      target: { kind: "client", id: ids[1], name: "Two" },
      before: { redirectUris: [REDIRECT] },
    });
    expect((await registrations.list({ limit: 9 })).items.map(({ name }) => name)).toEqual(["One", "Three"]);
    await expect(registrations.revoke(by, ids[1] as string)).rejects.toMatchObject(problem("not_found"));
    await expect(begin(services, asking(ids[1] as string))).rejects.toMatchObject(
      oauthError("invalid_client"),
    );
  });

  it("asks nobody any more once it is revoked, not even by requests that wait", async () => {
    const services = await startServices();
    const { authorizations, registrations, owner } = services;
    const { client_id } = await register(services);
    const begun = await begin(services, asking(client_id));
    if (!("requestUri" in begun)) throw new Error(begun.reason);
    const user = consenting(owner);
    await authorizations.describe(begun.requestUri, client_id, user);
    await registrations?.revoke(callerFor(owner), client_id);
    const describing = authorizations.describe(begun.requestUri, client_id, user);
    await expect(describing).rejects.toMatchObject(problem("not_found"));
    const deciding = authorizations.decide(begun.requestUri, client_id, "approve", user);
    await expect(deciding).rejects.toMatchObject(problem("not_found"));
  });

  it("ends what a client was issued when it is revoked, and nothing of others", async () => {
    const services = await startServices();
    const { registrations, signedInDevices, credentials, owner } = services;
    const signIn = async (client_id: string) => {
      const asked = { client_id, redirect_uri: REDIRECT };
      const tokens = await services.token(redeeming(await codeOf(services, asked), asked));
      return { client_id, access: tokens.access_token, refresh_token: tokens.refresh_token as string };
    };
    const evil = await signIn((await register(services)).client_id);
    const good = await signIn((await register(services)).client_id);
    await registrations?.revoke(callerFor(owner), evil.client_id);

    expect(await credentials.authenticate(evil.access)).toBeUndefined();
    expect(await credentials.authenticate(good.access)).toMatchObject({ userId: owner.id });
    const listed = await signedInDevices.list(owner.accountId);
    expect(listed.map(({ clientId }) => clientId)).toEqual([good.client_id]);
    const { client_id, refresh_token } = evil;
    const refreshing = services.token({ grant_type: "refresh_token", client_id, refresh_token });
    await expect(refreshing).rejects.toMatchObject(oauthError("invalid_client"));
    const introspect = (token: string) => services.introspect({ token });
    for (const token of [evil.access, refresh_token]) {
      expect(await introspect(token)).toEqual({ active: false });
    }
    for (const token of [good.access, good.refresh_token]) {
      expect(await introspect(token)).toMatchObject({ active: true });
    }
  });

  it("records the last use of a client once a day", async () => {
    const services = await startServices();
    const { registrations, clock } = services;
    const { client_id } = await register(services);
    const asked = { client_id, redirect_uri: REDIRECT };
    const lastUse = async () => (await registrations?.list({ limit: 1 }))?.items[0]?.lastUsedAt;
    expect(await lastUse()).toBeUndefined();
    const first = clock.now();
    await codeOf(services, asked);
    expect(await lastUse()).toBe(first);
    clock.advance(DAY - 1);
    await codeOf(services, asked);
    expect(await lastUse()).toBe(first);
    clock.advance(1);
    await codeOf(services, asked);
    expect(await lastUse()).toBe(first + DAY);
  });
});
