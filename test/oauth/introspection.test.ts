import { describe, expect, it } from "vitest";
import { type Account, accounts } from "../../src/accounts/model.ts";
import { GLOBAL } from "../../src/store/store.ts";
import {
  BASE_URL,
  callerFor,
  HOUR,
  MINUTE,
  oauthError,
  secretOf,
  signInDevice,
  startServices,
  VISITOR,
} from "../accounts/fixture.ts";

describe("POST /auth/introspect", () => {
  it("describes an access token", async () => {
    const services = await startServices();
    const { access_token } = await signInDevice(services);
    const iat = Math.floor(services.clock.now() / 1000);
    expect(await services.introspect({ token: access_token, token_type_hint: "access_token" })).toEqual({
      active: true,
      scope: "read write",
      client_id: "tool-cli",
      username: "owner@localhost",
      token_type: "Bearer",
      exp: iat + 3600,
      iat,
      sub: services.owner.id,
      iss: BASE_URL,
      account_id: services.account.id,
    });
  });

  it("describes a refresh token, without a token_type", async () => {
    const services = await startServices();
    const { refresh_token } = await signInDevice(services);
    const found = await services.introspect({ token: refresh_token });
    expect(found).toMatchObject({ active: true, client_id: "tool-cli", scope: "read write" });
    expect(found).not.toHaveProperty("token_type");
  });

  it("describes an API key, without client_id and exp", async () => {
    const services = await startServices();
    const { secret } = await services.apiKeys.create(callerFor(services.owner), {
      name: "k",
      scopes: ["read"],
    });
    const found = await services.introspect({ token: secret });
    expect(found).toMatchObject({ active: true, scope: "read", token_type: "Bearer" });
    expect(found).not.toHaveProperty("client_id");
    expect(found).not.toHaveProperty("exp");
  });

  it("returns inactive for a key that is bound to tools, addresses or a project", async () => {
    const services = await startServices();
    for (const bound of [
      { tools: ["usage.track"] },
      { addresses: ["192.0.2.1"] },
      { projectId: "default" },
    ]) {
      const made = await services.apiKeys.create(callerFor(services.owner), {
        name: "k",
        scopes: ["read"],
        ...bound,
      });
      expect(await services.introspect({ token: made.secret })).toEqual({ active: false });
    }
  });

  it.each([
    ["suspended", { suspendedAt: 1 }],
    ["closed", { deleteAt: Date.UTC(2100, 0, 1) }],
  ])("returns inactive for tokens and keys of an account that is %s", async (_, shut) => {
    const services = await startServices();
    const { access_token, refresh_token } = await signInDevice(services);
    const { secret } = await services.apiKeys.create(callerFor(services.owner), {
      name: "k",
      scopes: ["read"],
    });
    const put = (account: Account) =>
      services.store.transact((tx) => tx.put(accounts, GLOBAL, account.id, account));
    await put({ ...services.account, ...shut });
    for (const token of [access_token, refresh_token, secret])
      expect(await services.introspect({ token })).toEqual({ active: false });
    await put(services.account);
    for (const token of [access_token, refresh_token, secret])
      expect(await services.introspect({ token })).toMatchObject({ active: true });
  });

  it("returns inactive for unknown, expired and revoked tokens and other secrets", async () => {
    const services = await startServices();
    const { introspect, signIn, accounts, apiKeys, account, owner, clock } = services;
    const revoked = await signInDevice(services);
    await services.revoke({ token: revoked.refresh_token });
    const expired = await signInDevice(services);
    const expiresAt = clock.now() + MINUTE;
    const key = await apiKeys.create(callerFor(owner), { name: "k", scopes: ["read"], expiresAt });
    clock.advance(HOUR);
    const link = secretOf(await accounts.createSignInLink(callerFor(owner), account.id));
    const session = await signIn.consumeLink(link, VISITOR);
    const tokens = [revoked.access_token, revoked.refresh_token, expired.access_token, key.secret];
    for (const token of [...tokens, session!.secret, link, "nonsense"]) {
      expect(await introspect({ token })).toEqual({ active: false });
    }
  });

  it("returns inactive for a refresh token replaced too long ago, without ending its family", async () => {
    const services = await startServices();
    const first = await signInDevice(services);
    const refresh = (refresh_token: string) =>
      services.token({ grant_type: "refresh_token", refresh_token, client_id: "tool-cli" });
    const second = await refresh(first.refresh_token);
    expect(await services.introspect({ token: first.refresh_token })).toMatchObject({ active: true });
    const third = await refresh(second.refresh_token);
    services.clock.advance(MINUTE);
    expect(await services.introspect({ token: first.refresh_token })).toEqual({ active: false });
    expect(await services.introspect({ token: third.refresh_token })).toMatchObject({ active: true });
  });

  it("requires a token", async () => {
    const { introspect } = await startServices();
    await expect(introspect({})).rejects.toMatchObject(oauthError("invalid_request"));
  });
});
