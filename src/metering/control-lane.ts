import type { Account } from "../accounts/model.ts";
import { allows, type Caller } from "../contract/caller.ts";
import { controlWindow, type NamedWindow } from "./rate-limit.ts";

/** Who comes in the control lane. */
export interface ControlCaller {
  account: Account;
  credential: Pick<Caller["credential"], "kind" | "id" | "scopes" | "familyId">;
}

/** How many credentials of an account may use their windows up at once. */
const CEILING = 20;

/**
 * The windows of what people need to get out of trouble (docs/decisions/0012-the-control-lane.md): the
 * credential's own, and a ceiling that an account's credentials share with their like alone. Whoever owns this
 * instance has no ceiling.
 *
 * @param leastPerMinute of a credential; one of a plan that admits more has its plan's minute.
 * @param planPerMinute what the account's plan and its own limits admit.
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

/** A key, a browser session, or all tokens of one sign-in. */
export function controlSubject({ credential }: ControlCaller): string {
  return `control/${credential.familyId ?? credential.id}`;
}

/** What programs and members do never counts against an admin's browser, nor what members do against an admin's key. */
function likeOf({ kind, scopes }: ControlCaller["credential"]): string | undefined {
  if (allows(scopes, "operator")) return undefined;
  return `${kind === "session" ? "browsers" : "programs"}${allows(scopes, "admin") ? "-of-admins" : ""}`;
}
