import { describe, expect, it } from "vitest";
import { adoptPeople } from "../../src/accounts/adopt-people.ts";
import {
  accounts,
  emailKey,
  INSTANCE,
  instances,
  people,
  personEmails,
  type User,
  users,
} from "../../src/accounts/model.ts";
import { accountSpace, GLOBAL, type OpenedStore, StoreUnavailable } from "../../src/store/store.ts";
import { cheapPasswords } from "../support/accounts/passwords.ts";
import { fakeClock } from "../support/clock.ts";
import { seededRandom } from "../support/random.ts";
import { openTestStore, STORES } from "../support/store.ts";
import { COLLECTIONS, callerFor, servicesOn, VISITOR } from "./fixture.ts";

const PASSWORD = "correct horse battery";

/** Writes a store as version 0.2 did: users have their passwords, and `user_emails` maps addresses to users. */
async function formerStore(on: (typeof STORES)[number] = "a directory") {
  const clock = fakeClock();
  const store = await openTestStore({ clock, collections: COLLECTIONS, on });
  const passwordHash = await cheapPasswords(seededRandom(clock)).hash("x", PASSWORD);
  const createdAt = clock.now();
  const former = [
    {
      id: "usr_0",
      accountId: "acc_0",
      email: "Owner@localhost",
      role: "admin",
      operator: true,
      passwordHash,
    },
    { id: "usr_1", accountId: "acc_0", email: "m@example.com", role: "member" },
    { id: "usr_2", accountId: "acc_0", email: "a@example.com", role: "admin", passwordHash },
    { id: "usr_3", accountId: "acc_1", email: "first@elsewhere.example", role: "admin" },
    { id: "usr_4", accountId: "acc_1", email: "second@elsewhere.example", role: "admin" },
  ] as const;
  await store.transact(async (tx) => {
    await tx.insert(instances, GLOBAL, INSTANCE, { accountId: "acc_0", ownerId: "usr_0" });
    for (const id of ["acc_0", "acc_1"]) {
      await tx.insert(accounts, GLOBAL, id, { id, name: id, plan: "team", createdAt });
    }
    for (const user of former) {
      await tx.insert(users, accountSpace(user.accountId), user.id, { ...user, createdAt } as User);
      const reference = { accountId: user.accountId, userId: user.id };
      await tx.insert(personEmails, GLOBAL, emailKey(user.email), reference as never);
    }
  });
  return { store, clock };
}

async function held(store: OpenedStore) {
  return store.transact(async (tx) => ({
    people: (await tx.list(people, GLOBAL, { order: "ascending" })).map(({ value }) => value),
    users: [
      ...(await tx.list(users, accountSpace("acc_0"), { order: "ascending" })),
      ...(await tx.list(users, accountSpace("acc_1"), { order: "ascending" })),
    ].map(({ value }) => value),
    adopted: (await tx.get(instances, GLOBAL, INSTANCE))?.people,
  }));
}

/** Wraps a store so that it fails after `transactions` committed transactions. */
function failingAfter(store: OpenedStore, transactions: number): OpenedStore {
  let left = transactions;
  return {
    ...store,
    transact: (work, as) =>
      left-- > 0 ? store.transact(work, as) : Promise.reject(new StoreUnavailable("killed")),
  };
}

describe.each(STORES)("a store from before people had accounts, on %s", (on) => {
  it("keeps people, passwords and rights, and gets one owner per account", async () => {
    const { store, clock } = await formerStore(on);
    const services = await servicesOn(store, clock);
    const after = await held(store);
    expect(after.users.map(({ id, role, operator }) => [id, role, operator])).toEqual([
      ["usr_0", "owner", true],
      ["usr_1", "member", undefined],
      ["usr_2", "admin", undefined],
      ["usr_3", "owner", undefined],
      ["usr_4", "admin", undefined],
    ]);
    expect(JSON.stringify(after.users)).not.toContain("scrypt");
    expect(after.people.map(({ email, memberships }) => [email, memberships])).toEqual(
      after.users.map(({ id, accountId, email }) => [email, [{ accountId, userId: id }]]),
    );
    for (const email of ["owner@localhost", "a@example.com"]) {
      const started = await services.signIn.withPassword({ email, password: PASSWORD }, VISITOR);
      expect((await services.signIn.lookUp(started?.secret ?? ""))?.user.email.toLowerCase()).toBe(email);
    }
    const by = callerFor(after.users[0] as User);
    for (const email of ["m@example.com", "A@example.com"]) {
      const inviting = services.users.invite(by, { email, role: "member" });
      await expect(inviting).rejects.toMatchObject({ error: "conflict" });
    }
  });
});

