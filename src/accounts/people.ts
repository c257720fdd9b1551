import { Problem } from "../contract/problem.ts";
import { accountSpace, GLOBAL, type Transaction } from "../store/store.ts";
import type { Clock } from "../system/clock.ts";
import type { Random } from "../system/random.ts";
import { endAll } from "./credentials/revocation.ts";
import {
  emailKey,
  identityKey,
  identityOwners,
  type Person,
  passkeyOwners,
  people,
  personEmails,
  type User,
  userEmails,
  users,
} from "./model.ts";

/** Who signs in with this address. */
export async function personByEmail(tx: Transaction, email: string): Promise<Person | undefined> {
  const found = await tx.get(personEmails, GLOBAL, emailKey(email));
  return found && tx.get(people, GLOBAL, found.personId);
}

/** Whose user it is; undefined while they are only invited. */
export async function personOf(tx: Transaction, { personId }: User): Promise<Person | undefined> {
  return personId === undefined ? undefined : tx.get(people, GLOBAL, personId);
}

/** A user who may come in and act, or who is invited: nobody else is let in, or given anything, as them. */
export async function activeUser(
  tx: Transaction,
  accountId: string,
  userId: string,
): Promise<User | undefined> {
  const user = await tx.get(users, accountSpace(accountId), userId);
  return user?.suspendedAt === undefined ? user : undefined;
}

/** What people know somebody by who acts on an account, and whether they run the server. */
export async function whoActs(
  tx: Transaction,
  { accountId, userId }: { accountId?: string | undefined; userId?: string | undefined },
): Promise<{ name: string; isOperator: boolean } | undefined> {
  if (accountId === undefined || userId === undefined) return undefined;
  const user = await tx.get(users, accountSpace(accountId), userId);
  return user && { name: user.email, isOperator: user.operator === true };
}

/** Somebody new, who belongs to no account yet: `join` comes next. Nobody has the address yet. */
export async function createPerson(
  tx: Transaction,
  { clock, random }: { clock: Pick<Clock, "now">; random: Pick<Random, "id"> },
  known: Partial<Pick<Person, "id" | "email" | "emailProvenAt" | "name">>,
): Promise<Person> {
  const person: Person = { id: random.id("per"), ...known, memberships: [], createdAt: clock.now() };
  if (person.email !== undefined) {
    await tx.insert(personEmails, GLOBAL, emailKey(person.email), { personId: person.id });
  }
  await tx.insert(people, GLOBAL, person.id, person);
  return person;
}

/** Makes a person somebody in an account, as the user that was made for them. `Problem` `conflict` where they are in it. */
export async function join(tx: Transaction, person: Person, user: User): Promise<Person> {
  const { accountId, id: userId } = user;
  const { invitation: _, ...invited } = user;
  const email = person.email ?? user.email;
  if (person.memberships.some((membership) => membership.accountId === accountId)) {
    throw new Problem("conflict", `${email} is in this account already.`);
  }
  if (emailKey(email) !== emailKey(user.email)) {
    await tx.delete(userEmails, accountSpace(accountId), emailKey(user.email));
    await claimEmail(tx, { ...user, email });
  }
  await tx.put(users, accountSpace(accountId), userId, { ...invited, email, personId: person.id });
  const joined = { ...person, memberships: [{ accountId, userId }, ...person.memberships] };
  await tx.put(people, GLOBAL, person.id, joined);
  return joined;
}

/** A user whom nobody is yet. `Problem` `conflict` where the account has one of that address. */
export async function insertUser(tx: Transaction, user: User): Promise<void> {
  await claimEmail(tx, user);
  await tx.insert(users, accountSpace(user.accountId), user.id, user);
}

async function claimEmail(tx: Transaction, { accountId, id: userId, email }: User): Promise<void> {
  if (await tx.has(userEmails, accountSpace(accountId), emailKey(email))) {
    throw new Problem("conflict", `${email} is in this account already, or invited to it.`);
  }
  await tx.insert(userEmails, accountSpace(accountId), emailKey(email), { userId });
}

/** Ends what somebody is in an account, with all that acts for them there; with their last account the person, too. */
export async function leave(tx: Transaction, user: User, now: number): Promise<void> {
  const { accountId, id: userId } = user;
  const space = accountSpace(accountId);
  await tx.delete(users, space, userId);
  await tx.delete(userEmails, space, emailKey(user.email));
  await endAll(tx, accountId, userId, now);
  const person = await personOf(tx, user);
  if (!person) return;
  const memberships = person.memberships.filter((membership) => membership.accountId !== accountId);
  if (memberships.length > 0) await tx.put(people, GLOBAL, person.id, { ...person, memberships });
  else await forget(tx, person);
}

async function forget(tx: Transaction, person: Person): Promise<void> {
  if (person.email !== undefined) await tx.delete(personEmails, GLOBAL, emailKey(person.email));
  await forgetPasskeysAndIdentities(tx, person);
  await tx.delete(people, GLOBAL, person.id);
}

/** Nobody is found by them any more. */
export async function forgetPasskeysAndIdentities(tx: Transaction, person: Person): Promise<void> {
  for (const { id } of person.passkeys ?? []) await tx.delete(passkeyOwners, GLOBAL, id);
  for (const identity of person.identities ?? []) {
    await tx.delete(identityOwners, GLOBAL, identityKey(identity));
  }
}

/** How the audit log names a user. */
export function targetOf({ id, email }: User) {
  return { kind: "user", id, name: email };
}
