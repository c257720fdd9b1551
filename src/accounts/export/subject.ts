import { accountSpace, GLOBAL, type Store, type Transaction } from "../../store/store.ts";
import { accounts, emailKey, type Person, people, type User, userEmails, users } from "../model.ts";
import { inSlices } from "../page.ts";
import { personByEmail, personOf } from "../people.ts";

/** Somebody whose data is exported. They may have no person: invited only, or removed. */
export interface Subject {
  person?: Person | undefined;
  /** The address they sign in with or were invited at. */
  email?: string | undefined;
  /** A user's id by which they were asked for. */
  userId?: string | undefined;
}

/** Finds somebody by an address, the id of a person, or that of a user in any account. */
export async function subjectNamed(store: Pick<Store, "transact">, named: string): Promise<Subject> {
  if (named.includes("@")) {
    const person = await store.transact((tx) => personByEmail(tx, named));
    return { person, email: person?.email ?? named };
  }
  const person = await store.transact((tx) => tx.get(people, GLOBAL, named));
  if (person) return { person, email: person.email };
  const found = await firstAccount(store, undefined, (tx, accountId) =>
    tx.get(users, accountSpace(accountId), named),
  );
  return found ? store.transact((tx) => subjectOf(tx, found.value)) : { userId: named };
}

/** Returns a user as the subject of an export. */
export async function subjectOf(tx: Transaction, user: User): Promise<Subject> {
  const person = await personOf(tx, user);
  const email = person ? person.email : user.email;
  return { person, email, userId: user.id };
}

/** Returns the user that somebody is in an account, or is invited as. */
export async function userIn(
  tx: Transaction,
  { person, email }: Subject,
  accountId: string,
): Promise<User | undefined> {
  const space = accountSpace(accountId);
  const membership = person?.memberships.find((each) => each.accountId === accountId);
  if (membership) return tx.get(users, space, membership.userId);
  const invited = email === undefined ? undefined : await tx.get(userEmails, space, emailKey(email));
  return invited && tx.get(users, space, invited.userId);
}

/** Returns what may name somebody: their ids and their address, in lower case. */
export function subjectNames({ person, email, userId }: Subject, user?: User): ReadonlySet<string> {
  const ids = [person?.id, userId, user?.id, ...(person?.memberships ?? []).map((each) => each.userId)];
  const names = [...ids, email, person?.email];
  return new Set(names.flatMap((name) => name?.toLowerCase() ?? []));
}

/**
 * Returns a test for JSON texts that hold one of the names. An address is found whatever its case, but not as a part of a
 * longer one, which is somebody else's.
 */
export function naming(names: ReadonlySet<string>): (text: string) => boolean {
  if (names.size === 0) return () => false;
  const escaped = [...names].map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  const letter = "\\p{L}\\p{N}_";
  const pattern = new RegExp(
    `(?<![${letter}.+%-])(?:${escaped.join("|")})(?![${letter}-]|\\.[${letter}])`,
    "iu",
  );
  // The letter of an escape such as \n is none of the text.
  return (json) => pattern.test(json.replace(/\\(?:u[\da-f]{4}|.)/gi, " "));
}

/** Accounts looked at in one transaction. */
const SLICE = 200;

/** Returns the first account behind another for which `find` finds something, with what it found. */
export async function firstAccount<T>(
  store: Pick<Store, "transact">,
  behind: string | undefined,
  find: (tx: Transaction, accountId: string) => Promise<T | undefined>,
): Promise<{ accountId: string; value: T } | undefined> {
  for await (const slice of inSlices(store, accounts, GLOBAL, { size: SLICE, after: behind })) {
    const values = await store.transact((tx) => Promise.all(slice.map(({ id }) => find(tx, id))));
    const at = values.findIndex((value) => value !== undefined);
    if (at >= 0) return { accountId: slice[at]?.id as string, value: values[at] as T };
  }
  return undefined;
}
