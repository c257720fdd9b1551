import { projects } from "../../accounts/model.ts";
import type { Projects } from "../../accounts/projects/projects.ts";
import { allows, type Caller } from "../../contract/caller.ts";
import { accountSpace, type Store } from "../../store/store.ts";

/**
 * Returns the project that a caller's calls count in, created if missing. A caller without the write scope cannot create
 * one by naming it: its calls count in `default`. Rejects with `conflict` if the account is full, and with
 * `project_archived`.
 */
export async function countedProject(
  {
    store,
    getOrCreateProject,
  }: { store: Pick<Store, "transact">; getOrCreateProject: Projects["getOrCreate"] },
  { accountId, projectId, credential }: Pick<Caller, "accountId" | "projectId" | "credential">,
): Promise<string> {
  if (projectId === "default" || allows(credential.scopes, "write")) {
    await getOrCreateProject(accountId, projectId);
    return projectId;
  }
  const isThere = await store.transact((tx) => tx.has(projects, accountSpace(accountId), projectId));
  return isThere ? projectId : "default";
}
