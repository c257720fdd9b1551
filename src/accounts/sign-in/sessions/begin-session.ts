import type { Change, Note } from "../../../audit/trail.ts";
import { GLOBAL, type Transaction } from "../../../store/store.ts";
import { defined } from "../../../system/defined.ts";
import { type BrowserSession, type Person, people, type User } from "../../model.ts";
import { activeUser, personOf, targetOf } from "../../people.ts";
import type { BrowserSessions } from "./browser-sessions.ts";
import type { SignedIn, StartedSession, Visitor } from "./signed-in.ts";

/** Begins a session of a user, as part of a transaction. */
export type BeginSession = (
  tx: Transaction,
  note: Note,
  user: User,
  startedBy: BrowserSession["startedBy"],
  visitor: Visitor,
  /** The action to note if it is more than a sign-in, and the sign-in that it continues, if any, whose session ends. */
  more?: Pick<Change, "after"> & {
    action?: string;
    continues?: Pick<SignedIn, "account" | "session"> | undefined;
  },
) => Promise<StartedSession>;

export function createBeginSession(sessions: Pick<BrowserSessions, "start">): BeginSession {
  return async (
    tx,
    note,
    user,
    startedBy,
    visitor,
    { action = "session.started", after, continues } = {},
  ) => {
    const person = await personOf(tx, user);
    // The most recently used account comes first, and later sign-ins lead there.
    if (person && person.memberships[0]?.accountId !== user.accountId) {
      const isHere = ({ accountId }: { accountId: string }) => accountId === user.accountId;
      const memberships = [
        ...person.memberships.filter(isHere),
        ...person.memberships.filter((other) => !isHere(other)),
      ];
      await tx.put(people, GLOBAL, person.id, { ...person, memberships });
    }
    const { accountId, id: userId } = user;
    const started = await sessions.start(tx, { accountId, userId }, startedBy, visitor, continues);
    const { ended } = started;
    note({
      action,
      target: targetOf(user),
      accountId,
      after: { by: startedBy, ...after, ...defined({ ended }) },
    });
    return started;
  };
}

/** Returns the person's most recently used user that is not suspended. */
export async function lastUser(tx: Transaction, person: Person): Promise<User | undefined> {
  for (const { accountId, userId } of person.memberships) {
    const user = await activeUser(tx, accountId, userId);
    if (user) return user;
  }
  return undefined;
}
