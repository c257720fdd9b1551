import { describe, expect, it } from "vitest";
import { MAX_OF_ACCOUNT, MAX_SIGN_INS } from "../../src/accounts/account-limits.ts";
import {
  apiKeys,
  browserSessions,
  signInCounts,
  tokenFamilies,
  type User,
  users,
} from "../../src/accounts/model.ts";
import { auditEntries, auditSpace } from "../../src/audit/model.ts";
import { accountSpace, type Collection, GLOBAL } from "../../src/store/store.ts";
import {
  callerFor,
  problem,
  type Services,
  secretOf,
  signInDevice,
  startServices,
  stranger,
  VISITOR,
} from "./fixture.ts";

/** Fills an account with documents whose ids sort before all others, as if they were old. */
async function fill<T>(
  { store, account }: Services,
  collection: Collection<T>,
  most: number,
  make: (index: number) => T,
) {
  await store.transact(async (tx) => {
    const space = accountSpace(account.id);
    const there = (await tx.list(collection, space)).length;
    for (let index = there; index < most; index++) {
      await tx.put(collection, space, `0_${String(index).padStart(5, "0")}`, make(index));
    }
    for (const id of await tx.ids(signInCounts, GLOBAL)) await tx.delete(signInCounts, GLOBAL, id);
  });
}

async function countOf({ store, account }: Services, collection: Collection<unknown>): Promise<number> {
  return (await store.transact((tx) => tx.list(collection, accountSpace(account.id)))).length;
}

/** Returns what each sign-in of the audit log says that it ended, the oldest first. */
async function endedIn({ store, account }: Services, action: string): Promise<unknown[]> {
  const entries = await store.transact((tx) => tx.list(auditEntries, auditSpace(account.id)));
  return entries.flatMap(({ value }) => (value.action === action ? [value.after?.ended] : []));
}

