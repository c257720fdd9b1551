import { accountSpace, GLOBAL, type Store, type Transaction } from "../store/store.ts";
import { defined } from "../system/defined.ts";
import {
  accounts,
  emailKey,
  INSTANCE,
  instances,
  type Person,
  people,
  personEmails,
  userEmails,
  users,
} from "./model.ts";

const ACCOUNTS_AT_ONCE = 100;

/** The member that users had in stores from before people could belong to several accounts. */
interface FormerUser {
  passwordHash?: string;
}

/**
 * Migrates a store from before people existed: gives each user a person, which takes over the password, and each
 * account an owner, the operator or else the first administrator. Runs at every start, does its work once, and
 * resumes after an interruption.
 */
export async function adoptPeople(store: Store): Promise<void> {
  const instance = await store.transact((tx) => tx.get(instances, GLOBAL, INSTANCE));
  if (!instance || instance.people) return;
  let after: string | undefined;
  do {
    after = await store.transact((tx) => adoptSome(tx, after));
  } while (after !== undefined);
  await store.transact((tx) => tx.put(instances, GLOBAL, INSTANCE, { ...instance, people: true }));
}

/** Migrates one batch of accounts. Returns the last id of the batch, or undefined if none were left. */
async function adoptSome(tx: Transaction, after: string | undefined): Promise<string | undefined> {
  const page = { limit: ACCOUNTS_AT_ONCE, order: "ascending" as const };
  const some = await tx.ids(accounts, GLOBAL, after === undefined ? page : { ...page, after });
  for (const accountId of some) await adoptUsers(tx, accountId);
  return some.at(-1);
}

async function adoptUsers(tx: Transaction, accountId: string): Promise<void> {
  const space = accountSpace(accountId);
  const all = (await tx.list(users, space, { order: "ascending" })).map(({ value }) => value);
  const admins = all.filter(({ role }) => role === "admin");
  const owner = all.some(({ role }) => role === "owner")
    ? undefined
    : (admins.find(({ operator }) => operator) ?? admins[0]);
  for (const user of all) {
    if (user.personId !== undefined) continue;
    const { passwordHash, ...rest } = user as typeof user & FormerUser;
    const person: Person = {
      // Ids are unique even without their prefix.
      id: user.id.replace(/^usr_/, "per_"),
      email: user.email,
      ...defined({ passwordHash }),
      memberships: [{ accountId, userId: user.id }],
      createdAt: user.createdAt,
    };
    await tx.put(people, GLOBAL, person.id, person);
    await tx.put(personEmails, GLOBAL, emailKey(user.email), { personId: person.id });
    await tx.put(userEmails, space, emailKey(user.email), { userId: user.id });
    const role = user === owner ? "owner" : user.role;
    await tx.put(users, space, user.id, { ...rest, role, personId: person.id });
  }
}
