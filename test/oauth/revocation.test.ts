import { describe, expect, it } from "vitest";
import type { Parameters } from "../../src/oauth/parameters.ts";
import { callerFor, HOUR, oauthError, signInDevice, startServices } from "../accounts/fixture.ts";

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

  it("with a replaced refresh token ends the family", async () => {
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

  it("accepts unknown tokens", async () => {
    const { revoke } = await startServices();
    for (const token of ["nonsense", `tat_${"0".repeat(57)}`, "x".repeat(10_000)]) {
      await expect(revoke({ token })).resolves.toBeUndefined();
    }
  });

  it("requires a token", async () => {
    const { revoke } = await startServices();
    for (const parameters of [{}, { token: "" }] as Parameters[]) {
      await expect(revoke(parameters)).rejects.toMatchObject(oauthError("invalid_request"));
    }
  });

  it("leaves other sign-ins unchanged", async () => {
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

  it("refuses API keys with unsupported_token_type", async () => {
    const { revoke, apiKeys, credentials, owner } = await startServices();
    const { secret } = await apiKeys.create(callerFor(owner), { name: "k", scopes: ["read"] });
    await expect(revoke({ token: secret })).rejects.toMatchObject(oauthError("unsupported_token_type"));
    expect(await credentials.authenticate(secret)).toBeDefined();
  });
});
