import { Problem } from "../../contract/problem.ts";
import type { Person } from "../model.ts";

/** The ways to sign in that this server offers besides passwords. */
export interface WaysOffered {
  mail: boolean;
  passkeys: boolean;
  /** The names of the providers. */
  providers: readonly string[];
}

/** Throws `Problem` `conflict` if the person would have no way to sign in. */
export function keepAWayIn(person: Person, offered: WaysOffered): void {
  const { email, passwordHash, passkeys, identities } = person;
  const byAddress = email !== undefined && (offered.mail || passwordHash !== undefined);
  const byPasskey = offered.passkeys && (passkeys?.length ?? 0) > 0;
  const byProvider = identities?.some(({ provider }) => offered.providers.includes(provider));
  if (byAddress || byPasskey || byProvider) return;
  throw new Problem("conflict", "This is your last way in. Add another one first.");
}