describe("adoptPeople()", () => {
  it("makes an admin the owner, preferably an operator, and no user of another role", async () => {
    const { store } = await formerStore();
    const add = (accountId: string, rows: Partial<User>[]) =>
      store.transact(async (tx) => {
        await tx.insert(accounts, GLOBAL, accountId, { id: accountId, name: "", plan: "team", createdAt: 0 });
        for (const row of rows) {
          const { id = "" } = row;
          const user = { accountId, email: `${id}@localhost`, role: "member", createdAt: 0, ...row } as User;
          await tx.insert(users, accountSpace(accountId), id, user);
        }
      });
    await add("acc_2", [
      { id: "usr_5", operator: true },
      { id: "usr_6", role: "admin" },
    ]);
    await add("acc_3", [
      { id: "usr_7", role: "admin" },
      { id: "usr_8", role: "admin", operator: true },
    ]);
    await add("acc_4", [{ id: "my_usr_9" }]);
    await add("acc_5", [
      { id: "usr_a", role: "admin" },
      { id: "usr_b", role: "owner" },
    ]);
    await adoptPeople(store);
    const rolesIn = async (accountId: string) =>
      (await store.transact((tx) => tx.list(users, accountSpace(accountId)))).map(
        ({ value: { id, role, personId } }) => [id, role, personId],
      );
    expect(await rolesIn("acc_2")).toEqual([
      ["usr_5", "member", "per_5"],
      ["usr_6", "owner", "per_6"],
    ]);
    expect(await rolesIn("acc_3")).toEqual([
      ["usr_7", "admin", "per_7"],
      ["usr_8", "owner", "per_8"],
    ]);
    expect(await rolesIn("acc_4")).toEqual([["my_usr_9", "member", "my_usr_9"]]);
    expect(await rolesIn("acc_5")).toEqual([
      ["usr_a", "admin", "per_a"],
      ["usr_b", "owner", "per_b"],
    ]);
  });

  it("adopts the users of more than 200 accounts", async () => {
    const { store } = await formerStore();
    await store.transact(async (tx) => {
      for (let at = 100; at < 320; at++) {
        const id = `acc_${at}`;
        await tx.insert(accounts, GLOBAL, id, { id, name: id, plan: "free", createdAt: 0 });
        const user = {
          id: `usr_${at}`,
          accountId: id,
          email: `${at}@localhost`,
          role: "admin",
          createdAt: 0,
        };
        await tx.insert(users, accountSpace(id), user.id, user as User);
      }
    });
    await adoptPeople(store);
    expect(await store.transact((tx) => tx.ids(people, GLOBAL))).toHaveLength(225);
  });

  it("changes nothing when run twice", async () => {
    const { store } = await formerStore();
    await adoptPeople(store);
    const first = await held(store);
    await adoptPeople(store);
    expect(await held(store)).toEqual(first);
    expect(first.adopted).toBe(true);
  });

  it("resumes after a failure at any transaction and ends with the same result", async () => {
    const whole = await formerStore();
    await adoptPeople(whole.store);
    const expected = await held(whole.store);
    for (let transactions = 0; transactions < 4; transactions++) {
      const { store } = await formerStore();
      await expect(adoptPeople(failingAfter(store, transactions))).rejects.toThrow("killed");
      expect((await held(store)).adopted).toBeUndefined();
      await adoptPeople(store);
      expect(await held(store)).toEqual(expected);
    }
  });

  it("leaves a new store unchanged", async () => {
    const store = await openTestStore({ collections: COLLECTIONS });
    await adoptPeople(store);
    expect(await store.transact((tx) => tx.ids(people, GLOBAL))).toEqual([]);
  });
});
