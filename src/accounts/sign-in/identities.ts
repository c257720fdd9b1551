import type { AuditTrail } from "../../audit/trail.ts";
import { Problem } from "../../contract/problem.ts";
import type { Claims } from "../../providers/provider.ts";
import { GLOBAL, type Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { type Identity, identityKey, identityOwners, type Person, people } from "../model.ts";
import { targetOf } from "../people.ts";
import { checkStillSignedIn } from "./sessions/browser-sessions.ts";
import { actorOf, type SignedIn, type Visitor } from "./sessions/signed-in.ts";
import { keepAWayIn, type WaysOffered } from "./ways.ts";

const MAX_IDENTITIES = 10;

/** The identities of people at external providers. */
export interface Identities {
  /** Connects an identity. `Problem` `conflict` if it is another person's, or the person has too many. */
  connect(
    provider: string,
    title: string,
    claims: Claims,
    signedIn: SignedIn,
    visitor: Visitor,
  ): Promise<void>;
  /** Disconnects an identity. `Problem` `not_found`, and `conflict` if it is the person's last way to sign in. */
  disconnect(
    signedIn: SignedIn,
    identity: Pick<Identity, "issuer" | "subject">,
    visitor: Visitor,
  ): Promise<void>;
}

export function createIdentities({
  audit,
  clock,
  offered,
}: {
  audit: AuditTrail;
  clock: Pick<Clock, "now">;
  offered: WaysOffered;
}): Identities {
  return {
    connect: (provider, title, claims, signedIn, visitor) =>
      audit.transact(actorOf(visitor, signedIn.user), async (tx, note) => {
        const {
          user,
          person: { id },
        } = signedIn;
        const owner = await tx.get(identityOwners, GLOBAL, identityKey(claims));
        if (owner?.personId === id) return;
        if (owner) {
          throw new Problem(
            "conflict",
            `${title} knows you as ${claims.label}, who is connected to somebody else here.`,
          );
        }
        const person = await tx.get(people, GLOBAL, id);
        if (!person) throw new Problem("not_found", "Your account was removed meanwhile.");
        await checkStillSignedIn(tx, signedIn);
        if ((person.identities ?? []).length >= MAX_IDENTITIES) {
          throw new Problem(
            "conflict",
            `You have ${MAX_IDENTITIES} connected providers, the most there may be.`,
          );
        }
        await addIdentity(tx, person, provider, claims, clock.now());
        const after = { provider, label: claims.label };
        note({ action: "person.provider_connected", target: targetOf(user), after });
      }),
    disconnect: (signedIn, identity, visitor) =>
      audit.transact(actorOf(visitor, signedIn.user), async (tx, note) => {
        await checkStillSignedIn(tx, signedIn);
        const person = await tx.get(people, GLOBAL, signedIn.person.id);
        const identities = person?.identities ?? [];
        const gone = identities.find((each) => identityKey(each) === identityKey(identity));
        if (!person || !gone) throw new Problem("not_found", "This is not connected any more.");
        const left = { ...person, identities: identities.filter((each) => each !== gone) };
        keepAWayIn(left, offered);
        await tx.delete(identityOwners, GLOBAL, identityKey(gone));
        await tx.put(people, GLOBAL, person.id, left);
        const before = { provider: gone.provider, label: gone.label };
        note({ action: "person.provider_disconnected", target: targetOf(signedIn.user), before });
      }),
  };
}

/** Adds an identity to a person. It must not belong to anybody yet. */
export async function addIdentity(
  tx: Transaction,
  person: Person,
  provider: string,
  { issuer, subject, label }: Claims,
  now: number,
): Promise<Person> {
  const identity: Identity = { provider, issuer, subject, label, createdAt: now };
  const added = { ...person, identities: [...(person.identities ?? []), identity] };
  await tx.insert(identityOwners, GLOBAL, identityKey(identity), { personId: person.id });
  await tx.put(people, GLOBAL, person.id, added);
  return added;
}
