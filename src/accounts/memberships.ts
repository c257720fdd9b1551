import { Problem } from "../contract/problem.ts";
import { accountSpace, GLOBAL, type Transaction } from "../store/store.ts";
import { endAll } from "./credentials/revocation.ts";
import { emailKey, type Person, people, personEmails, type User, userEmails, users } from "./model.ts";
import { forgetPasskeysAndIdentities, personOf } from "./people.ts";
import { signInLinks } from "./sign-in/model.ts";

/**
 * Makes a person a member of an account, as `user`, whose invitation ends. `Problem` `conflict` if they are a member
 * already.
 */
export async function join(
  tx: Transaction,
  person: Person,
  user: User,
): Promise<{ person: Person; user: User }> {
  const { accountId, id: userId } = user;
  const { invitation, ...invited } = user;
  const email = person.email ?? user.email;
  if (person.memberships.some((membership) => membership.accountId === accountId)) {
    throw new Problem("conflict", `${email} is in this account already.`);
  }
  // Its link would sign its holder in as this person, if the invitation was accepted by another one.
  if (invitation) await tx.delete(signInLinks, GLOBAL, invitation.secretHash);
  if (emailKey(email) !== emailKey(user.email)) {
    await tx.delete(userEmails, accountSpace(accountId), emailKey(user.email));
    await claimEmail(tx, { ...user, email });
  }
  const member: User = { ...invited, email, personId: person.id };
  await tx.put(users, accountSpace(accountId), userId, member);
  const joined: Person = { ...person, memberships: [{ accountId, userId }, ...person.memberships] };
  await tx.put(people, GLOBAL, person.id, joined);
  return { person: joined, user: member };
}

/** Inserts a user that has no person yet. `Problem` `conflict` if the account has a user with that address. */
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

/** Removes a user with their keys, devices and sessions. If it was the person's last account, deletes the person. */
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
