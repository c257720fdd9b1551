import { accountSpace, GLOBAL, type Transaction } from "../store/store.ts";
import type { Clock } from "../system/clock.ts";
import type { Random } from "../system/random.ts";
import {
  emailKey,
  identityKey,
  identityOwners,
  type Person,
  passkeyOwners,
  people,
  personEmails,
  type User,
  users,
} from "./model.ts";

/** Finds the person who signs in with this address. */
export async function personByEmail(tx: Transaction, email: string): Promise<Person | undefined> {
  const found = await tx.get(personEmails, GLOBAL, emailKey(email));
  return found && tx.get(people, GLOBAL, found.personId);
}

/** Returns the person of a user; undefined if the user was invited and has not accepted yet. */
export async function personOf(tx: Transaction, { personId }: User): Promise<Person | undefined> {
  return personId === undefined ? undefined : tx.get(people, GLOBAL, personId);
}

/** Returns a user unless suspended. Signing in and issuing credentials must go through this check. */
export async function activeUser(
  tx: Transaction,
  accountId: string,
  userId: string,
): Promise<User | undefined> {
  const user = await tx.get(users, accountSpace(accountId), userId);
  return user?.suspendedAt === undefined ? user : undefined;
}

/** Returns the display name of an acting user, and whether they are the operator. */
export async function whoActs(
  tx: Transaction,
  { accountId, userId }: { accountId?: string | undefined; userId?: string | undefined },
): Promise<{ name: string; isOperator: boolean } | undefined> {
  if (accountId === undefined || userId === undefined) return undefined;
  const user = await tx.get(users, accountSpace(accountId), userId);
  return user && { name: user.email, isOperator: user.operator === true };
}

/** Inserts a person who belongs to no account yet; the caller then calls `join`. The address must be unclaimed. */
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

/** Deletes the index entries that lead from passkeys and identities to a person. */
export async function forgetPasskeysAndIdentities(tx: Transaction, person: Person): Promise<void> {
  for (const { id } of person.passkeys ?? []) await tx.delete(passkeyOwners, GLOBAL, id);
  for (const identity of person.identities ?? []) {
    await tx.delete(identityOwners, GLOBAL, identityKey(identity));
  }
}

/** Returns the audit log's target for a user. */
export function targetOf({ id, email }: User) {
  return { kind: "user", id, name: email };
}
