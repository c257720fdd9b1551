import { accountSpace, GLOBAL, type Transaction } from "../../store/store.ts";
import { defined } from "../../system/defined.ts";
import { endAllSoFar } from "../credentials/revocation.ts";
import { type Person, people, users } from "../model.ts";
import { forgetPasskeysAndIdentities } from "../people.ts";

/**
 * Notes that somebody has proven that mail to their address reaches them. The first time, what was set before ends
 * (password, passkeys, identities, sessions, keys, devices and approvals): another may have claimed the address and waited for
 * its owner. Not where who proves it is signed in as that person, nor for the owner of the instance, whose address
 * the operator has set.
 */
export async function proveAddress(
  tx: Transaction,
  person: Person,
  { now, signedInAs }: { now: number; signedInAs: string | undefined },
): Promise<{ person: Person; ended: boolean }> {
  const ended = signedInAs !== person.id && (await endsByProof(tx, person));
  const { id, email, name, memberships, createdAt } = person;
  if (ended) {
    await forgetPasskeysAndIdentities(tx, person);
    for (const membership of memberships) await endAllSoFar(tx, membership, now);
  }
  const kept: Person = ended
    ? {
        id,
        ...defined({ email, name }),
        memberships,
        createdAt,
      }
    : person;
  const proven = { ...kept, emailProvenAt: now };
  await tx.put(people, GLOBAL, id, proven);
  return { person: proven, ended };
}

/** Whether what was set before ends with the first proof of the address. */
export async function endsByProof(tx: Transaction, person: Person): Promise<boolean> {
  if (person.emailProvenAt !== undefined) return false;
  for (const { accountId, userId } of person.memberships) {
    if ((await tx.get(users, accountSpace(accountId), userId))?.operator) return false;
  }
  return true;
}
