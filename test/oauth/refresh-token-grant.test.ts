import { describe, expect, it } from "vitest";
import {
  HOUR,
  MINUTE,
  oauthError,
  type Services,
  servicesOn,
  signInDevice,
  startServices,
} from "../accounts/fixture.ts";
import { codeOf, redeeming } from "./redirect.ts";

const DAY = 24 * HOUR;

const refresh = ({ token }: Services, refresh_token: string, extras: Record<string, string> = {}) =>
  token({ grant_type: "refresh_token", refresh_token, client_id: "tool-cli", ...extras });

async function alive({ credentials }: Services, accessToken: string): Promise<boolean> {
  return (await credentials.authenticate(accessToken)) !== undefined;
}

describe("the refresh token grant", () => {
  it("returns a new pair and leaves the old access token valid", async () => {
    const services = await startServices();
    const first = await signInDevice(services);
    const second = await refresh(services, first.refresh_token);
    expect(second).toEqual({
      access_token: expect.stringMatching(/^tat_/),
      token_type: "Bearer",
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^trt_/),
      scope: "read write",
    });
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(await alive(services, first.access_token)).toBe(true);
    expect(await alive(services, second.access_token)).toBe(true);
  });

  it("refuses another client than the token was issued to", async () => {
    const services = await startServices();
    const { refresh_token } = await signInDevice(services);
    await expect(refresh(services, refresh_token, { client_id: "other" })).rejects.toMatchObject(
      oauthError("invalid_grant"),
    );
    await expect(refresh(services, refresh_token, { client_id: "" })).rejects.toMatchObject(
      oauthError("invalid_request"),
    );
    await expect(refresh(services, refresh_token)).resolves.toBeDefined();
  });

  it("refuses anything but a refresh token", async () => {
    const services = await startServices();
    const { access_token } = await signInDevice(services);
    for (const wrong of [access_token, "nonsense", `trt_${"0".repeat(57)}`]) {
      await expect(refresh(services, wrong)).rejects.toMatchObject(oauthError("invalid_grant"));
    }
    await expect(services.token({ grant_type: "refresh_token" })).rejects.toMatchObject(
      oauthError("invalid_request"),
    );
  });

  it("narrows the scope of the access token, not of the family", async () => {
    const services = await startServices();
    const first = await signInDevice(services, "write admin");
    const narrow = await refresh(services, first.refresh_token, { scope: "read" });
    expect(narrow.scope).toBe("read");
    expect((await services.credentials.authenticate(narrow.access_token))?.credential.scopes).toEqual([
      "read",
    ]);
    expect((await refresh(services, narrow.refresh_token)).scope).toBe("write admin");
  });

  it("accepts the identity scopes that the sign-in has, as clients repeat those of their authorization", async () => {
    const services = await startServices();
    const scope = "openid email read";
    const { refresh_token } = await services.token(redeeming(await codeOf(services, { scope })));
    const again = (scope: string) => refresh(services, refresh_token, { client_id: "acme-ide", scope });
    expect((await again(scope)).scope).toBe(scope);
    expect((await again(`${scope} offline_access`)).scope).toBe(scope);
    const { access_token, scope: narrow } = await again("openid");
    expect(narrow).toBe("openid email");
    expect((await services.credentials.authenticate(access_token))?.credential.scopes).toEqual([]);
    expect((await again("read")).scope).toBe(scope);
    for (const more of ["openid profile", "openid write"]) {
      await expect(again(more)).rejects.toMatchObject(oauthError("invalid_scope"));
    }
  });

  it("refuses a wider scope", async () => {
    const services = await startServices();
    const { refresh_token } = await signInDevice(services, "read");
    for (const scope of ["write", "read admin", "root"]) {
      await expect(refresh(services, refresh_token, { scope })).rejects.toMatchObject(
        oauthError("invalid_scope"),
      );
    }
    await expect(refresh(services, refresh_token)).resolves.toBeDefined();
  });

  it("expires 30 days after the last use", async () => {
    const services = await startServices();
    let { refresh_token } = await signInDevice(services);
    services.clock.advance(30 * DAY - 1);
    ({ refresh_token } = await refresh(services, refresh_token));
    services.clock.advance(30 * DAY - 1);
    ({ refresh_token } = await refresh(services, refresh_token));
    services.clock.advance(30 * DAY);
    await expect(refresh(services, refresh_token)).rejects.toMatchObject(oauthError("invalid_grant"));
    expect(await services.signedInDevices.list(services.account.id)).toEqual([]);
  });
});

