import type { AuditEntry } from "./model.ts";

/** Whose log is read: an account's, the instance's own (no account), or everything. */
export type Whose = { accountId: string | undefined } | "all";

export interface AuditFilter {
  action?: string | undefined;
  /** The user who did it, by id. */
  actor?: string | undefined;
  /** What it was done to, by id. */
  target?: string | undefined;
  outcome?: AuditEntry["outcome"] | undefined;
  /** From then on, and before; milliseconds since the epoch. */
  since?: number | undefined;
  until?: number | undefined;
  /** Part of a name, an id, an address or an action, whatever its case. */
  query?: string | undefined;
}

export function matcher(filter: AuditFilter): (entry: AuditEntry) => boolean {
  const part = filter.query?.toLowerCase();
  return (entry) =>
    (filter.action ?? entry.action) === entry.action &&
    (filter.actor ?? entry.actor.userId) === entry.actor.userId &&
    (filter.target ?? entry.target.id) === entry.target.id &&
    (filter.outcome ?? entry.outcome) === entry.outcome &&
    (part === undefined || textOf(entry).includes(part));
}

function textOf({ id, accountId, action, actor, target }: AuditEntry): string {
  const { userId, name, credential, address, requestId } = actor;
  return [id, accountId, action, target.id, target.name, userId, name, credential?.id, address, requestId]
    .join("\n")
    .toLowerCase();
}
