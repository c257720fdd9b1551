import { describe, expect, it } from "vitest";
import { deleteClosedAccounts, deleteDue } from "../../../src/accounts/closing/deleting.ts";
import {
  accountSpace,
  type Collection,
  collection,
  GLOBAL,
  projectSpace,
  StoreUnavailable,
  type Transaction,
} from "../../../src/store/store.ts";
import {
  COLLECTIONS,
  callerFor,
  colleague,
  DAY,
  HOUR,
  problem,
  settled,
  startServices,
  stranger,
  trailOf,
} from "../fixture.ts";

const notes = collection<{ text: string; secretHash?: string }>("closing_notes");
const KEPT: readonly Collection<unknown>[] = [...COLLECTIONS, notes];

async function start() {
  const services = await startServices({ collections: [notes] });
  const founder = await stranger(services);
  const by = callerFor(founder);
  const { key, secret } = await services.apiKeys.create(by, { name: "ci", scopes: ["write"] });
  await services.projects.update(by, "shop", { name: "Shop" });
  const space = projectSpace(founder.accountId, "shop");
  await services.store.transact(async (tx) => {
    for (let index = 0; index < 250; index++) await tx.insert(notes, space, `n${index}`, { text: "kept" });
    for (let index = 0; index < 250; index++) await tx.increment("visits", space, `day${index}`, 1);
  });
  const ports = { ...services, log: { error() {} }, collections: KEPT, counters: ["visits"] };
  return { ...services, founder, by, key, secret, space, ports };
}

describe("closing an account", () => {
  it("returns the time of deletion and can be undone until then", async () => {
    const { closing, accounts, by, clock, founder } = await start();
    expect(await closing.close(by, "Elsewhere")).toEqual({ deleteAt: clock.now() + 30 * DAY });
    expect((await accounts.get(founder.accountId)).deleteAt).toBe(clock.now() + 30 * DAY);
    await closing.keep(by);
    expect(await accounts.get(founder.accountId)).not.toHaveProperty("deleteAt");
    await expect(closing.keep(by)).rejects.toMatchObject(problem("conflict"));
  });

  it("cannot be undone once that time is over, when the deletion may have begun", async () => {
    const { closing, accounts, by, clock, founder } = await start();
    const { deleteAt } = await closing.close(by, "Elsewhere");
    clock.advance(30 * DAY);
    await expect(closing.keep(by)).rejects.toMatchObject(problem("conflict"));
    expect((await accounts.get(founder.accountId)).deleteAt).toBe(deleteAt);
  });

  it("keeps the first time of deletion when called twice", async () => {
    const { closing, by, clock } = await start();
    const first = await closing.close(by, "Elsewhere");
    clock.advance(DAY);
    expect(await closing.close(by, "Elsewhere")).toEqual(first);
  });

  it("needs an owner and the account's exact name, and is refused for the instance's account", async () => {
    const services = await start();
    const { closing, by, owner } = services;
    await expect(closing.close(by, "elsewhere")).rejects.toMatchObject({
      ...problem("invalid_request"),
      extras: { errors: [{ path: "name", message: "is not this account's" }] },
    });
    const { user: admin } = await colleague(services, "admin");
    await expect(closing.checkOwner(callerFor(admin))).rejects.toMatchObject(problem("forbidden"));
    await closing.checkOwner(by);
    await expect(closing.close(callerFor(admin), "default")).rejects.toMatchObject(problem("forbidden"));
    const { user: second } = await colleague(services, "owner");
    for (const each of [owner, second]) {
      await expect(closing.close(callerFor(each), "default")).rejects.toMatchObject(problem("conflict"));
    }
  });
});