describe("limits of an account", () => {
  it("refuse an API key beyond 10,000 until one is revoked", async () => {
    const services = await startServices();
    const { owner } = services;
    const create = () => services.apiKeys.create(callerFor(owner), { name: "k", scopes: ["read"] });
    const { key } = await create();
    await fill(services, apiKeys, MAX_OF_ACCOUNT, () => ({ ...key, userId: owner.id }));
    await expect(create()).rejects.toMatchObject({
      ...problem("conflict"),
      detail: expect.stringMatching(/10000 API keys.*Revoke/),
    });
    await services.apiKeys.revoke(callerFor(owner), key.id);
    await create();
  });

  it("refuse a user beyond 10,000 until one is deleted", async () => {
    const services = await startServices();
    const { owner } = services;
    const by = callerFor(owner);
    const invite = (email: string) => services.users.invite(by, { email, role: "member" });
    const { user } = await invite("first@example.test");
    await fill<User>(services, users, MAX_OF_ACCOUNT, () => ({ ...owner, operator: false }));
    await expect(invite("more@example.test")).rejects.toMatchObject(problem("conflict"));
    await services.users.remove(by, user.id);
    await invite("more@example.test");
  });

  it("keep 1,000 signed-in devices and end the same user's oldest at the next sign-in", async () => {
    const services = await startServices();
    const { owner, signedInDevices, account } = services;
    const first = await signInDevice(services);
    const [device] = await signedInDevices.list(account.id, owner.id);
    const family = { ...device, generation: 0, firstUses: [] } as never;
    await fill(
      services,
      tokenFamilies,
      MAX_SIGN_INS,
      () => ({ ...(family as object), userId: "usr_colleague" }) as never,
    );
    const next = await signInDevice(services);
    expect(await countOf(services, tokenFamilies)).toBe(MAX_SIGN_INS);
    expect(await services.credentials.authenticate(first.access_token)).toBeUndefined();
    expect(await services.credentials.authenticate(next.access_token)).toBeDefined();
    expect(await endedIn(services, "device.signed_in")).toEqual([undefined, device?.id]);
  });

  it("end the oldest device of the account if the user who signs in has none", async () => {
    const services = await startServices();
    const { owner, signedInDevices, account } = services;
    await signInDevice(services);
    const [device] = await signedInDevices.list(account.id, owner.id);
    const theirs = { ...device, generation: 0, firstUses: [], userId: "usr_colleague" } as never;
    await services.store.transact((tx) => tx.delete(tokenFamilies, accountSpace(account.id), device!.id));
    await fill(services, tokenFamilies, MAX_SIGN_INS, () => theirs);
    await signInDevice(services);
    const left = await signedInDevices.list(account.id);
    expect(left).toHaveLength(MAX_SIGN_INS);
    expect(left[0]?.userId).toBe(owner.id);
    const ids = await services.store.transact((tx) => tx.ids(tokenFamilies, accountSpace(account.id)));
    expect(ids[0]).toBe("0_00001");
  });

  it("end no device of another account when this one is full", async () => {
    const services = await startServices();
    const { owner, signedInDevices, account } = services;
    const other = await stranger(services);
    await signInDevice(services);
    const [device] = await signedInDevices.list(account.id, owner.id);
    await fill(
      services,
      tokenFamilies,
      MAX_SIGN_INS,
      () => ({ ...device, generation: 0, firstUses: [] }) as never,
    );
    await signInDevice(services);
    const theirs = [await signInDevice(services, "read", other), await signInDevice(services, "read", other)];
    for (const { access_token } of theirs) {
      expect(await services.credentials.authenticate(access_token)).toBeDefined();
    }
    expect(await signedInDevices.list(other.accountId)).toHaveLength(2);
    expect(await countOf(services, tokenFamilies)).toBe(MAX_SIGN_INS);
  });

  it("end devices only once the free places and those of revoked devices are used up", async () => {
    const services = await startServices();
    const { owner, signedInDevices, account } = services;
    await signInDevice(services);
    const [device] = await signedInDevices.list(account.id, owner.id);
    const theirs = { ...device, generation: 0, firstUses: [], userId: "usr_colleague" } as never;
    await fill(services, tokenFamilies, MAX_SIGN_INS - 2, () => theirs);
    const theirDevices = async () =>
      (await signedInDevices.list(account.id)).filter(({ userId }) => userId !== owner.id).length;
    const before = await theirDevices();
    for (let count = 0; count < 4; count++) await signInDevice(services);
    expect(await countOf(services, tokenFamilies)).toBe(MAX_SIGN_INS);
    expect(await theirDevices()).toBe(before);
    const [newest] = await signedInDevices.list(account.id, owner.id);
    await signedInDevices.revoke(callerFor(owner), newest!.id);
    const oldest = (await signedInDevices.list(account.id, owner.id)).at(-1);
    await signInDevice(services);
    expect((await signedInDevices.list(account.id, owner.id)).at(-1)?.id).toBe(oldest?.id);
    expect(await countOf(services, tokenFamilies)).toBe(MAX_SIGN_INS);
  });

  it("stop counting an expired device a minute later at the latest", async () => {
    const services = await startServices();
    const { owner, signedInDevices, account, clock } = services;
    await signInDevice(services);
    const [device] = await signedInDevices.list(account.id, owner.id);
    const theirs = { ...device, generation: 0, firstUses: [], userId: "usr_colleague" } as never;
    await fill(services, tokenFamilies, MAX_SIGN_INS, () => theirs);
    await signInDevice(services);
    const left = await countOf(services, tokenFamilies);
    expect(left).toBe(MAX_SIGN_INS);
    // Deleted without the service's knowledge, as by expiry.
    await services.store.transact((tx) => tx.delete(tokenFamilies, accountSpace(account.id), "0_00500"));
    clock.advance(60_000);
    const [mine] = await signedInDevices.list(account.id, owner.id);
    await signInDevice(services);
    expect((await signedInDevices.list(account.id, owner.id)).map(({ id }) => id)).toContain(mine?.id);
    expect(await countOf(services, tokenFamilies)).toBe(MAX_SIGN_INS);
  });

  it("keep 1,000 signed-in browsers and end the oldest session at the next sign-in", async () => {
    const services = await startServices();
    const { owner, signIn, account, links, store } = services;
    const enter = async () => {
      const { url } = await store.transact((tx) =>
        links.issue(tx, { accountId: account.id, userId: owner.id }),
      );
      return (await signIn.consumeLink(secretOf(url), VISITOR))?.secret ?? "";
    };
    const first = await enter();
    const [session] = await store.transact((tx) => tx.list(browserSessions, accountSpace(account.id)));
    await fill(services, browserSessions, MAX_SIGN_INS, (index) => ({
      ...(session?.value as NonNullable<typeof session>["value"]),
      userId: "usr_colleague",
      secretHash: `hash${index}`,
    }));
    const next = await enter();
    expect(await countOf(services, browserSessions)).toBe(MAX_SIGN_INS);
    expect(await signIn.lookUp(first)).toBeUndefined();
    expect(await signIn.lookUp(next)).toBeDefined();
    expect(await endedIn(services, "session.started")).toEqual([undefined, session?.id]);
  });
});
