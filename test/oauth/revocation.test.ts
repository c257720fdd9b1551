import { describe, expect, it } from "vitest";
import type { Parameters } from "../../src/oauth/parameters.ts";
import {
  callerFor,
  colleague,
  HOUR,
  oauthError,
  problem,
  signInDevice,
  startServices,
  stranger,
} from "../accounts/fixture.ts";

describe("POST /auth/revoke", () => {
  it.each(["access_token", "refresh_token"] as const)("with the %s ends the whole family", async (which) => {
    const services = await startServices();
    const tokens = await signInDevice(services);
    await services.revoke({ token: tokens[which], token_type_hint: "nonsense" });
    expect(await services.credentials.authenticate(tokens.access_token)).toBeUndefined();
    const refreshing = services.token({
      grant_type: "refresh_token",
      refresh_token: tokens.refresh_token,
      client_id: "tool-cli",
    });
    await expect(refreshing).rejects.toMatchObject(oauthError("invalid_grant"));
    await services.revoke({ token: tokens[which] });
  });

  it("with a replaced refresh token ends the family too", async () => {
    const services = await startServices();
    const { refresh_token } = await signInDevice(services);
    const { access_token } = await services.token({
      grant_type: "refresh_token",
      refresh_token,
      client_id: "tool-cli",
    });
    services.clock.advance(HOUR / 2);
    await services.revoke({ token: refresh_token });
    expect(await services.credentials.authenticate(access_token)).toBeUndefined();
  });

  it("takes unknown tokens as revoked", async () => {
    const { revoke } = await startServices();
    for (const token of ["nonsense", `tat_${"0".repeat(57)}`, "x".repeat(10_000)]) {
      await expect(revoke({ token })).resolves.toBeUndefined();
    }
  });

  it("wants a token", async () => {
    const { revoke } = await startServices();
    for (const parameters of [{}, { token: "" }] as Parameters[]) {
      await expect(revoke(parameters)).rejects.toMatchObject(oauthError("invalid_request"));
    }
  });

  it("leaves other sign-ins alone", async () => {
    const services = await startServices();
    const [one, other] = [await signInDevice(services), await signInDevice(services)];
    await services.revoke({ token: one.refresh_token });
    expect(await services.credentials.authenticate(other.access_token)).toBeDefined();
  });

  it("is refused to another client", async () => {
    const services = await startServices();
    const { access_token } = await signInDevice(services);
    await expect(services.revoke({ token: access_token, client_id: "other" })).rejects.toMatchObject(
      oauthError("invalid_grant"),
    );
    expect(await services.credentials.authenticate(access_token)).toBeDefined();
    await services.revoke({ token: access_token, client_id: "tool-cli" });
    expect(await services.credentials.authenticate(access_token)).toBeUndefined();
  });

  it("sends API keys to where they are revoked", async () => {
    const { revoke, apiKeys, credentials, owner } = await startServices();
    const { secret } = await apiKeys.create(callerFor(owner), { name: "k", scopes: ["read"] });
    await expect(revoke({ token: secret })).rejects.toMatchObject(oauthError("unsupported_token_type"));
    expect(await credentials.authenticate(secret)).toBeDefined();
  });
});

describe("signed-in devices", () => {
  it("are listed newest first, for an account or one user, without what rotation keeps", async () => {
    const services = await startServices();
    const { families, account, owner } = services;
    const { user } = await colleague(services, "member");
    await signInDevice(services, "read");
    services.clock.advance(1000);
    await signInDevice(services, "write", user);
    await signInDevice(services, "read", await stranger(services));
    const all = await families.list(account.id);
    expect(all.map(({ userId }) => userId)).toEqual([user.id, owner.id]);
    expect(all[0]).toEqual({
      id: expect.stringMatching(/^fam_/),
      userId: user.id,
      clientId: "tool-cli",
      scopes: ["write"],
      address: "198.51.100.7",
      userAgent: "tool/0.1.0",
      createdAt: services.clock.now(),
      lastUsedAt: services.clock.now(),
      expiresAt: services.clock.now() + 30 * 24 * HOUR,
    });
    expect(await families.list(account.id, owner.id)).toEqual([all[1]]);
  });

  it("are ended by their user, or by who may end anybody's", async () => {
    const services = await startServices();
    const { families, account, owner, credentials } = services;
    const { user } = await colleague(services, "member");
    const ada = await stranger(services);
    const { access_token } = await signInDevice(services);
    const [device] = await families.list(account.id);
    for (const attempt of [
      families.revoke(callerFor(ada), device!.id, true),
      families.revoke(callerFor(user), device!.id),
      families.revoke(callerFor(owner), "fam_unknown", true),
    ]) {
      await expect(attempt).rejects.toMatchObject(problem("not_found"));
    }
    expect(await credentials.authenticate(access_token)).toBeDefined();
    await families.revoke(callerFor(owner), device!.id);
    expect(await credentials.authenticate(access_token)).toBeUndefined();
    const theirs = await signInDevice(services, "read", user);
    await families.revoke(callerFor(owner), (await families.list(account.id))[0]!.id, true);
    expect(await credentials.authenticate(theirs.access_token)).toBeUndefined();
  });
});
