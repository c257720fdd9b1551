import type { AuditTrail } from "../../audit/trail.ts";
import { accountSpace, projectSpace, type Space, type Store, type Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import { revocationOf } from "../credentials/api-keys.ts";
import { deleteCredentials } from "../credentials/key-secrets.ts";
import { apiKeys, projects } from "../model.ts";
import { type Projects, SETTLED_MS } from "../projects/projects.ts";
import type { Manager } from "../users/managers.ts";

/** Keys read in one transaction, few enough not to block other requests. */
const SLICE = 100;

export interface DeletedProject {
  /** Documents deleted by this request. */
  deleted: number;
  /** Keys bound to the project that this request ended. */
  keysEnded: number;
  /** Whether documents are left, so that the request must be repeated. */
  more: boolean;
}

/**
 * Returns a function that deletes a project with its documents and counters; the account's own counters stay. It
 * first blocks writes, then ends the project's keys, then deletes in batches. A repeated request resumes.
 */
export function createDeletingProject({
  store,
  audit,
  clock,
  projects: service,
  emptySpace,
  onProjectDeleted,
}: {
  store: Store;
  audit: AuditTrail;
  clock: Pick<Clock, "now">;
  projects: Projects;
  /** Deletes a bounded number of documents and, once none is left, the counters. */
  emptySpace: (space: Space) => Promise<{ deleted: number; more: boolean }>;
  /** Deletes what is kept of a project outside of its space. */
  onProjectDeleted?: (tx: Transaction, project: { accountId: string; projectId: string }) => Promise<void>;
}): (by: Manager, projectId: string) => Promise<DeletedProject> {
  return async (by, projectId) => {
    const { accountId } = by;
    const since = await service.beginDeletion(by, projectId);
    const keysEnded = await endKeys(by, projectId);
    // Another server on this store may still accept writes to the project.
    if (Math.abs(clock.now() - since) < SETTLED_MS) return { deleted: 0, keysEnded, more: true };
    const space = projectSpace(accountId, projectId);
    const { deleted, more } = await emptySpace(space);
    if (more) return { deleted, keysEnded, more };
    await store.transact(async (tx) => {
      await onProjectDeleted?.(tx, { accountId, projectId });
      await tx.delete(projects, accountSpace(accountId), projectId);
    });
    return { deleted, keysEnded, more };
  };

  async function endKeys(by: Manager, projectId: string): Promise<number> {
    const space = accountSpace(by.accountId);
    let ended = 0;
    for (let after: string | undefined; ; ) {
      const page = { limit: SLICE, order: "ascending", ...defined({ after }) } as const;
      const keys = await store.transact((tx) => tx.list(apiKeys, space, page));
      const bound = keys.filter(({ value }) => value.projectId === projectId);
      if (bound.length > 0) {
        await audit.transact(by, async (tx, note) => {
          for (const { id } of bound) {
            const key = await tx.get(apiKeys, space, id);
            if (key?.projectId !== projectId) continue;
            await tx.delete(apiKeys, space, id);
            await deleteCredentials(tx, by.accountId, key, clock.now());
            note(revocationOf(key));
          }
        });
        ended += bound.length;
      }
      after = keys.at(-1)?.id;
      if (keys.length < SLICE) return ended;
    }
  }
}
