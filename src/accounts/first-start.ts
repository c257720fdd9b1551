import { accountSpace, GLOBAL, type Store } from "../store/store.ts";
import type { Clock } from "../system/clock.ts";
import type { Random } from "../system/random.ts";
import { Email } from "./contract.ts";
import { endSessions } from "./credentials/revocation.ts";
import { type Account, accounts, INSTANCE, instances, type User, users } from "./model.ts";
import { checkPlan, type Plan } from "./plan.ts";
import type { Passwords } from "./sign-in/passwords.ts";
import type { SignInLinks } from "./sign-in/sign-in-links.ts";
import { insertUser } from "./users.ts";

const MIN_OWNER_KEY_LENGTH = 32;

/** Who owns this instance, as the environment and the flags say. */
export interface OwnerSettings {
  email: string;
  password?: string | undefined;
  apiKey?: string | undefined;
}

export interface FirstStart {
  account: Account;
  owner: User;
  /** Signs the owner in once; only where there is no other way yet. */
  signInLink?: string;
}

/**
 * Makes the account `default` and its owner in an empty store, and sees to it that the owner has a way
 * in: run at every start. Throws an Error for people where the settings cannot be used.
 */
export async function firstStart(
  {
    store,
    clock,
    random,
    passwords,
    links,
    plans,
  }: {
    store: Store;
    clock: Clock;
    random: Random;
    passwords: Passwords;
    links: SignInLinks;
    plans: readonly Plan[];
  },
  settings: { plan: string; owner: OwnerSettings },
): Promise<FirstStart> {
  const { password, apiKey } = settings.owner;
  checkOwnerKey(apiKey);
  if (password === "") throw new Error("TOOL_OWNER_PASSWORD is empty. Give it a value, or unset it.");
  const { account, owner } = await store.transact(async (tx) => {
    const instance = await tx.get(instances, GLOBAL, INSTANCE);
    if (instance) {
      const account = await tx.get(accounts, GLOBAL, instance.accountId);
      const owner = await tx.get(users, accountSpace(instance.accountId), instance.ownerId);
      if (!account || !owner) throw new Error("The store has lost the account or the user that owns it.");
      return { account, owner };
    }
    checkPlan(plans, settings.plan);
    const email = ownerEmail(settings.owner.email);
    const createdAt = clock.now();
    const account: Account = { id: random.id("acc"), name: "default", plan: settings.plan, createdAt };
    const owner: User = {
      id: random.id("usr"),
      accountId: account.id,
      email,
      role: "admin",
      operator: true,
      createdAt,
    };
    // Of several servers that begin at once with one empty store, one makes the owner.
    await tx.insert(instances, GLOBAL, INSTANCE, { accountId: account.id, ownerId: owner.id });
    await tx.insert(accounts, GLOBAL, account.id, account);
    await insertUser(tx, owner);
    return { account, owner };
  });

  if (password !== undefined) {
    await setOwnerPassword({ store, passwords }, owner, password);
    return { account, owner };
  }
  if (owner.passwordHash !== undefined || apiKey !== undefined) return { account, owner };
  const reference = { accountId: account.id, userId: owner.id };
  return { account, owner, signInLink: await store.transact((tx) => links.issue(tx, reference)) };
}

/** The environment's password, set where another or none is; sessions begun without it end. */
async function setOwnerPassword(
  { store, passwords }: { store: Store; passwords: Passwords },
  owner: User,
  password: string,
): Promise<void> {
  if (await passwords.verify(`user/${owner.id}`, password, owner.passwordHash)) return;
  const passwordHash = await passwords.hash(`user/${owner.id}`, password);
  const space = accountSpace(owner.accountId);
  await store.transact(async (tx) => {
    const user = (await tx.get(users, space, owner.id)) ?? owner;
    await tx.put(users, space, owner.id, { ...user, passwordHash });
    await endSessions(tx, owner.accountId, owner.id);
  });
}

function ownerEmail(text: string): string {
  const email = Email.safeParse(text);
  if (email.success) return email.data;
  throw new Error(
    `TOOL_OWNER_EMAIL is "${text}", which is no e-mail address. Leave it out for owner@localhost.`,
  );
}

function checkOwnerKey(apiKey: string | undefined): void {
  if (apiKey === undefined || (apiKey.length >= MIN_OWNER_KEY_LENGTH && /^[\x21-\x7e]+$/.test(apiKey)))
    return;
  throw new Error(
    `TOOL_OWNER_API_KEY must have ${MIN_OWNER_KEY_LENGTH} characters or more, without spaces. Make one with: openssl rand -hex 32`,
  );
}
