import type { Actor } from "../audit/model.ts";
import type { AuditTrail } from "../audit/trail.ts";
import { invalidRequest } from "../contract/faults.ts";
import { Problem } from "../contract/problem.ts";
import { accountSpace, GLOBAL, type Store, type Transaction } from "../store/store.ts";
import type { Clock } from "../system/clock.ts";
import { defined } from "../system/defined.ts";
import type { Random } from "../system/random.ts";
import { insertUser } from "./memberships.ts";
import {
  type Account,
  accounts,
  type CustomLimits,
  emailKey,
  INSTANCE,
  instances,
  type NextPlan,
  type User,
  userEmails,
  users,
} from "./model.ts";
import { checkNextPlan, nextPlanAfter, plansOf, schedulePlan } from "./next-plan.ts";
import { listPage, type PageOf, type PageRequest, viewed } from "./page.ts";
import { targetOf } from "./people.ts";
import { checkPlan, type Plan } from "./plan.ts";
import { letters } from "./sign-in/letters.ts";
import type { LinkMail } from "./sign-in/link-mail.ts";
import { INVITATION_MS, type SignInLinks } from "./sign-in/sign-in-links.ts";
import { sinceAfter } from "./suspension.ts";

export interface AccountChange {
  name?: string | undefined;
  /** From now on, without an end unless `nextPlan` names one. */
  plan?: string | undefined;
  /** What follows the plan at a time; null lets the plan go on. */
  nextPlan?: NextPlan | null | undefined;
  /** Whether requests of the account's keys and devices are refused. */
  suspended?: boolean | undefined;
  /** Replaces all custom limits; an empty object restores the plan's limits. */
  limits?: CustomLimits | undefined;
}

export interface Accounts {
  /** Returns an account. `Problem` `not_found`. */
  get(accountId: string): Promise<Account>;
  list(page: PageRequest): Promise<PageOf<Account>>;
  /** Creates an account and its first owner. The sign-in link works for seven days; it is absent if it was mailed. */
  create(
    by: Actor,
    account: { name: string; ownerEmail: string; plan: string; nextPlan?: NextPlan | undefined },
  ): Promise<{ account: Account; signInLink?: string }>;
  /** Changes an account. `Problem` `not_found`, `invalid_request`, `conflict` for suspending the instance owner's. */
  update(by: Actor, accountId: string, change: AccountChange): Promise<Account>;
  /** Makes a link for a user, named by id or e-mail address, or for the first owner. `Problem` `not_found`. */
  createSignInLink(by: Actor, accountId: string, user?: string): Promise<string>;
}

/**
 * @param plans the plans, each with the lower bound for a custom burst limit.
 * @param limitNames what an account may have custom limits for: names of endpoints and of usage types.
 */
