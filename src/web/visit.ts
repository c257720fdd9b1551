import type { SignedIn } from "../accounts/sign-in/sign-in.ts";
import type { Manager } from "../accounts/users/managers.ts";
import type { Caller } from "../contract/caller.ts";

/** A browser's visit of a page. */
export interface Visit {
  /** Absent if nobody is signed in. */
  signedIn?: SignedIn;
  /** The caller for the forms of the page; absent if nobody is signed in. */
  by?: Manager & Pick<Caller, "credential">;
  /** The token that each form of the page must send back. */
  formToken: string;
}

export interface SignedInVisit extends Visit {
  signedIn: SignedIn;
  by: NonNullable<Visit["by"]>;
}

export function isSignedIn(visit: Visit): visit is SignedInVisit {
  return visit.signedIn !== undefined && visit.by !== undefined;
}

/** Whether an operator impersonates a user. */
export function isImpersonated(visit: Visit): visit is SignedInVisit {
  return visit.signedIn?.operator !== undefined;
}
