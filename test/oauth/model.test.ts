import { describe, expect, it } from "vitest";
import { createFirstUses } from "../../src/oauth/first-use.ts";
import { oauthCollections } from "../../src/oauth/model.ts";
import { StoreUnavailable } from "../../src/store/store.ts";
import { HOUR, startServices } from "../accounts/fixture.ts";

it("the collections of OAuth keep the names that earlier releases used", () => {
  expect(oauthCollections.map(({ name }) => name)).toEqual([
    "device_authorizations",
    "user_codes",
    "refresh_tokens",
    "authorization_requests",
    "decided_authorization_requests",
    "authorization_codes",
    "registered_clients",
    "used_once",
  ]);
});

describe("createFirstUses()", () => {
  it("reports the first use once across servers, separately for each maker and id", async () => {
    const { store, clock } = await startServices();
    const servers = [createFirstUses({ store }), createFirstUses({ store })];
    const uses = await Promise.all(
      Array.from({ length: 10 }, (_, index) => servers[index % 2]!("maker", "id", clock.now() + HOUR)),
    );
    expect(uses.filter(Boolean)).toHaveLength(1);
    for (const [maker, id] of [
      ["maker", "other"],
      ["other", "id"],
      ["make", "rid"],
    ] as const) {
      expect(await servers[0]!(maker, id, clock.now() + HOUR)).toBe(true);
    }
  });

  it("reports a first use again after the expiry", async () => {
    const { store, clock } = await startServices();
    const isFirstUse = createFirstUses({ store });
    const use = () => isFirstUse("maker", "id", clock.now() + HOUR);
    expect([await use(), await use()]).toEqual([true, false]);
    clock.advance(HOUR);
    expect(await use()).toBe(true);
  });

  it("throws StoreUnavailable if the store is unavailable", async () => {
    const { store } = await startServices();
    const away = { ...store, transact: () => Promise.reject(new StoreUnavailable("away")) };
    await expect(createFirstUses({ store: away })("maker", "id", 0)).rejects.toThrow(StoreUnavailable);
  });
});
