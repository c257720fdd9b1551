import { describe, expect, it } from "vitest";
import { oauthContract } from "../../src/oauth/contract.ts";
import { oauthHandlers } from "../../src/oauth/handlers.ts";
import {
  approverFor,
  askForCode,
  callerFor,
  colleague,
  DEVICE,
  HOUR,
  MINUTE,
  problem,
  startServices,
  stranger,
  trailOf,
} from "../accounts/fixture.ts";

const WRONG = "BBBB-BBBB";

describe("devices.describe()", () => {
  it("returns client, scopes, device, times and status", async () => {
    const services = await startServices();
    const { user_code } = await askForCode(services, "read admin");
    const requestedAt = services.clock.now();
    services.clock.advance(MINUTE);
    expect(await services.devices.describe(user_code, approverFor(services.owner))).toEqual({
      userCode: user_code,
      client: { id: "tool-cli", name: "tool command line", registered: true },
      scopes: [
        { scope: "read", description: expect.any(String), granted: true },
        { scope: "admin", description: expect.any(String), granted: true },
      ],
      ...DEVICE,
      requestedAt,
      expiresAt: requestedAt + 15 * MINUTE,
      status: "pending",
    });
  });

  it("leaves the request pending", async () => {
    const services = await startServices();
    const { user_code, device_code } = await askForCode(services);
    await services.devices.describe(user_code, approverFor(services.owner));
    await expect(services.token({ device_code })).rejects.toMatchObject({ error: "authorization_pending" });
  });

  it("accepts the code in any case, with or without dash and spaces", async () => {
    const services = await startServices();
    const { user_code } = await askForCode(services);
    for (const typed of [
      user_code.toLowerCase(),
      user_code.replace("-", ""),
      ` ${user_code.replace("-", " - ")} `,
    ]) {
      const found = await services.devices.describe(typed, approverFor(services.owner));
      expect(found.userCode).toBe(user_code);
    }
  });

  it("shows which scopes the person cannot grant", async () => {
    const services = await startServices();
    const { user_code } = await askForCode(services, "write admin");
    const member = approverFor((await colleague(services, "member")).user);
    const { scopes } = await services.devices.describe(user_code, member);
    expect(scopes.map(({ granted }) => granted)).toEqual([true, false]);
  });

  it("fails once the code has expired", async () => {
    const services = await startServices();
    const { user_code } = await askForCode(services);
    services.clock.advance(15 * MINUTE - 1);
    await services.devices.describe(user_code, approverFor(services.owner));
    services.clock.advance(1);
    for (const attempt of [
      services.devices.describe(user_code, approverFor(services.owner)),
      services.devices.decide(user_code, "approve", approverFor(services.owner)),
    ]) {
      await expect(attempt).rejects.toMatchObject(problem("not_found"));
    }
  });
});

