import { Problem } from "../contract/problem.ts";
import { accountSpace, GLOBAL, type Store, type Transaction } from "../store/store.ts";
import type { Clock } from "../system/clock.ts";
import type { Random } from "../system/random.ts";
import { endAll } from "./credentials/revocation.ts";
import { emailKey, type User, userEmails, users } from "./model.ts";
import { refuseWhereFull } from "./most.ts";
import { listPage, type PageOf, type PageRequest } from "./page.ts";
import type { SignInLinks } from "./sign-in/sign-in-links.ts";

export interface Users {
  /** `Problem` `not_found`. */
  get(accountId: string, userId: string): Promise<User>;
  list(accountId: string, page: PageRequest): Promise<PageOf<User>>;
  /** Invites: the link signs the user in once, to set a password. `Problem` `conflict` where the address is taken. */
  create(
    accountId: string,
    invitation: { email: string; role: User["role"] },
  ): Promise<{ user: User; signInLink: string }>;
  /** Ends the user's tokens, keys and sessions too. `Problem` `not_found`, `conflict` for the last admin. */
  delete(accountId: string, userId: string): Promise<void>;
}

export function createUsers({
  store,
  clock,
  random,
  links,
}: {
  store: Store;
  clock: Clock;
  random: Random;
  links: SignInLinks;
}): Users {
  return {
    async get(accountId, userId) {
      const user = await store.transact((tx) => tx.get(users, accountSpace(accountId), userId));
      return user ?? unknownUser(userId);
    },
    list: (accountId, page) => listPage(store, users, accountSpace(accountId), page, (user) => user),
    create: (accountId, { email, role }) =>
      store.transact(async (tx) => {
        const user: User = { id: random.id("usr"), accountId, email, role, createdAt: clock.now() };
        await refuseWhereFull(tx, users, accountId, FULL);
        await insertUser(tx, user);
        return { user, signInLink: await links.issue(tx, { accountId, userId: user.id }) };
      }),
    delete: (accountId, userId) =>
      store.transact(async (tx) => {
        const space = accountSpace(accountId);
        const all = await tx.list(users, space);
        const user = all.find(({ id }) => id === userId)?.value ?? unknownUser(userId);
        if (user.operator) throw new Problem("conflict", "The owner of this instance cannot be deleted.");
        if (user.role === "admin" && all.filter(({ value }) => value.role === "admin").length === 1) {
          throw new Problem(
            "conflict",
            `${user.email} is the last admin of this account and cannot be deleted. Add another admin first.`,
          );
        }
        await tx.delete(users, space, userId);
        await tx.delete(userEmails, GLOBAL, emailKey(user.email));
        await endAll(tx, accountId, userId);
      }),
  };
}

const FULL = { what: "users", remedy: "Delete those who have left." };

/** Adds a user whose address no other has: who signs in gives nothing else. */
export async function insertUser(tx: Transaction, user: User): Promise<void> {
  const key = emailKey(user.email);
  if (await tx.get(userEmails, GLOBAL, key)) {
    throw new Problem("conflict", `${user.email} belongs to a user already. Use another address.`);
  }
  await tx.insert(userEmails, GLOBAL, key, { accountId: user.accountId, userId: user.id });
  await tx.insert(users, accountSpace(user.accountId), user.id, user);
}

function unknownUser(userId: string): never {
  throw new Problem("not_found", `There is no user ${userId} in this account.`);
}
