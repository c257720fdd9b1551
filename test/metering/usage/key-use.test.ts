import { describe, expect, it } from "vitest";
import { createKeyUse } from "../../../src/metering/usage/reports/key-use.ts";
import { fakeClock } from "../../support/clock.ts";
import { ACCOUNT, openMetering } from "../metering.ts";

const DAY = 24 * 60 * 60_000;

describe("createKeyUse()", () => {
  it("adds up the key's uses of the last 30 days, and of no other key or account", async () => {
    const clock = fakeClock(Date.UTC(2026, 0, 15, 12, 30));
    const { api, store } = await openMetering({ clock });
    const use = createKeyUse(store, clock);
    const as = (id: string) => ({ credential: { kind: "api_key" as const, id, scopes: ["write" as const] } });
    await api.track({ type: "api_calls", count: 5 }, as("key_a"));
    clock.advance(31 * DAY);
    await api.track({ type: "api_calls", count: 3 }, as("key_a"));
    await api.track({ type: "mcp_calls", count: 4 }, as("key_a"));
    await api.track({ type: "api_calls", count: 9 }, as("key_b"));
    expect(await use(ACCOUNT, "key_a")).toBe(7);
    expect(await use(ACCOUNT, "key_c")).toBe(0);
    expect(await use("acc_other", "key_a")).toBe(0);
  });

  it("returns undefined instead of failing when too many ask at once", async () => {
    const clock = fakeClock();
    let open = () => {};
    const busy = new Promise<void>((resolve) => {
      open = resolve;
    });
    const slow = { transact: () => busy.then(() => ({ uses: [], after: undefined })) as never };
    const use = createKeyUse(slow, clock);
    const asked = Array.from({ length: 40 }, (_, index) => use(`acc_${index}`, "key_a"));
    open();
    const told = await Promise.all(asked);
    // Two run at a time, and 32 wait.
    expect(told.map((figure) => figure ?? "not told")).toEqual([
      ...Array.from({ length: 34 }, () => 0),
      ...Array.from({ length: 6 }, () => "not told"),
    ]);
  });

  it("fails if the store fails", async () => {
    const clock = fakeClock();
    const away = { transact: () => Promise.reject(new Error("away")) };
    await expect(createKeyUse(away, clock)(ACCOUNT, "key_a")).rejects.toThrow("away");
  });
});
