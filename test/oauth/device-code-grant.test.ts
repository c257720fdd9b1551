import { describe, expect, it } from "vitest";
import type { Parameters } from "../../src/oauth/parameters.ts";
import {
  approverFor,
  askForCode,
  callerFor,
  colleague,
  DEVICE,
  HOUR,
  MINUTE,
  oauthError,
  type Services,
  servicesOn,
  signInDevice,
  startServices,
} from "../accounts/fixture.ts";

const GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const EXPIRY = 15 * MINUTE;

/** Polls once. Returns the error's code, or `tokens`. */
async function poll({ token }: Services, device_code: string): Promise<string> {
  try {
    await token({ grant_type: GRANT, device_code });
    return "tokens";
  } catch (error) {
    return (error as { error: string }).error;
  }
}

const approve = (services: Services, userCode: string) =>
  services.devices.decide(userCode, "approve", approverFor(services.owner));

describe("the device code grant", () => {
  it("returns a token pair for an approved code", async () => {
    const services = await startServices();
    expect(await signInDevice(services, "read")).toEqual({
      access_token: expect.stringMatching(/^tat_/),
      token_type: "Bearer",
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^trt_/),
      scope: "read",
    });
  });

  it("refuses a code that was approved before its user was suspended", async () => {
    const services = await startServices();
    const { user } = await colleague(services, "member");
    const before = await askForCode(services);
    await services.devices.decide(before.user_code, "approve", approverFor(user));
    services.clock.advance(MINUTE);
    const owner = callerFor(services.owner);
    for (const suspended of [true, false]) await services.users.update(owner, user.id, { suspended });
    expect(await poll(services, before.device_code)).toBe("access_denied");
    const after = await askForCode(services);
    await services.devices.decide(after.user_code, "approve", approverFor(user));
    expect(await poll(services, after.device_code)).toBe("tokens");
  });

  it("recognizes a device code without a grant type", async () => {
    const services = await startServices();
    const { device_code } = await askForCode(services);
    for (const parameters of [{ device_code }, { device_code, grant_type: "" }] as Parameters[]) {
      await expect(services.token(parameters)).rejects.toMatchObject({ status: 400 });
    }
    await expect(services.token({ device_code, grant_type: "password" })).rejects.toMatchObject(
      oauthError("unsupported_grant_type"),
    );
  });

  it.each([{}, { grant_type: "" }, { client_id: "tool-cli" }, { refresh_token: "trt_1" }] as Parameters[])(
    "answers that grant_type is missing to %j (RFC 6749 §5.2)",
    async (parameters) => {
      const services = await startServices();
      await expect(services.token(parameters)).rejects.toMatchObject({
        ...oauthError("invalid_request"),
        description: expect.stringContaining("grant_type is missing"),
      });
    },
  );

  it("refuses another client_id than the code was issued to", async () => {
    const services = await startServices();
    const { device_code, user_code } = await askForCode(services);
    await approve(services, user_code);
    await expect(services.token({ device_code, client_id: "other" })).rejects.toMatchObject(
      oauthError("invalid_grant"),
    );
    await expect(services.token({ device_code, client_id: "tool-cli" })).resolves.toBeDefined();
  });

  it("answers invalid_grant for an unknown or redeemed code", async () => {
    const services = await startServices();
    const { device_code, user_code } = await askForCode(services);
    await approve(services, user_code);
    expect(await poll(services, device_code)).toBe("tokens");
    expect(await poll(services, device_code)).toBe("invalid_grant");
    expect(await poll(services, "x".repeat(43))).toBe("invalid_grant");
    services.clock.advance(EXPIRY);
    expect(await poll(services, device_code)).toBe("invalid_grant");
  });

  it("requires the proof of a client that keeps a secret, named or not", async () => {
    const services = await startServices();
    const begun = await services.devices.begin({ client_id: "web-shop" }, DEVICE);
    await approve(services, begun.user_code);
    const { device_code } = begun;
    for (const unproven of [{}, { client_id: "web-shop" }] as Parameters[]) {
      await expect(services.token({ device_code, ...unproven })).rejects.toMatchObject(
        oauthError("invalid_client"),
      );
    }
    const proven = { client_id: "web-shop", client_secret: "secret of the web shop" };
    await expect(services.token({ device_code, ...proven })).resolves.toBeDefined();
  });

  it("answers access_denied for a denied code", async () => {
    const services = await startServices();
    const { device_code, user_code } = await askForCode(services);
    await services.devices.decide(user_code, "deny", approverFor(services.owner));
    for (let index = 0; index < 3; index++) expect(await poll(services, device_code)).toBe("access_denied");
  });

  it("answers expired_token for an hour after the expiry, whether pending or approved", async () => {
    const services = await startServices();
    const pending = await askForCode(services);
    const approved = await askForCode(services);
    await approve(services, approved.user_code);
    const codes = [pending.device_code, approved.device_code];
    services.clock.advance(EXPIRY - 1);
    expect(await poll(services, pending.device_code)).toBe("authorization_pending");
    services.clock.advance(1);
    for (const code of codes) expect(await poll(services, code)).toBe("expired_token");
    services.clock.advance(HOUR - 1);
    for (const code of codes) expect(await poll(services, code)).toBe("expired_token");
    services.clock.advance(1);
    for (const code of codes) expect(await poll(services, code)).toBe("invalid_grant");
  });

  it.each([2, 50])("redeems a code once when it is polled %i times at once", async (polls) => {
    const services = await startServices();
    const second = await servicesOn(services.store, services.clock, "second");
    const { device_code, user_code } = await askForCode(services);
    await approve(services, user_code);
    const answers = await Promise.all(
      Array.from({ length: polls }, (_, index) => poll(index % 2 ? second : services, device_code)),
    );
    expect(answers.filter((answer) => answer === "tokens")).toHaveLength(1);
    expect(answers.filter((answer) => answer === "invalid_grant")).toHaveLength(polls - 1);
    expect(await services.signedInDevices.list(services.account.id)).toHaveLength(1);
  });
});