describe("deleteDue()", () => {
  it("deletes people, keys, projects and documents of a due account, and nothing of others", async () => {
    const services = await start();
    const { closing, by, clock, founder, store, ports, space, credentials, secret, owner } = services;
    const nextPlan = { plan: "team", at: clock.now() + 90 * DAY };
    await services.accounts.update(callerFor(owner), founder.accountId, { nextPlan });
    await closing.close(by, "Elsewhere");
    clock.advance(30 * DAY - 1);
    await deleteDue(ports);
    expect(await store.transact((tx) => tx.ids(notes, space))).toHaveLength(250);
    clock.advance(1);
    const deleted: object[] = [];
    await deleteDue({ ...ports, onProjectDeleted: async (_tx, project) => void deleted.push(project) });
    expect(deleted).toEqual([{ accountId: founder.accountId, projectId: "shop" }]);
    await settled(services);
    expect(await credentials.authenticate(secret)).toBeUndefined();
    for (const each of KEPT) {
      for (const left of [space, accountSpace(founder.accountId)]) {
        expect(await store.transact((tx) => tx.ids(each, left)), `${each.name} in ${left}`).toEqual([]);
      }
    }
    const counted = { from: "", to: "~" };
    expect(await store.transact((tx) => tx.counts("visits", space, counted))).toEqual([]);
    const left = await store.transact(async (tx) => JSON.stringify(await everything(tx)));
    expect(left).not.toContain(founder.accountId);
    expect(left).not.toContain("elsewhere.example");
    expect((await services.users.get(owner.accountId, owner.id)).email).toBe(owner.email);
    const told = await trailOf(services);
    expect(told.at(-1)).toMatchObject({
      action: "account.deleted",
      target: { id: founder.accountId },
    });
  });

  it("resumes a deletion that was interrupted", async () => {
    const services = await start();
    const { closing, by, clock, store, ports, space } = services;
    await closing.close(by, "Elsewhere");
    clock.advance(31 * DAY);
    let left = 4;
    const failing = {
      ...store,
      transact: ((work, as) => {
        if (left-- === 0) throw new Error("the process ends here");
        return store.transact(work, as);
      }) as typeof store.transact,
    };
    await expect(deleteDue({ ...ports, store: failing })).rejects.toThrow("ends here");
    await deleteDue(ports);
    expect(await store.transact((tx) => tx.ids(notes, space))).toEqual([]);
    await deleteDue(ports);
  });

  it("leaves an account alone whose closing was undone", async () => {
    const { closing, by, clock, ports, space, store } = await start();
    await closing.close(by, "Elsewhere");
    await closing.keep(by);
    clock.advance(31 * DAY);
    await deleteDue(ports);
    expect(await store.transact((tx) => tx.ids(notes, space))).toHaveLength(250);
  });
});

describe("deleteClosedAccounts()", () => {
  const logged = () => {
    const errors: object[] = [];
    return { errors, log: { error: (details: object) => errors.push(details) } };
  };

  it("runs at the start and each hour until it is stopped", async () => {
    const { closing, by, clock, ports, accounts, founder } = await start();
    const isThere = () =>
      accounts.get(founder.accountId).then(
        () => true,
        () => false,
      );
    await closing.close(by, "Elsewhere");
    clock.advance(30 * DAY - HOUR);
    const { stop } = deleteClosedAccounts(ports);
    await settled(ports);
    clock.advance(HOUR - 1);
    await settled(ports);
    expect(await isThere()).toBe(true);
    stop();
    clock.advance(HOUR);
    await settled(ports);
    expect(await isThere()).toBe(true);
    const again = deleteClosedAccounts(ports);
    await expect.poll(isThere).toBe(false);
    again.stop();
  });

  it("retries an hour after a failure and logs it unless the store is unavailable", async () => {
    const { closing, by, clock, ports, accounts, founder, store } = await start();
    await closing.close(by, "Elsewhere");
    clock.advance(30 * DAY);
    const { errors, log } = logged();
    const faults = [new Error("the disk is full"), new StoreUnavailable("away")];
    let asked = 0;
    const failing = {
      ...store,
      transact: ((work, as) => {
        asked++;
        const fault = faults.shift();
        return fault ? Promise.reject(fault) : store.transact(work, as);
      }) as typeof store.transact,
    };
    const { stop } = deleteClosedAccounts({ ...ports, store: failing, log });
    await settled(ports);
    expect(errors).toMatchObject([{ err: { message: "the disk is full" } }]);
    clock.advance(HOUR);
    await settled(ports);
    expect([asked, errors.length]).toEqual([2, 1]);
    clock.advance(HOUR);
    await expect
      .poll(() =>
        accounts.get(founder.accountId).then(
          () => true,
          () => false,
        ),
      )
      .toBe(false);
    expect(errors).toHaveLength(1);
    stop();
  });

  it("starts no second run while one is in progress", async () => {
    const { clock, ports, store } = await start();
    let asked = 0;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = {
      ...store,
      transact: (async (work, as) => {
        asked++;
        await held;
        return store.transact(work, as);
      }) as typeof store.transact,
    };
    const { stop } = deleteClosedAccounts({ ...ports, store: slow });
    clock.advance(HOUR);
    clock.advance(HOUR);
    expect(asked).toBe(1);
    release();
    await settled(ports);
    clock.advance(HOUR);
    expect(asked).toBe(2);
    stop();
  });
});

/** Lists the documents in the global space, without the audit log. */
function everything(tx: Transaction) {
  return Promise.all(KEPT.map((each) => tx.list(each, GLOBAL)));
}
