import type { Caller } from "../contract/caller.ts";
import { Problem } from "../contract/problem.ts";

/** The caller's account, unless the credential is a key for one project: that one administers nothing beyond. */
export function wholeAccount({ accountId, credential }: Pick<Caller, "accountId" | "credential">): string {
  if (credential.projectId === undefined) return accountId;
  throw new Problem(
    "forbidden",
    `This key is bound to the project "${credential.projectId}"; this needs one that is not.`,
  );
}

/** `Problem` `forbidden` for a bound key: whomever it signed in would be bound to nothing. */
export function checkSignsIn({
  credential: { projectId, tools, addresses },
}: Pick<Caller, "credential">): void {
  if (projectId === undefined && tools === undefined && addresses === undefined) return;
  const bound = projectId !== undefined ? `the project "${projectId}"` : tools ? "tools" : "addresses";
  throw new Problem("forbidden", `This key is bound to ${bound}, and signs nobody in.`);
}
