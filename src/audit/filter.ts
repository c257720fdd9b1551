import type { AuditEntry } from "./model.ts";

/** The log to read: an account's, the instance's own (without an account), or all logs. */
export type Whose = { accountId: string | undefined } | "all";

export interface AuditFilter {
  action?: string | undefined;
  /** The id of the user who made the change. */
  actor?: string | undefined;
  /** The id of the changed thing. */
  target?: string | undefined;
  outcome?: AuditEntry["outcome"] | undefined;
  /** With `until`, a half-open interval in milliseconds since the epoch. */
  since?: number | undefined;
  until?: number | undefined;
  /** A part of a name, an id, an address or an action; case is ignored. */
  query?: string | undefined;
  /** Names and ids of a person in lower case, one of which is exactly the actor's or the target's. */
  person?: ReadonlySet<string> | undefined;
}

export function matcher(filter: AuditFilter): (entry: AuditEntry) => boolean {
  const part = filter.query?.toLowerCase();
  return (entry) =>
    (filter.action ?? entry.action) === entry.action &&
    (filter.actor ?? entry.actor.userId) === entry.actor.userId &&
    (filter.target ?? entry.target.id) === entry.target.id &&
    (filter.outcome ?? entry.outcome) === entry.outcome &&
    (part === undefined || textOf(entry).includes(part)) &&
    (filter.person === undefined || isBy(filter.person, entry) || isAbout(filter.person, entry));
}

/** Whether somebody of these names and ids did it. */
export function isBy(person: ReadonlySet<string>, { actor }: AuditEntry): boolean {
  const { userId = "", name = "" } = actor;
  return person.has(userId) || person.has(name.toLowerCase());
}

/** Whether it was done to somebody of these names and ids. */
export function isAbout(person: ReadonlySet<string>, { target: { id, name = "" } }: AuditEntry): boolean {
  return person.has(id.toLowerCase()) || person.has(name.toLowerCase());
}

function textOf({ id, accountId, action, actor, target }: AuditEntry): string {
  const { userId, name, credential, address, requestId } = actor;
  return [id, accountId, action, target.id, target.name, userId, name, credential?.id, address, requestId]
    .join("\n")
    .toLowerCase();
}
