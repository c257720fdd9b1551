import { describe, expect, it } from "vitest";
import type { Account } from "../../../src/accounts/model.ts";
import type { Scope } from "../../../src/contract/caller.ts";
import { createWindows } from "../../../src/metering/limits/windows.ts";

const PLANS = {
  free: { requestsPerMinute: 20, requestsPerHour: 100, requestsPerDay: 1000 },
  pro: { requestsPerMinute: 60, requestsPerHour: 1000, requestsPerDay: 10_000 },
};

function open() {
  return createWindows({
    planOf: (plan) => ({ name: plan, limits: PLANS[plan as keyof typeof PLANS] }),
    endpointLimits: { "auth.device.code": { requests: 5, windowSeconds: 60 } },
    anonymousPerMinute: 60,
    controlPerMinute: 30,
  });
}

const account = (more: Partial<Account> = {}): Account => ({
  id: "acc_1",
  name: "One",
  plan: "free",
  createdAt: 0,
  ...more,
});

describe("the windows of an account", () => {
  it.each([
    ["its plan", { plan: "pro" }],
    ["its minute", { limits: { requestsPerMinute: 7 } }],
    ["its hour", { limits: { requestsPerHour: 70 } }],
    ["its day", { limits: { requestsPerDay: 700 } }],
    ["its burst", { limits: { burst: 9 } }],
    ["its limit on the endpoint", { limits: { endpoints: { "usage.track": 3 } } }],
  ] as const)("follow a change of %s from the next request on, and back", (_, change) => {
    const windows = open();
    const figures = (of: Account) => windows.ofAccount(of, "usage.track").policy;
    const before = figures(account());
    const changed = account(change as Partial<Account>);
    expect(figures(changed)).not.toBe(before);
    expect(figures(changed)).toBe(open().ofAccount(changed, "usage.track").policy);
    expect(figures(account())).toBe(before);
  });

  it("are computed once for each account and endpoint while its limits stay the same", () => {
    const windows = open();
    const set = windows.ofAccount(account());
    expect(windows.ofAccount(account({ name: "Renamed" }))).toBe(set);
    expect(windows.ofAccount(account(), "auth.device.code")).not.toBe(set);
    const keys = ({ id }: Pick<Account, "id">) =>
      windows.ofAccount(account({ id })).windows.map(({ key }) => key);
    expect(keys({ id: "acc_2" })).not.toEqual(keys({ id: "acc_1" }));
  });

  it("include the endpoint's limit, with the account's figure before the catalogue's", () => {
    const windows = open();
    const own = (limits?: Account["limits"]) =>
      windows.ofEndpoint(account({ ...(limits && { limits }) }), "auth.device.code")?.policy;
    expect(own()).toBe('"auth.device.code";q=5;w=60');
    expect(own({ requestsPerMinute: 7 })).toBe('"auth.device.code";q=5;w=60');
    expect(own({ endpoints: { "auth.device.code": 50 } })).toBe('"auth.device.code";q=50;w=60');
    expect(windows.ofEndpoint(account(), "usage.track")).toBeUndefined();
    expect(windows.ofAccount(account(), "auth.device.code").policy).toContain('"auth.device.code";q=5;w=60');
  });
});

describe("the windows of the control lane", () => {
  const credential = { kind: "api_key", id: "key_1", scopes: ["read"] } as const;
  const policy = (limits?: Account["limits"], endpoint?: string, scopes: readonly Scope[] = ["read"]) =>
    open().ofControl(
      { account: account({ ...(limits && { limits }) }), credential: { ...credential, scopes } },
      endpoint,
    ).policy;
  const like = '"control";q=30;w=60, "control-account";q=600;w=60';

  it("are the credential's, the shared ceiling, and the endpoint's if it has a limit", () => {
    expect(policy()).toBe(like);
    expect(policy(undefined, "usage.track")).toBe(like);
    expect(policy(undefined, "auth.device.code")).toBe(`${like}, "auth.device.code";q=5;w=60`);
    expect(policy({ requestsPerHour: 7 }, "auth.device.code")).toBe(`${like}, "auth.device.code";q=5;w=60`);
    const own = { endpoints: { "auth.device.code": 50 } };
    expect(policy(own, "auth.device.code")).toBe(`${like}, "auth.device.code";q=50;w=60`);
    expect(policy(own)).toBe(like);
  });

  it("admit the account's minute if that is more, and have no ceiling for the operator", () => {
    expect(policy({ requestsPerMinute: 700 })).toBe('"control";q=700;w=60, "control-account";q=700;w=60');
    expect(policy(undefined, undefined, ["operator"])).toBe('"control";q=30;w=60');
  });
});

describe("the windows of an address", () => {
  it("count requests with a stale credential separately", () => {
    const windows = open();
    const keys = (stale?: boolean) =>
      windows.ofAddress("address/a", undefined, stale).windows.map(({ key }) => key);
    expect(keys(true)).not.toEqual(keys());
    expect(keys(false)).toEqual(keys());
  });

  it("include the endpoint's limit, and a subject has only that one", () => {
    const windows = open();
    expect(windows.ofAddress("address/a", "auth.device.code").policy).toBe(
      '"minute";q=60;w=60, "auth.device.code";q=5;w=60',
    );
    expect(windows.ofAddress("address/a", "usage.track").policy).toBe('"minute";q=60;w=60');
    const device = { key: "device/1" };
    expect(windows.ofSubject(device, "auth.device.code")?.policy).toBe('"auth.device.code";q=5;w=60');
    expect(windows.ofSubject(device, "usage.track")).toBeUndefined();
  });

  it("of a sign-in include its own day and its account's", () => {
    const daysOf = (key: string, accountId: string) =>
      open()
        .ofSubject({ key, accountId }, "auth.device.code")
        ?.windows.slice(1)
        .map(({ key }) => key);
    const [own, ofAccount] = daysOf("token_family/1", "acc_1") ?? [];
    expect(daysOf("token_family/2", "acc_1")).toEqual([expect.not.stringMatching(`^${own}$`), ofAccount]);
    expect(daysOf("token_family/1", "acc_2")).toEqual([own, expect.not.stringMatching(`^${ofAccount}$`)]);
  });
});
