import { describe, expect, it } from "vitest";
import { accountsCollections } from "../../../src/accounts/collections.ts";
import { accounts, type CustomLimits } from "../../../src/accounts/model.ts";
import type { Scope } from "../../../src/contract/caller.ts";
import { type BoundsPorts, boundsReport, windowsLeft } from "../../../src/metering/limits/bounds-report.ts";
import { accountWindows } from "../../../src/metering/limits/rate-limit.ts";
import { loadCatalogue, tierOf } from "../../../src/metering/plans.ts";
import { GLOBAL } from "../../../src/store/store.ts";
import { fakeClock } from "../../support/clock.ts";
import { openTestStore } from "../../support/store.ts";
import { nothingUsed, noUseLimits } from "../metering.ts";

const catalogue = loadCatalogue();
const NOON = Date.UTC(2026, 0, 15, 12);

async function open(ports: Partial<BoundsPorts> = {}, limits?: CustomLimits) {
  const store = await openTestStore({ clock: fakeClock(NOON), collections: accountsCollections });
  const account = { id: "acc_1", name: "One", plan: "free", createdAt: 0, ...(limits && { limits }) };
  await store.transact((tx) => tx.put(accounts, GLOBAL, account.id, account));
  const report = (scopes: Scope[] = ["read"], accountId = account.id, binding = {}) =>
    boundsReport(
      { store, catalogue, computeUse: nothingUsed, openStreams: () => 0, useLimits: noUseLimits, ...ports },
      { accountId, credential: { kind: "api_key", id: "key_1", scopes, ...binding } },
    );
  return { store, account, report };
}

describe("windowsLeft()", () => {
  it("reports whole remaining requests without consuming any", async () => {
    const { store, account } = await open();
    const windows = accountWindows(account.id, tierOf(catalogue, "free").limits, undefined);
    for (let count = 0; count < 3; count++) await store.admit(windows);
    for (let look = 0; look < 2; look++) {
      expect(await windowsLeft(store, catalogue, account)).toEqual([
        { name: "minute", limit: 20, capacity: 40, remaining: 37, resetAt: NOON + 9000 },
        { name: "hour", limit: 100, capacity: 100, remaining: 97, resetAt: NOON + 3_600_000 },
        { name: "day", limit: 1000, capacity: 1000, remaining: 997, resetAt: NOON + 12 * 3_600_000 },
      ]);
    }
    await store.admit([{ ...windows[0]!, cost: 0.5 }]);
    expect((await windowsLeft(store, catalogue, account))[0]?.remaining).toBe(36);
  });
});

describe("boundsReport()", () => {
  const { bounds } = tierOf(catalogue, "free");

  it("shows each bound of the plan with no use at first", async () => {
    const { report } = await open();
    const { plan, bounds: shown, windows, server } = await report();
    expect(plan).toBe("free");
    expect(shown).toEqual(
      Object.fromEntries(Object.entries(bounds).map(([name, limit]) => [name, { limit, used: 0 }])),
    );
    expect(windows.map(({ name, resetAt }) => [name, resetAt])).toEqual([
      ["minute", "2026-01-15T12:00:00.000Z"],
      ["hour", "2026-01-15T13:00:00.000Z"],
      ["day", "2026-01-16T00:00:00.000Z"],
    ]);
    expect(server).toEqual({ takesMore: true });
  });

  it("shows storage and compute use of the account, and open streams of the credential", async () => {
    const asked: unknown[] = [];
    const left = bounds.computeSecondsPerMinute - 1.26;
    const { report, store } = await open({
      computeUse: (accountId) => {
        asked.push(accountId);
        return { computeSecondsLeft: left, jobsInFlight: 2 };
      },
      openStreams: (credentialId) => {
        asked.push(credentialId);
        return 3;
      },
    });
    await store.transact((tx) => tx.put(accounts, "acc_1/web", "a", { id: "ü" } as never));
    const { bounds: shown } = await report();
    expect(Object.values(shown).map(({ used }) => used)).toEqual([1 + '{"id":"ü"}'.length + 1, 1, 1.3, 2, 3]);
    expect(asked).toEqual(["acc_1", "key_1"]);
  });

  it("never shows a negative compute use", async () => {
    const { report } = await open({ computeUse: () => ({ computeSecondsLeft: 1e9, jobsInFlight: 0 }) });
    expect((await report()).bounds.computeSecondsPerMinute.used).toBe(0);
  });

  it("shows the server's memory only to the operator", async () => {
    const { report } = await open();
    for (const scopes of [["read"], ["admin"]] as Scope[][]) {
      expect((await report(scopes)).server).not.toHaveProperty("memory");
    }
    expect((await report(["operator"], "acc_1", { projectId: "web" })).server).not.toHaveProperty("memory");
    const { memory } = (await report(["operator"])).server;
    expect(memory?.usedBytes).toBeGreaterThan(0);
    expect(memory?.limitBytes).toBeGreaterThan(memory?.usedBytes ?? 0);
  });

  it("fails with invalid_token if the account was deleted", async () => {
    const { report } = await open();
    await expect(report(["read"], "acc_gone")).rejects.toMatchObject({ error: "invalid_token" });
  });
});
