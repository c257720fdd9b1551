import { invalidRequest } from "../contract/faults.ts";
import { Problem } from "../contract/problem.ts";
import { accountSpace, GLOBAL, type Store } from "../store/store.ts";
import type { Clock } from "../system/clock.ts";
import type { Random } from "../system/random.ts";
import { type Account, accounts, type CustomLimits, type User, users } from "./model.ts";
import { listPage, type PageOf, type PageRequest } from "./page.ts";
import { checkPlan, type Plan } from "./plan.ts";
import type { SignInLinks } from "./sign-in/sign-in-links.ts";
import { insertUser } from "./users.ts";

export interface AccountChange {
  name?: string | undefined;
  plan?: string | undefined;
  /** Takes the place of all custom limits that were; empty: the plan's hold again. */
  limits?: CustomLimits | undefined;
}

export interface Accounts {
  /** `Problem` `not_found`. */
  get(accountId: string): Promise<Account>;
  list(page: PageRequest): Promise<PageOf<Account>>;
  /** With its first admin, whom the link signs in. `Problem` `conflict` where the address is taken. */
  create(account: {
    name: string;
    ownerEmail: string;
    plan: string;
  }): Promise<{ account: Account; signInLink: string }>;
  /** `Problem` `not_found`, `invalid_request`. */
  update(accountId: string, change: AccountChange): Promise<Account>;
  /** A link for a user, or for the account's first admin. `Problem` `not_found`. */
  createSignInLink(accountId: string, userId?: string): Promise<string>;
}

/**
 * @param plans with the figure that a burst may not fall short of.
 * @param endpointNames whose limits an account may have of its own.
 */
export function createAccounts({
  store,
  clock,
  random,
  links,
  plans,
  endpointNames,
}: {
  store: Store;
  clock: Clock;
  random: Random;
  links: SignInLinks;
  plans: readonly (Plan & { limits: { requestsPerMinute: number } })[];
  endpointNames: readonly string[];
}): Accounts {
  return {
    async get(accountId) {
      const account = await store.transact((tx) => tx.get(accounts, GLOBAL, accountId));
      return account ?? unknownAccount(accountId);
    },
    list: (page) => listPage(store, accounts, GLOBAL, page, (account) => account),
    async create({ name, ownerEmail, plan }) {
      checkPlan(plans, plan);
      return store.transact(async (tx) => {
        const createdAt = clock.now();
        const account: Account = { id: random.id("acc"), name, plan, createdAt };
        const owner: User = {
          id: random.id("usr"),
          accountId: account.id,
          email: ownerEmail,
          role: "admin",
          createdAt,
        };
        await tx.insert(accounts, GLOBAL, account.id, account);
        await insertUser(tx, owner);
        return { account, signInLink: await links.issue(tx, { accountId: account.id, userId: owner.id }) };
      });
    },
    async update(accountId, { name, plan, limits }) {
      if (plan !== undefined) checkPlan(plans, plan);
      return store.transact(async (tx) => {
        const { limits: before, ...rest } =
          (await tx.get(accounts, GLOBAL, accountId)) ?? unknownAccount(accountId);
        const custom = limits ?? before;
        const account: Account = {
          ...rest,
          ...(name !== undefined && { name }),
          ...(plan !== undefined && { plan }),
          ...(custom && Object.keys(custom).length > 0 && { limits: custom }),
        };
        checkLimits(account);
        await tx.put(accounts, GLOBAL, accountId, account);
        return account;
      });
    },
    createSignInLink: (accountId, userId) =>
      store.transact(async (tx) => {
        if (!(await tx.get(accounts, GLOBAL, accountId))) unknownAccount(accountId);
        const all = await tx.list(users, accountSpace(accountId));
        const user = all.find(({ id, value }) => (userId ? id === userId : value.role === "admin"));
        if (!user) throw new Problem("not_found", `There is no user ${userId} in this account.`);
        return links.issue(tx, { accountId, userId: user.id });
      }),
  };

  /** A burst under the minute's figure would take back what the minute promises. */
  function checkLimits({ plan, limits }: Account): void {
    const faults = Object.keys(limits?.endpoints ?? {})
      .filter((name) => !endpointNames.includes(name))
      .map((name) => ({ path: `limits.endpoints.${name}`, message: "is no endpoint's name" }));
    const perMinute =
      limits?.requestsPerMinute ?? plans.find(({ id }) => id === plan)?.limits.requestsPerMinute ?? 0;
    if (limits?.burst !== undefined && limits.burst < perMinute) {
      faults.push({ path: "limits.burst", message: `must be ${perMinute} (requestsPerMinute) or more` });
    }
    if (faults.length > 0) throw invalidRequest(faults);
  }
}

function unknownAccount(accountId: string): never {
  throw new Problem("not_found", `There is no account ${accountId}.`);
}
