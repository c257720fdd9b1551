import { type AuditTrail, SERVER } from "../audit/trail.ts";
import { accountSpace, GLOBAL, ReadOnly, type Store, type Transaction } from "../store/store.ts";
import type { Clock } from "../system/clock.ts";
import type { Random } from "../system/random.ts";
import { adoptPeople } from "./adopt-people.ts";
import { Email } from "./contract.ts";
import { endSessions } from "./credentials/revocation.ts";
import { insertUser, join } from "./memberships.ts";
import {
  type Account,
  accounts,
  INSTANCE,
  type Instance,
  instances,
  type Person,
  people,
  type User,
  users,
} from "./model.ts";
import { createPerson, personOf, targetOf } from "./people.ts";
import type { Plan } from "./plan.ts";
import { faultOfNewPassword, type Passwords } from "./sign-in/passwords.ts";
import type { SignInLinks } from "./sign-in/sign-in-links.ts";

const MIN_OWNER_KEY_LENGTH = 32;

/** The owner of this instance, from the environment and the flags. */
export interface OwnerSettings {
  email: string;
  password?: string | undefined;
  apiKey?: string | undefined;
}

export interface FirstStart {
  account: Account;
  owner: User;
  /** Whether the store was empty. */
  isNew: boolean;
  /** A one-time link for the owner; present only if the owner has no other way to sign in. */
  signInLink?: string;
}

/**
 * Creates the account `default` and its owner in an empty store, and ensures that the owner can sign in.
 * Runs at every start. Throws an `Error` with a message for the operator if the settings are invalid.
 */
export async function firstStart(
  {
    store,
    audit,
    clock,
    random,
    passwords,
    links,
    plans,
  }: {
    store: Store;
    audit: Pick<AuditTrail, "transact">;
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
  await adoptPeople(store);
  const { account, owner, person, isNew } = await store.transact(async (tx) => {
    const instance = await tx.get(instances, GLOBAL, INSTANCE);
    if (instance) return { ...(await foundOwner(tx, instance)), isNew: false };
    checkFirstPlan(plans, settings.plan);
    const email = ownerEmail(settings.owner.email);
    const createdAt = clock.now();
    const account: Account = { id: random.id("acc"), name: "default", plan: settings.plan, createdAt };
    const user: User = {
      id: random.id("usr"),
      accountId: account.id,
      email,
      role: "owner",
      operator: true,
      createdAt,
    };
    // If several servers start on one empty store, this insert succeeds in only one of them.
    const instanceNow: Instance = { accountId: account.id, ownerId: user.id, people: true };
    await tx.insert(instances, GLOBAL, INSTANCE, instanceNow);
    await tx.insert(accounts, GLOBAL, account.id, account);
    await insertUser(tx, user);
    await join(tx, await createPerson(tx, { clock, random }, { email }), user);
    return { ...(await foundOwner(tx, instanceNow)), isNew: true };
  });

  if (password !== undefined) {
    await ifWritable(() => setOwnerPassword({ audit, passwords }, owner, person, password));
    return { account, owner, isNew };
  }
  if (person.passwordHash !== undefined || person.passkeys || person.identities || apiKey !== undefined) {
    return { account, owner, isNew };
  }
  const reference = { accountId: account.id, userId: owner.id };
  const link = await ifWritable(() => store.transact((tx) => links.issue(tx, reference)));
  return { account, owner, isNew, ...(link && { signInLink: link.url }) };
}

/** Throws an `Error` that names the setting: whoever has renamed the plans may never have given one. */
function checkFirstPlan(plans: readonly Plan[], plan: string): void {
  if (plans.some(({ id }) => id === plan)) return;
  const known = plans.map(({ id }) => id).join(", ");
  throw new Error(
    `The first account cannot be on the plan "${plan}", which the catalogue of plans lacks. Name another with --plan (in createServer(): plan): ${known}.`,
  );
}

/** Runs `write`. Returns undefined if the store is read-only, so that the server still starts and serves reads. */
async function ifWritable<T>(write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof ReadOnly) return undefined;
    throw error;
  }
}

async function foundOwner(
  tx: Transaction,
  { accountId, ownerId }: Instance,
): Promise<{ account: Account; owner: User; person: Person }> {
  const account = await tx.get(accounts, GLOBAL, accountId);
  const owner = await tx.get(users, accountSpace(accountId), ownerId);
  const person = owner && (await personOf(tx, owner));
  if (!account || !person) throw new Error("The store has lost the account or the user that owns it.");
  return { account, owner, person };
}

/** Sets the password from the environment unless it is already set. A change ends the owner's sessions everywhere. */
async function setOwnerPassword(
  { audit, passwords }: { audit: Pick<AuditTrail, "transact">; passwords: Passwords },
  owner: User,
  person: Person,
  password: string,
): Promise<void> {
  if (await passwords.verify(`person/${person.id}`, password, person.passwordHash)) return;
  const fault = faultOfNewPassword(password);
  if (fault) throw new Error(`owner.password or TOOL_OWNER_PASSWORD ${fault}.`);
  const passwordHash = await passwords.hash(`person/${person.id}`, password);
  await audit.transact(SERVER, async (tx, note) => {
    const now = (await tx.get(people, GLOBAL, person.id)) ?? person;
    await tx.put(people, GLOBAL, person.id, { ...now, passwordHash });
    for (const { accountId, userId } of now.memberships) await endSessions(tx, accountId, userId);
    note({
      action: "person.password_set",
      target: targetOf(owner),
      accountId: owner.accountId,
      after: { by: "TOOL_OWNER_PASSWORD" },
    });
  });
}

function ownerEmail(text: string): string {
  const email = Email.safeParse(text);
  if (email.success) return email.data;
  throw new Error(
    `owner.email or TOOL_OWNER_EMAIL is "${text}", which is no e-mail address. The default is owner@localhost.`,
  );
}

function checkOwnerKey(apiKey: string | undefined): void {
  if (apiKey === undefined || (apiKey.length >= MIN_OWNER_KEY_LENGTH && /^[\x21-\x7e]+$/.test(apiKey)))
    return;
  throw new Error(
    `owner.apiKey or TOOL_OWNER_API_KEY must have ${MIN_OWNER_KEY_LENGTH} characters or more, without spaces. Make one with: openssl rand -hex 32`,
  );
}
