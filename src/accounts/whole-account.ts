import { allows, type Caller } from "../contract/caller.ts";
import { Problem } from "../contract/problem.ts";
import { insufficientScope } from "./insufficient-scope.ts";

/** Returns the caller's account id. Throws for a key bound to a project, which administers nothing beyond it. */
export function wholeAccount({ accountId, credential }: Pick<Caller, "accountId" | "credential">): string {
  if (credential.projectId === undefined) return accountId;
  throw new Problem(
    "forbidden",
    `This key is bound to the project "${credential.projectId}"; this needs one that is not.`,
  );
}

/**
 * Returns the account that a request is about: the caller's, or the one that an operator names. Throws for others, and
 * for a key that is bound to a project. `what` begins the sentence that refuses them: `Keys`.
 */
export function accountAsked(caller: Caller, asked: string | undefined, what: string): string {
  const own = wholeAccount(caller);
  if (asked === undefined || asked === own || allows(caller.credential.scopes, "operator")) {
    return asked ?? own;
  }
  throw insufficientScope("operator", `${what} of other accounts need the scope "operator".`);
}

/** Throws `Problem` `forbidden` for a bound key, because a sign-in started with it would not be bound. */
export function checkSignsIn({
  credential: { projectId, tools, addresses },
}: Pick<Caller, "credential">): void {
  if (projectId === undefined && tools === undefined && addresses === undefined) return;
  const bound = projectId !== undefined ? `the project "${projectId}"` : tools ? "tools" : "addresses";
  throw new Problem("forbidden", `This key is bound to ${bound}, and signs nobody in.`);
}
