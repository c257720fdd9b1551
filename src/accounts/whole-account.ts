import type { Caller } from "../contract/caller.ts";
import { Problem } from "../contract/problem.ts";

/** Returns the caller's account id. Throws for a key bound to a project, which administers nothing beyond it. */
export function wholeAccount({ accountId, credential }: Pick<Caller, "accountId" | "credential">): string {
  if (credential.projectId === undefined) return accountId;
  throw new Problem(
    "forbidden",
    `This key is bound to the project "${credential.projectId}"; this needs one that is not.`,
  );
}

/** Throws `Problem` `forbidden` for a bound key, because a sign-in started with it would not be bound. */
export function checkSignsIn({
  credential: { projectId, tools, addresses },
}: Pick<Caller, "credential">): void {
  if (projectId === undefined && tools === undefined && addresses === undefined) return;
  const bound = projectId !== undefined ? `the project "${projectId}"` : tools ? "tools" : "addresses";
  throw new Problem("forbidden", `This key is bound to ${bound}, and signs nobody in.`);
}

/** Throws `Problem` `forbidden` for an API key, for what only people may do: close an account, hand it over or leave it. */
export function inPerson({ credential }: Pick<Caller, "credential">): void {
  if (credential.kind !== "api_key") return;
  throw new Problem("forbidden", "An API key cannot do this. Sign in (tool login) and do it yourself.");
}