describe("a replaced refresh token", () => {
  it("works until its successor is used, in case the response was lost", async () => {
    const services = await startServices();
    const { refresh_token } = await signInDevice(services);
    await refresh(services, refresh_token);
    services.clock.advance(DAY);
    const again = await refresh(services, refresh_token);
    expect(await alive(services, again.access_token)).toBe(true);
    await expect(refresh(services, again.refresh_token)).resolves.toBeDefined();
  });

  it("works until 60 s after the first use of its successor", async () => {
    const services = await startServices();
    const { refresh_token } = await signInDevice(services);
    const successor = await refresh(services, refresh_token);
    services.clock.advance(HOUR);
    await refresh(services, successor.refresh_token);
    services.clock.advance(30_000);
    await refresh(services, successor.refresh_token);
    services.clock.advance(29_999);
    const late = await refresh(services, refresh_token);
    expect(await alive(services, late.access_token)).toBe(true);
    await expect(refresh(services, late.refresh_token)).resolves.toBeDefined();
  });

  it("ends the whole family, access tokens included, when used more than 60 s after its successor", async () => {
    const services = await startServices();
    const first = await signInDevice(services);
    const second = await refresh(services, first.refresh_token);
    const third = await refresh(services, second.refresh_token);
    services.clock.advance(MINUTE);
    expect(await alive(services, third.access_token)).toBe(true);
    await expect(refresh(services, first.refresh_token)).rejects.toMatchObject(oauthError("invalid_grant"));
    for (const { access_token, refresh_token } of [first, second, third]) {
      expect(await alive(services, access_token)).toBe(false);
      await expect(refresh(services, refresh_token)).rejects.toMatchObject(oauthError("invalid_grant"));
    }
    expect(await services.signedInDevices.list(services.account.id)).toEqual([]);
  });

  it("ends no other sign-in when used too late", async () => {
    const services = await startServices();
    const other = await signInDevice(services);
    const first = await signInDevice(services);
    const second = await refresh(services, first.refresh_token);
    await refresh(services, second.refresh_token);
    services.clock.advance(MINUTE);
    await expect(refresh(services, first.refresh_token)).rejects.toThrow();
    expect(await alive(services, other.access_token)).toBe(true);
  });

  it("works for a minute after it was rotated, however often that happened since", async () => {
    const services = await startServices();
    const tokens = [(await signInDevice(services)).refresh_token];
    for (let index = 0; index < 5; index++) {
      services.clock.advance(5000);
      tokens.push((await refresh(services, tokens.at(-1)!)).refresh_token);
    }
    for (const token of tokens) await expect(refresh(services, token)).resolves.toBeDefined();
    services.clock.advance(MINUTE);
    await expect(refresh(services, tokens.at(-1)!)).resolves.toBeDefined();
    await expect(refresh(services, tokens[2]!)).rejects.toMatchObject(oauthError("invalid_grant"));
  });

  it("does not revive later tokens that were replaced when it is used in time", async () => {
    const services = await startServices();
    const first = await signInDevice(services);
    const second = await refresh(services, first.refresh_token);
    const third = await refresh(services, second.refresh_token);
    await refresh(services, third.refresh_token);
    await refresh(services, first.refresh_token);
    services.clock.advance(MINUTE);
    await expect(refresh(services, second.refresh_token)).rejects.toMatchObject(oauthError("invalid_grant"));
  });

  it("reveals a stolen token when the owner refreshes after the thief", async () => {
    const services = await startServices();
    const { refresh_token } = await signInDevice(services);
    const owners = await refresh(services, refresh_token);
    let thiefs = await refresh(services, refresh_token);
    for (let hour = 0; hour < 3; hour++) {
      services.clock.advance(HOUR);
      thiefs = await refresh(services, thiefs.refresh_token);
    }
    services.clock.advance(HOUR);
    await expect(refresh(services, owners.refresh_token)).rejects.toMatchObject(oauthError("invalid_grant"));
    expect(await alive(services, thiefs.access_token)).toBe(false);
    await expect(refresh(services, thiefs.refresh_token)).rejects.toMatchObject(oauthError("invalid_grant"));
  });
});

describe("two processes of one client", () => {
  it("can refresh at once and continue, hour after hour", async () => {
    const services = await startServices();
    const second = await servicesOn(services.store, services.clock, "second");
    const { refresh_token } = await signInDevice(services);
    let pairs = await Promise.all([refresh(services, refresh_token), refresh(second, refresh_token)]);
    for (let hour = 0; hour < 4; hour++) {
      expect(pairs[0].refresh_token).not.toBe(pairs[1].refresh_token);
      for (const pair of pairs) expect(await alive(services, pair.access_token)).toBe(true);
      services.clock.advance(HOUR);
      pairs = await Promise.all([
        refresh(services, pairs[0].refresh_token),
        refresh(second, pairs[1].refresh_token),
      ]);
    }
  });

  it("can continue with any of the concurrent responses", async () => {
    const services = await startServices();
    const { refresh_token } = await signInDevice(services);
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(services, refresh_token)));
    for (const answer of answers) {
      const next = await refresh(services, answer.refresh_token);
      expect(await alive(services, next.access_token)).toBe(true);
    }
  });
});
