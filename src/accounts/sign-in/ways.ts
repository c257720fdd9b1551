import { Problem } from "../../contract/problem.ts";
import { MINUTE_MS } from "../../system/durations.ts";
import type { BrowserSession, Person } from "../model.ts";

/** The ways to sign in that this server offers besides passwords. */
export interface WaysOffered {
  mail: boolean;
  passkeys: boolean;
  /** The names of the providers. */
  providers: readonly string[];
}

/** How long after signing in somebody may add a way to sign in. */
export const PROVEN_MS = 15 * MINUTE_MS;

/** Throws `Problem` `conflict` if the person would have no way to sign in. */
export function keepAWayIn(person: Person, offered: WaysOffered): void {
  if (hasAWayIn(person, offered)) return;
  throw new Problem("conflict", "This is your last way in. Add another one first.");
}

/**
 * Whether a way to sign in may be added: soon after signing in, since whoever steals a session would stay by it, and at
 * any time by a person who could not sign in again.
 */
export function mayAddAWay(
  { person, session }: { person: Person; session: Pick<BrowserSession, "createdAt"> },
  offered: WaysOffered,
  now: number,
): boolean {
  return now - session.createdAt <= PROVEN_MS || !hasAWayIn(person, offered);
}

/** Throws `Problem` `forbidden` unless a way to sign in may be added. */
export function checkMayAddAWay(...asked: Parameters<typeof mayAddAWay>): void {
  if (mayAddAWay(...asked)) return;
  throw new Problem(
    "forbidden",
    "Sign out and in again first: a way to sign in is added within 15 minutes of signing in.",
  );
}

function hasAWayIn({ email, passwordHash, passkeys, identities }: Person, offered: WaysOffered): boolean {
  const byAddress = email !== undefined && (offered.mail || passwordHash !== undefined);
  const byPasskey = offered.passkeys && (passkeys?.length ?? 0) > 0;
  const byProvider = identities?.some(({ provider }) => offered.providers.includes(provider));
  return byAddress || byPasskey || byProvider === true;
}