describe("polling for a device code", () => {
  it("is never too fast the first time", async () => {
    const services = await startServices();
    const { device_code } = await askForCode(services);
    expect(await poll(services, device_code)).toBe("authorization_pending");
  });

  it("is accepted half a second before the interval ends, but not earlier", async () => {
    const services = await startServices();
    const { device_code } = await askForCode(services);
    await poll(services, device_code);
    services.clock.advance(4500);
    expect(await poll(services, device_code)).toBe("authorization_pending");
    services.clock.advance(4499);
    expect(await poll(services, device_code)).toBe("slow_down");
  });

  it("requires five seconds more after each slow_down, counted from the last poll", async () => {
    const services = await startServices();
    const { device_code } = await askForCode(services);
    await poll(services, device_code);
    expect(await poll(services, device_code)).toBe("slow_down");
    services.clock.advance(9499);
    expect(await poll(services, device_code)).toBe("slow_down");
    services.clock.advance(14_500);
    expect(await poll(services, device_code)).toBe("authorization_pending");
    services.clock.advance(14_500);
    expect(await poll(services, device_code)).toBe("authorization_pending");
  });

  it("requires an interval of one minute at most", async () => {
    const services = await startServices();
    const { device_code } = await askForCode(services);
    for (let index = 0; index < 30; index++) await poll(services, device_code);
    services.clock.advance(59_499);
    expect(await poll(services, device_code)).toBe("slow_down");
    services.clock.advance(59_500);
    expect(await poll(services, device_code)).toBe("authorization_pending");
  });

  it("returns the interval to wait in the description of slow_down", async () => {
    const services = await startServices();
    const { device_code } = await askForCode(services);
    await poll(services, device_code);
    await expect(services.token({ device_code })).rejects.toMatchObject({
      description: expect.stringContaining("10 s"),
    });
  });

  it("is slowed down when it is too fast, but can still redeem an approved code", async () => {
    const services = await startServices();
    const { device_code, user_code } = await askForCode(services);
    for (let index = 0; index < 10; index++) await poll(services, device_code);
    await approve(services, user_code);
    expect(await poll(services, device_code)).toBe("tokens");
  });

  it("answers authorization_pending once, and slow_down to other concurrent polls", async () => {
    const services = await startServices();
    const { device_code } = await askForCode(services);
    const answers = await Promise.all(Array.from({ length: 10 }, () => poll(services, device_code)));
    expect(answers.filter((answer) => answer === "authorization_pending")).toHaveLength(1);
    expect(answers.filter((answer) => answer === "slow_down")).toHaveLength(9);
  });

  it("continues after the clock was set back", async () => {
    const services = await startServices();
    const { device_code } = await askForCode(services);
    await poll(services, device_code);
    services.clock.jump(-HOUR);
    expect(await poll(services, device_code)).toBe("authorization_pending");
  });
});

describe("tokenLimitSubject()", () => {
  it("is the same for a device code before and after redemption, and undefined for an unknown one", async () => {
    const services = await startServices();
    const one = await askForCode(services);
    const other = await askForCode(services);
    const subjectOf = (device_code: string) => services.tokenLimitSubject({ device_code });
    const subject = await subjectOf(one.device_code);
    expect(subject).toEqual({ key: expect.stringMatching(/^device_code\//) });
    expect(subject?.key).not.toContain(one.device_code);
    expect(await subjectOf(other.device_code)).not.toEqual(subject);
    await approve(services, one.user_code);
    await poll(services, one.device_code);
    expect(await subjectOf(one.device_code)).toEqual(subject);
    expect(await subjectOf("unknown")).toBeUndefined();
    expect(await services.tokenLimitSubject({})).toBeUndefined();
    expect(await services.tokenLimitSubject({ grant_type: "password" })).toBeUndefined();
  });

  it("is the same for all refresh tokens of a family, and undefined for an unknown one", async () => {
    const services = await startServices();
    const subjectOf = (refresh_token: string) =>
      services.tokenLimitSubject({ grant_type: "refresh_token", refresh_token });
    const { refresh_token } = await signInDevice(services);
    const subject = await subjectOf(refresh_token);
    const next = await services.token({ grant_type: "refresh_token", refresh_token, client_id: "tool-cli" });
    expect(subject).toEqual({
      key: expect.stringMatching(/^token_family\/fam_/),
      accountId: services.owner.accountId,
    });
    expect(await subjectOf(next.refresh_token)).toEqual(subject);
    expect(await subjectOf((await signInDevice(services)).refresh_token)).not.toEqual(subject);
    expect(await subjectOf("trt_unknown")).toBeUndefined();
    expect(await services.tokenLimitSubject({ grant_type: "refresh_token" })).toBeUndefined();
  });
});
