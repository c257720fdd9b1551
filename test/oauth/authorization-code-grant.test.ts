import { describe, expect, it } from "vitest";
import { proveAddress } from "../../src/accounts/sign-in/first-proof.ts";
import {
  BASE_URL,
  callerFor,
  colleague,
  MINUTE,
  oauthError,
  type Services,
  startServices,
} from "../accounts/fixture.ts";
import { codeOf, redeeming, VERIFIER } from "./redirect.ts";

const alive = async ({ credentials }: Services, token: string) =>
  (await credentials.authenticate(token)) !== undefined;

describe("an authorization code", () => {
  it("returns a token pair of one sign-in, which can be refreshed concurrently", async () => {
    const services = await startServices();
    const pair = await services.token(redeeming(await codeOf(services, { scope: "read" })));
    expect(pair).toMatchObject({ token_type: "Bearer", expires_in: 3600, scope: "read" });
    expect(await services.signedInDevices.list(services.account.id)).toMatchObject([
      { clientId: "acme-ide" },
    ]);
    const refresh = (refresh_token: string) =>
      services.token({ grant_type: "refresh_token", client_id: "acme-ide", refresh_token });
    const pairs = await Promise.all(Array.from({ length: 100 }, () => refresh(pair.refresh_token)));
    for (const { access_token } of pairs) expect(await alive(services, access_token)).toBe(true);
    expect(await services.signedInDevices.list(services.account.id)).toHaveLength(1);
  });

  it("expires after a minute", async () => {
    const services = await startServices();
    const [early, late] = [await codeOf(services), await codeOf(services)];
    services.clock.advance(MINUTE - 1);
    await expect(services.token(redeeming(early))).resolves.toBeDefined();
    services.clock.advance(1);
    await expect(services.token(redeeming(late))).rejects.toMatchObject(oauthError("invalid_grant"));
  });

  it("revokes the tokens of its first use when it is used again", async () => {
    const services = await startServices();
    const code = await codeOf(services);
    const pair = await services.token(redeeming(code));
    await expect(services.token(redeeming(code))).rejects.toMatchObject(oauthError("invalid_grant"));
    expect(await alive(services, pair.access_token)).toBe(false);
    expect(await services.signedInDevices.list(services.account.id)).toEqual([]);
  });

  it("returns at most one pair to concurrent uses, and that pair is revoked", async () => {
    const services = await startServices();
    const code = await codeOf(services);
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => services.token(redeeming(code))));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await services.signedInDevices.list(services.account.id)).toEqual([]);
  });

  it.each([
    ["another client", { client_id: "web-shop", client_secret: "secret of the web shop" }, "invalid_grant"],
    ["nobody", { client_id: "" }, "invalid_grant"],
    ["another redirect URI", { redirect_uri: "http://127.0.0.1/done" }, "invalid_grant"],
    ["another verifier", { code_verifier: `${VERIFIER}x` }, "invalid_grant"],
    ["no verifier", { code_verifier: "" }, "invalid_request"],
    [
      "the challenge as its verifier, as plain PKCE has it",
      { code_verifier: "x".repeat(43) },
      "invalid_grant",
    ],
    ["another resource", { resource: `${BASE_URL}/mcp` }, "invalid_target"],
  ])("is refused with %s, and still works for its own client", async (_, changed, error) => {
    const services = await startServices();
    const code = await codeOf(services, { resource: BASE_URL });
    await expect(services.token(redeeming(code, changed))).rejects.toMatchObject(oauthError(error));
    await expect(services.token(redeeming(code, { redirect_uri: "" }))).resolves.toBeDefined();
  });

  it("of a confidential client requires client authentication, also at each refresh", async () => {
    const services = await startServices();
    const shop = { client_id: "web-shop", redirect_uri: "https://shop.example/signed-in" };
    const secret = { client_secret: "secret of the web shop" };
    const code = await codeOf(services, shop);
    for (const wrong of [{}, { client_secret: "guess" }] as Record<string, string>[]) {
      await expect(services.token(redeeming(code, { ...shop, ...wrong }))).rejects.toMatchObject(
        oauthError("invalid_client"),
      );
    }
    const { refresh_token } = await services.token(redeeming(code, { ...shop, ...secret }));
    const refresh = { grant_type: "refresh_token", client_id: "web-shop", refresh_token };
    await expect(services.token(refresh)).rejects.toMatchObject(oauthError("invalid_client"));
    const basic = `Basic ${Buffer.from("web-shop:secret+of+the+web%20shop").toString("base64")}`;
    await expect(
      services.token({ grant_type: "refresh_token", refresh_token }, { authorization: basic }),
    ).resolves.toBeDefined();
    await expect(services.token({ ...refresh, ...secret }, { authorization: basic })).rejects.toMatchObject(
      oauthError("invalid_request"),
    );
  });

  it("is refused once its user was deleted", async () => {
    const services = await startServices();
    const { user } = await colleague(services, "member");
    const { decide } = await import("./redirect.ts");
    const code = (await decide(services, {}, "approve", user)).get("code") ?? "";
    await services.users.remove(callerFor(services.owner), user.id);
    await expect(services.token(redeeming(code))).rejects.toMatchObject(oauthError("invalid_grant"));
  });

  it("is refused once its user was suspended or lost an allowed scope", async () => {
    const services = await startServices();
    for (const change of [{ role: "member" as const }, { suspended: true }]) {
      const { user } = await colleague(services, "admin", { email: `${Object.keys(change)}@example.com` });
      const { decide } = await import("./redirect.ts");
      const code = (await decide(services, { scope: "admin" }, "approve", user)).get("code") ?? "";
      await services.users.update(callerFor(services.owner), user.id, change);
      await expect(services.token(redeeming(code))).rejects.toMatchObject(oauthError("invalid_grant"));
    }
  });

  it("with openid returns an ID token with the allowed claims", async () => {
    const services = await startServices();
    const code = await codeOf(services, { scope: "openid email", nonce: "n-1" });
    const pair = await services.token(redeeming(code));
    expect(pair.scope).toBe("openid email");
    expect(JSON.parse(pair.id_token ?? "")).toEqual({
      iss: BASE_URL,
      aud: "acme-ide",
      sub: services.owner.id,
      nonce: "n-1",
      auth_time: 1,
      iat: expect.any(Number),
      exp: expect.any(Number),
      email: "owner@localhost",
      email_verified: false,
    });
    const found = await services.credentials.authenticate(pair.access_token);
    expect(found?.credential.scopes).toEqual([]);
    const who = { accountId: services.account.id, userId: services.owner.id };
    expect(await services.userInfo({ ...who, ...found?.credential })).toEqual({
      sub: services.owner.id,
      email: "owner@localhost",
      email_verified: false,
    });
    await expect(services.userInfo(who)).rejects.toMatchObject(oauthError("insufficient_scope"));
  });

  it("says that an address is verified once its person has proven it, and of nobody else", async () => {
    const services = await startServices();
    // Whoever invites an address sees the link where no mail is sent, and may use it themselves.
    const { user, person } = await colleague(services, "member", { email: "ada@example.com" });
    const claims = () =>
      services.userInfo({ accountId: user.accountId, userId: user.id, identity: ["openid", "email"] });
    expect(await claims()).toEqual({ sub: user.id, email: "ada@example.com", email_verified: false });
    const prove = () =>
      services.store.transact(async (tx) => {
        await proveAddress(tx, person, { now: 1, signedInAs: person.id });
      });
    await prove();
    expect(await claims()).toEqual({ sub: user.id, email: "ada@example.com", email_verified: true });
    const told = await services.userInfo({
      accountId: user.accountId,
      userId: user.id,
      identity: ["openid", "profile"],
    });
    expect(told).not.toHaveProperty("email_verified");
  });
});