describe("devices.decide()", () => {
  it("grants the requested scopes that the approver holds", async () => {
    const services = await startServices();
    const { user_code, device_code } = await askForCode(services, "read write admin operator");
    const approver = approverFor((await colleague(services, "admin")).user);
    const decided = await services.devices.decide(user_code, "approve", approver);
    expect(decided.status).toBe("approved");
    expect(decided.scopes.map(({ granted }) => granted)).toEqual([true, true, true, false]);
    expect((await services.token({ device_code })).scope).toBe("read write admin");
  });

  it("refuses approval by a person who holds none of the scopes, but accepts a denial", async () => {
    const services = await startServices();
    const { user_code, device_code } = await askForCode(services, "admin operator");
    const member = approverFor((await colleague(services, "member")).user);
    await expect(services.devices.decide(user_code, "approve", member)).rejects.toMatchObject({
      ...problem("insufficient_scope"),
      extras: { members: { scope: "admin" } },
    });
    await expect(services.token({ device_code })).rejects.toMatchObject({ error: "authorization_pending" });
    expect((await services.devices.decide(user_code, "deny", member)).status).toBe("denied");
    expect((await trailOf(services)).at(-1)).toMatchObject({
      action: "device.denied",
      after: { scopes: [] },
    });
  });

  it.each([
    ["approve", "deny"],
    ["deny", "approve"],
  ] as const)("is idempotent for %s, and then conflicts with %s", async (first, other) => {
    const services = await startServices();
    const { user_code, device_code } = await askForCode(services);
    const approver = approverFor(services.owner);
    const answer = await services.devices.decide(user_code, first, approver);
    expect(await services.devices.decide(user_code, first, approver)).toEqual(answer);
    expect(await services.devices.describe(user_code, approver)).toEqual(answer);
    await expect(services.devices.decide(user_code, other, approver)).rejects.toMatchObject(
      problem("conflict"),
    );
    await services.token({ device_code }).catch(() => {});
    expect(await services.devices.decide(user_code, first, approver)).toEqual(answer);
  });

  it("accepts a denial after a colleague's denial", async () => {
    const services = await startServices();
    const { user_code } = await askForCode(services);
    const second = approverFor((await colleague(services, "admin")).user);
    const denied = await services.devices.decide(user_code, "deny", approverFor(services.owner));
    expect(await services.devices.decide(user_code, "deny", second)).toEqual(denied);
  });

  it("conflicts with an earlier approval by a colleague", async () => {
    const services = await startServices();
    const { user_code } = await askForCode(services);
    const second = approverFor((await colleague(services, "admin")).user);
    await services.devices.decide(user_code, "approve", approverFor(services.owner));
    await expect(services.devices.decide(user_code, "approve", second)).rejects.toMatchObject(
      problem("conflict"),
    );
  });

  it("keeps one decision of many concurrent ones", async () => {
    const services = await startServices();
    const { user_code } = await askForCode(services);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        services.devices.decide(user_code, index % 2 ? "approve" : "deny", approverFor(services.owner)),
      ),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
  });

  it("hides the code from other accounts", async () => {
    const services = await startServices();
    const { user_code } = await askForCode(services);
    const ada = approverFor(await stranger(services));
    await services.devices.decide(user_code, "approve", approverFor(services.owner));
    for (const [code, attempt] of [
      [user_code, services.devices.describe(user_code, ada)],
      [user_code, services.devices.decide(user_code, "approve", ada)],
      [WRONG, services.devices.describe(WRONG, ada)],
    ] as const) {
      await expect(attempt, code).rejects.toMatchObject({
        ...problem("not_found"),
        detail: expect.stringMatching(/^No device waits under this code\./),
      });
    }
  });
});

