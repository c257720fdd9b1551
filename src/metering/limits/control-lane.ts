import type { Account } from "../../accounts/model.ts";
import { allows, type Caller, lastingIdOf } from "../../contract/caller.ts";
import { controlWindow, type NamedWindow } from "./rate-limit.ts";

/** The caller of a request in the control lane. */
export interface ControlCaller {
  account: Account;
  credential: Pick<Caller["credential"], "kind" | "id" | "scopes" | "familyId">;
}

/** Number of credentials of an account that can use up their windows at the same time. */
const CEILING = 20;

/**
 * Returns the rate-limit windows of the control lane (docs/decisions/0012-the-control-lane.md): the credential's own,
 * and a ceiling shared by the account's credentials of the same class. Operators have no ceiling.
 *
 * @param leastPerMinute lower bound for a credential, raised to the plan's minute if that is more
 * @param planPerMinute requests per minute allowed by the account's plan and custom limits
 */
export function controlWindows(
  caller: ControlCaller,
  leastPerMinute: number,
  planPerMinute: number,
): NamedWindow[] {
  const perMinute = Math.max(leastPerMinute, planPerMinute);
  const own = controlWindow(controlSubject(caller), "control", perMinute);
  const like = likeOf(caller.credential);
  if (like === undefined) return [own];
  const ceiling = Math.max(CEILING * leastPerMinute, perMinute);
  return [own, controlWindow(`control/${caller.account.id}/${like}`, "control-account", ceiling)];
}

/** Returns the subject of the window: a key, a browser session, or all tokens of one sign-in. */
export function controlSubject({ credential }: ControlCaller): string {
  return `control/${lastingIdOf(credential)}`;
}

/**
 * Returns the class of a credential. Admins are separate from members, and browsers from programs, so that neither
 * members nor programs can use up the ceiling of an admin's browser.
 */
function likeOf({ kind, scopes }: ControlCaller["credential"]): string | undefined {
  if (allows(scopes, "operator")) return undefined;
  return `${kind === "session" ? "browsers" : "programs"}${allows(scopes, "admin") ? "-of-admins" : ""}`;
}
