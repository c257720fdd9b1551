import type { Actor } from "../../../audit/model.ts";
import type { Scope } from "../../../contract/caller.ts";
import type { Account, BrowserSession, Person, User } from "../../model.ts";

/** The browser that sends a request. */
export interface Visitor {
  address: string;
  userAgent: string;
  requestId: string;
}

/** A session that has just begun. The secret goes into the cookie and is not stored. */
export interface StartedSession {
  secret: string;
  /** Milliseconds since the epoch, like every time here. */
  expiresAt: number;
  /** The session that it took the place of, where the account had as many as it may. */
  ended?: string;
}

/** The account and user that a browser is signed in as. */
export interface SignedIn {
  account: Account;
  user: User;
  /** Holds the accounts that they can switch to. */
  person: Person;
  /** The scopes that the user has, and may approve for a device. */
  scopes: readonly Scope[];
  session: BrowserSession;
  /** The operator, if one impersonates this user. `session` is then the operator's. */
  operator?: SignedIn;
}

/** Returns the audit log's actor for a browser's request. */
export function actorOf({ address, requestId }: Visitor, user?: Pick<User, "id" | "accountId">): Actor {
  return { address, requestId, ...(user && { accountId: user.accountId, userId: user.id }) };
}