describe("wrong user codes", () => {
  it("are limited to ten an hour for a user, across addresses", async () => {
    const services = await startServices();
    const { user_code } = await askForCode(services);
    for (let index = 0; index < 10; index++) {
      const approver = approverFor(services.owner, `192.0.2.${index}`);
      const typed = index % 2 ? WRONG : "nonsense";
      await expect(services.devices.describe(typed, approver)).rejects.toMatchObject(problem("not_found"));
    }
    const elsewhere = approverFor(services.owner, "203.0.113.1");
    await expect(services.devices.describe(user_code, elsewhere)).rejects.toMatchObject(
      problem("rate_limited"),
    );
    await expect(services.devices.decide(user_code, "approve", elsewhere)).rejects.toMatchObject(
      problem("rate_limited"),
    );
    services.clock.advance(HOUR);
    await expect(services.devices.describe(WRONG, elsewhere)).rejects.toMatchObject(problem("not_found"));
  });

  it("block only their user at one address, until there are a hundred an hour", async () => {
    const services = await startServices();
    const { user_code } = await askForCode(services);
    const others = Array.from({ length: 11 }, (_, index) => ({
      ...approverFor(services.owner),
      userId: `usr_${index}`,
    }));
    for (const other of others.slice(0, 10)) {
      expect((await services.devices.describe(user_code, other)).status).toBe("pending");
      for (let count = 0; count < 10; count++) await services.devices.describe(WRONG, other).catch(() => {});
      await expect(services.devices.describe(user_code, other)).rejects.toMatchObject(
        problem("rate_limited"),
      );
    }
    const last = services.devices.describe(user_code, others[10]!);
    await expect(last).rejects.toMatchObject(problem("rate_limited"));
  });

  it("are counted together on the page and in the API, and not reset by a correct one", async () => {
    const services = await startServices();
    const { user_code } = await askForCode(services);
    const { showDeviceAuthorization } = oauthHandlers(services);
    const caller = callerFor(services.owner);
    for (let index = 0; index < 5; index++) {
      await services.devices.describe(WRONG, approverFor(services.owner)).catch(() => {});
      await showDeviceAuthorization({ userCode: WRONG }, caller).catch(() => {});
      if (index < 4) await showDeviceAuthorization({ userCode: user_code }, caller);
    }
    await expect(showDeviceAuthorization({ userCode: user_code }, caller)).rejects.toMatchObject(
      problem("rate_limited"),
    );
  });

  it("are limited to ten, also when a hundred are tried at once", async () => {
    const services = await startServices();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, () => services.devices.describe(WRONG, approverFor(services.owner))),
    );
    const errors = outcomes.map((outcome) => (outcome as PromiseRejectedResult).reason.error);
    expect(errors.filter((error) => error === "not_found")).toHaveLength(10);
    expect(errors.filter((error) => error === "rate_limited")).toHaveLength(90);
  });
});

describe("device authorization endpoints", () => {
  it("show and decide in the caller's account, with the scopes of the credential", async () => {
    const services = await startServices();
    const { user_code, device_code } = await askForCode(services, "read admin operator");
    const { showDeviceAuthorization, decideDeviceAuthorization } = oauthHandlers(services);
    const caller = callerFor(services.owner, { kind: "api_key", scopes: ["admin"] });
    const shown = await showDeviceAuthorization({ userCode: user_code }, caller);
    expect(oauthContract.showDeviceAuthorization.output.parse(shown)).toEqual(shown);
    expect(shown).toMatchObject({ status: "pending", requestedAt: "2026-01-15T12:00:00.000Z" });
    const decision = { userCode: user_code, decision: "approve" as const };
    expect(await decideDeviceAuthorization(decision, caller)).toMatchObject({ status: "approved" });
    expect((await services.token({ device_code })).scope).toBe("read admin");
    const [device] = await services.signedInDevices.list(services.account.id);
    expect(device).toMatchObject({ clientId: "tool-cli", userId: services.owner.id, ...DEVICE });
  });

  it.each([{ projectId: "web" }, { tools: ["deviceAuthorizations.*"] }, { addresses: ["192.0.2.0/24"] }])(
    "refuse a bound key, since the device would not be bound: %j",
    async (binding) => {
      const services = await startServices();
      const { user_code } = await askForCode(services);
      const { decideDeviceAuthorization } = oauthHandlers(services);
      const caller = callerFor(services.owner, { kind: "api_key", ...binding });
      const deciding = decideDeviceAuthorization({ userCode: user_code, decision: "approve" }, caller);
      await expect(deciding).rejects.toMatchObject(problem("forbidden"));
    },
  );
});

describe("devices.waiting()", () => {
  it("counts neither decided nor expired requests", async () => {
    const services = await startServices();
    const { user_code } = await askForCode(services);
    await askForCode(services);
    expect(await services.devices.waiting()).toBe(2);
    await services.devices.decide(user_code, "approve", approverFor(services.owner));
    expect(await services.devices.waiting()).toBe(1);
    services.clock.advance(15 * MINUTE);
    expect(await services.devices.waiting()).toBe(0);
  });
});
