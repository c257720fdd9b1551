import { accountSpace, GLOBAL, type Transaction } from "../../store/store.ts";
import { defined } from "../../system/defined.ts";
import { endAllSoFar } from "../credentials/revocation.ts";
import { type Person, people, users } from "../model.ts";
import { forgetPasskeysAndIdentities } from "../people.ts";

/**
 * Records that a person has proven that they receive mail at their address. The first proof ends everything set up
 * before it (password, passkeys, identities, sessions, keys, devices and approvals), because an attacker may have
 * claimed the address in advance. Exempt are a prover who is signed in as that person, and the owner of the instance,
 * whose address the operator has set.
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

/** Whether proving the address would end everything set up before. */
export async function endsByProof(tx: Transaction, person: Person): Promise<boolean> {
  if (person.emailProvenAt !== undefined) return false;
  for (const { accountId, userId } of person.memberships) {
    if ((await tx.get(users, accountSpace(accountId), userId))?.operator) return false;
  }
  return true;
}
