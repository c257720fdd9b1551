import { Problem } from "../../contract/problem.ts";
import type { Person } from "../model.ts";

/** Which ways in this server offers beside the password. */
export interface WaysOffered {
  mail: boolean;
  passkeys: boolean;
  /** Their names. */
  providers: readonly string[];
}

/** `Problem` `conflict` where somebody would have no way in any more. */
export function keepAWayIn(person: Person, offered: WaysOffered): void {
  const { email, passwordHash, passkeys, identities } = person;
  const byAddress = email !== undefined && (offered.mail || passwordHash !== undefined);
  const byPasskey = offered.passkeys && (passkeys?.length ?? 0) > 0;
  const byProvider = identities?.some(({ provider }) => offered.providers.includes(provider));
  if (byAddress || byPasskey || byProvider) return;
  throw new Problem("conflict", "This is your last way in. Add another one first.");
}