export function createAccounts({
  store,
  audit,
  clock,
  random,
  links,
  linkMail,
  plans,
  limitNames,
}: {
  store: Store;
  audit: AuditTrail;
  clock: Clock;
  random: Random;
  links: SignInLinks;
  /** Absent if no mail server is configured. */
  linkMail?: LinkMail | undefined;
  plans: readonly (Plan & { limits: { requestsPerMinute: number } })[];
  limitNames: Record<"endpoints" | "usesPerMonth", readonly string[]>;
}): Accounts {
  return {
    async get(accountId) {
      const account = await store.transact((tx) => tx.get(accounts, GLOBAL, accountId));
      return account ?? unknownAccount(accountId);
    },
    list: async (page) => viewed(await listPage(store, accounts, GLOBAL, page), ({ value }) => value),
    async create(by, { name, ownerEmail, plan, nextPlan }) {
      checkPlan(plans, plan);
      checkNextPlan(plans, { plan, ...defined({ nextPlan }) }, clock.now());
      await linkMail?.admit(by.accountId ?? "instance", ownerEmail);
      const made = await audit.transact(by, async (tx, note) => {
        const createdAt = clock.now();
        const account: Account = { id: random.id("acc"), name, plan, ...defined({ nextPlan }), createdAt };
        const reference = { accountId: account.id, userId: random.id("usr") };
        const { url, secretHash, expiresAt } = await links.issue(tx, reference, {
          lifetimeMs: INVITATION_MS,
          mailed: linkMail !== undefined,
        });
        await tx.insert(accounts, GLOBAL, account.id, account);
        await schedulePlan(tx, account.id, { after: nextPlan, now: createdAt });
        await insertUser(tx, {
          id: reference.userId,
          accountId: account.id,
          email: ownerEmail,
          role: "owner",
          invitation: { secretHash, expiresAt },
          createdAt,
        });
        note({
          ...changeOf(account, "account.created"),
          after: { name, ...plansOf(account), owner: ownerEmail },
        });
        return { account, signInLink: url };
      });
      if (!linkMail) return made;
      linkMail.send(letters.invitation(ownerEmail, made.signInLink, { account: name }));
      return { account: made.account };
    },
    async update(by, accountId, { name, plan, nextPlan, limits, suspended }) {
      if (plan !== undefined) checkPlan(plans, plan);
      return audit.transact(by, async (tx, note) => {
        const before = (await tx.get(accounts, GLOBAL, accountId)) ?? unknownAccount(accountId);
        const { limits: limitsBefore, suspendedAt: since, nextPlan: nextBefore, ...rest } = before;
        if (suspended && (await tx.get(instances, GLOBAL, INSTANCE))?.accountId === accountId) {
          throw new Problem("conflict", "The account of this instance's owner cannot be suspended.");
        }
        const now = clock.now();
        const suspendedAt = sinceAfter(before.suspendedAt, suspended, now);
        const next = nextPlanAfter(nextBefore, { plan, nextPlan });
        const custom = limits ?? limitsBefore;
        const account: Account = {
          ...rest,
          ...defined({ name, plan, nextPlan: next, suspendedAt }),
          ...(custom && Object.keys(custom).length > 0 && { limits: custom }),
        };
        if (nextPlan) checkNextPlan(plans, account, now);
        // A changed plans file may contradict what was set before, which must not stop a suspension.
        if (limits ?? plan ?? nextPlan) checkLimits(account);
        await tx.put(accounts, GLOBAL, accountId, account);
        await schedulePlan(tx, accountId, { before: nextBefore, after: next, now });
        // One entry for each action: who looks for changed plans finds also those of accounts that were stopped with it.
        const { suspendedAt: _, ...others } = account;
        note({
          ...changeOf(account, "account.updated"),
          before: { limits: limitsBefore, ...rest, ...plansOf(before) },
          after: { ...others, ...plansOf(account) },
        });
        const action = suspendedAt === undefined ? "account.resumed" : "account.suspended";
        note({ ...changeOf(account, action), before: { suspendedAt: since }, after: { suspendedAt } });
        return account;
      });
    },
    createSignInLink: (by, accountId, named) =>
      audit.transact(by, async (tx, note) => {
        if (!(await tx.get(accounts, GLOBAL, accountId))) unknownAccount(accountId);
        const user =
          named === undefined
            ? (await tx.list(users, accountSpace(accountId))).find(
                ({ value }) => value.role === "owner" && value.suspendedAt === undefined,
              )?.value
            : await userNamed(tx, accountId, named);
        if (!user)
          throw new Problem(
            "not_found",
            `There is no ${named === undefined ? "owner" : `user ${named}`} in this account.`,
          );
        const { url } = await links.issue(tx, { accountId, userId: user.id });
        note({ action: "user.sign_in_link_made", target: targetOf(user), accountId });
        return url;
      }),
  };

  /** Rejects names that nothing has, and a burst limit below the per-minute limit, which it would undercut. */
  function checkLimits({ plan, nextPlan, limits }: Account): void {
    const unknown = (member: keyof typeof limitNames, message: string) =>
      Object.keys(limits?.[member] ?? {})
        .filter((name) => !limitNames[member].includes(name))
        .map((name) => ({ path: `limits.${member}.${name}`, message }));
    const faults = [
      ...unknown("endpoints", "is no endpoint's name"),
      ...unknown("usesPerMonth", `is none of ${limitNames.usesPerMonth.join(", ")}`),
    ];
    const ofPlans = plans.filter(({ id }) => id === plan || id === nextPlan?.plan);
    const perMinute =
      limits?.requestsPerMinute ?? Math.max(0, ...ofPlans.map((each) => each.limits.requestsPerMinute));
    if (limits?.burst !== undefined && limits.burst < perMinute) {
      faults.push({ path: "limits.burst", message: `must be ${perMinute} (requestsPerMinute) or more` });
    }
    if (faults.length > 0) throw invalidRequest(faults);
  }
}

/** Finds a user by id or e-mail address. Ids contain no "@". */
async function userNamed(tx: Transaction, accountId: string, named: string): Promise<User | undefined> {
  const space = accountSpace(accountId);
  const found = named.includes("@") ? await tx.get(userEmails, space, emailKey(named)) : { userId: named };
  return found && tx.get(users, space, found.userId);
}

function unknownAccount(accountId: string): never {
  throw new Problem("not_found", `There is no account ${accountId}.`);
}

function changeOf({ id, name }: Account, action: string) {
  return { action, target: { kind: "account", id, name }, accountId: id };
}
