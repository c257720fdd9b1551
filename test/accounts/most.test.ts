import { describe, expect, it } from "vitest";
import { apiKeys, browserSessions, tokenFamilies, type User, users } from "../../src/accounts/model.ts";
import { MAX_OF_ACCOUNT } from "../../src/accounts/most.ts";
import { accountSpace, type Collection } from "../../src/store/store.ts";
import {
  callerFor,
  problem,
  type Services,
  secretOf,
  signInDevice,
  startServices,
  VISITOR,
} from "./fixture.ts";

/** Fills an account up with documents under ids that come before all others. */
async function fill<T>({ store, account }: Services, collection: Collection<T>, make: (index: number) => T) {
  await store.transact(async (tx) => {
    const space = accountSpace(account.id);
    const there = (await tx.list(collection, space)).length;
    for (let index = there; index < MAX_OF_ACCOUNT; index++) {
      await tx.put(collection, space, `0_${String(index).padStart(4, "0")}`, make(index));
    }
  });
}

async function countOf({ store, account }: Services, collection: Collection<unknown>): Promise<number> {
  return (await store.transact((tx) => tx.list(collection, accountSpace(account.id)))).length;
}

describe("an account", () => {
  it("has a thousand keys at most, and one more once one is revoked", async () => {
    const services = await startServices();
    const { owner } = services;
    const create = () => services.apiKeys.create({ name: "k", scopes: ["read"] }, callerFor(owner));
    const { key } = await create();
    await fill(services, apiKeys, () => ({ ...key, userId: owner.id }));
    await expect(create()).rejects.toMatchObject({
      ...problem("conflict"),
      detail: expect.stringMatching(/1000 API keys.*Revoke/),
    });
    await services.apiKeys.revoke(services.account.id, key.id);
    await create();
  });

  it("has a thousand users at most, and one more once one is deleted", async () => {
    const services = await startServices();
    const { account, owner } = services;
    const invite = (email: string) => services.users.create(account.id, { email, role: "member" });
    const { user } = await invite("first@example.test");
    await fill<User>(services, users, () => ({ ...owner, operator: false }));
    await expect(invite("more@example.test")).rejects.toMatchObject(problem("conflict"));
    await services.users.delete(account.id, user.id);
    await invite("more@example.test");
  });

  it("keeps a thousand signed-in devices: the oldest of the same user gives way", async () => {
    const services = await startServices();
    const { owner, families, account } = services;
    const first = await signInDevice(services);
    const [device] = await families.list(account.id, owner.id);
    const family = { ...device, generation: 0, firstUses: [] } as never;
    await fill(services, tokenFamilies, () => ({ ...(family as object), userId: "usr_colleague" }) as never);
    const next = await signInDevice(services);
    expect(await countOf(services, tokenFamilies)).toBe(MAX_OF_ACCOUNT);
    expect(await services.credentials.authenticate(first.access_token)).toBeUndefined();
    expect(await services.credentials.authenticate(next.access_token)).toBeDefined();
  });

  it("ends the oldest device of all where the user who signs in has none", async () => {
    const services = await startServices();
    const { owner, families, account } = services;
    await signInDevice(services);
    const [device] = await families.list(account.id, owner.id);
    const theirs = { ...device, generation: 0, firstUses: [], userId: "usr_colleague" } as never;
    await services.store.transact((tx) => tx.delete(tokenFamilies, accountSpace(account.id), device!.id));
    await fill(services, tokenFamilies, () => theirs);
    await signInDevice(services);
    const left = await families.list(account.id);
    expect(left).toHaveLength(MAX_OF_ACCOUNT);
    expect(left[0]?.userId).toBe(owner.id);
    const ids = await services.store.transact((tx) => tx.ids(tokenFamilies, accountSpace(account.id)));
    expect(ids[0]).toBe("0_0001");
  });

  it("keeps a thousand signed-in browsers in the same way", async () => {
    const services = await startServices();
    const { owner, signIn, account, links, store } = services;
    const enter = async () => {
      const link = await store.transact((tx) => links.issue(tx, { accountId: account.id, userId: owner.id }));
      return (await signIn.consumeLink(secretOf(link), VISITOR))?.secret ?? "";
    };
    const first = await enter();
    const [session] = await store.transact((tx) => tx.list(browserSessions, accountSpace(account.id)));
    await fill(services, browserSessions, (index) => ({
      ...(session?.value as NonNullable<typeof session>["value"]),
      userId: "usr_colleague",
      secretHash: `hash${index}`,
    }));
    const next = await enter();
    expect(await countOf(services, browserSessions)).toBe(MAX_OF_ACCOUNT);
    expect(await signIn.lookUp(first)).toBeUndefined();
    expect(await signIn.lookUp(next)).toBeDefined();
  });
});
