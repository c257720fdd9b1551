import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ApiKey, apiKeys as storedKeys } from "../../../src/accounts/model.ts";
import { accountSpace } from "../../../src/store/store.ts";
import { callerFor, colleague, DAY, HOUR, MINUTE, startServices } from "../fixture.ts";

describe("the list of API keys", () => {
  it("filters, sorts and paginates like a naive reference", async () => {
    const services = await startServices();
    const { apiKeys, account, owner, store } = services;
    const { user: member } = await colleague(services, "member");
    const names = ["Beta", "alpha", "beta", "ALPHA", "gamma", "x", "delta"];
    const all: ApiKey[] = [];
    for (const [index, name] of names.entries()) {
      const who = index % 3 === 2 ? member : owner;
      const { key } = await apiKeys.create(callerFor(who), {
        name,
        scopes: ["read"],
        ...(index % 2 === 0 && { projectId: index === 0 ? "Web" : "shop" }),
        ...(index % 3 === 0 && { expiresAt: Date.UTC(2040, 9 - index) }),
      });
      const kept = await store.transact(async (tx) => {
        const found = (await tx.get(storedKeys, accountSpace(account.id), key.id))!;
        const used = index % 2 === 1 ? { ...found, lastUsedAt: 100 - index } : found;
        await tx.put(storedKeys, accountSpace(account.id), key.id, used);
        return used;
      });
      all.push(kept);
    }
    const question = fc.record(
      {
        query: fc.constantFrom(
          "alp",
          "ALPHA",
          "ta",
          "web",
          "shop",
          "key_",
          all[1]?.prefix.slice(0, 9) ?? "",
          "none",
        ),
        userId: fc.constantFrom(owner.id, member.id, "usr_gone"),
        sort: fc.constantFrom(
          "createdAt",
          "-createdAt",
          "name",
          "-name",
          "lastUsedAt",
          "-lastUsedAt",
          "expiresAt",
          "-expiresAt",
        ),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(question, fc.integer({ min: 1, max: 4 }), async (asked, limit) => {
        const { query, userId, sort = "createdAt" } = asked;
        const order = sort.replace("-", "");
        const value = (key: (typeof all)[number]) =>
          order === "name"
            ? key.name.toLowerCase()
            : order === "lastUsedAt"
              ? (key.lastUsedAt ?? 0)
              : order === "expiresAt"
                ? (key.expiresAt ?? Number.POSITIVE_INFINITY)
                : key.id;
        const expected = all
          .filter((key) => userId === undefined || key.userId === userId)
          .filter(({ name, id, prefix, projectId = "" }) =>
            [name, id, prefix, projectId].some((text) =>
              text.toLowerCase().includes((query ?? "").toLowerCase()),
            ),
          )
          // Ties are sorted by age.
          .sort((one, other) => {
            const [a, b] = [value(one), value(other)];
            return a < b ? -1 : a > b ? 1 : one.id < other.id ? -1 : 1;
          });
        if (sort.startsWith("-")) expected.reverse();
        const found = [];
        for (let cursor: string | undefined, page = 0; page < 10; page++) {
          const more = { ...(cursor !== undefined && { cursor }), limit };
          const { items, nextCursor } = await apiKeys.list(account.id, { ...asked, ...more } as never);
          expect(items.length).toBeLessThanOrEqual(limit);
          found.push(...items.map(({ id, createdBy }) => [id, createdBy]));
          cursor = nextCursor;
          if (cursor === undefined) break;
        }
        const makers = { [owner.id]: owner.email, [member.id]: member.email };
        expect(found).toEqual(expected.map(({ id, userId }) => [id, makers[userId]]));
      }),
      { numRuns: 60 },
    );
  });

  it("returns up to 20 active keys that expire soon, soonest first", async () => {
    const services = await startServices();
    const { apiKeys, account, owner, clock } = services;
    const by = callerFor(owner);
    const make = (name: string, inMs: number | undefined) =>
      apiKeys.create(by, {
        name,
        scopes: ["read"],
        ...(inMs !== undefined && { expiresAt: clock.now() + inMs }),
      });
    await make("never", undefined);
    await make("late", DAY);
    await make("within", DAY - 1);
    await make("soon", HOUR);
    const stopped = await make("stopped", HOUR);
    await apiKeys.update(by, stopped.key.id, { suspended: true });
    await make("over", MINUTE);
    clock.advance(MINUTE);
    const names = async () =>
      (await apiKeys.expiring(account.id, DAY - MINUTE)).items.map(({ name }) => name);
    expect(await names()).toEqual(["soon", "within"]);
    await make("next", MINUTE);
    clock.advance(9999);
    expect(await names()).toEqual(["soon", "within"]);
    clock.advance(1);
    expect(await names()).toEqual(["next", "soon", "within", "late"]);
    for (let index = 0; index < 20; index++) await make("many", HOUR);
    clock.advance(10_000);
    expect(await names()).toHaveLength(20);
    expect((await apiKeys.expiring(account.id, HOUR)).items).not.toHaveLength(0);
    expect((await apiKeys.expiring("acc_other", DAY - MINUTE)).items).toEqual([]);
  });
});
