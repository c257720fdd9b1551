import type { CredentialKind, Scope } from "../contract/caller.ts";
import { collection } from "../store/store.ts";

/** Who did something, or tried to: the identifying part of `Caller`. */
export interface Actor {
  /** Absent if nobody is signed in yet, or if the server acts by itself. */
  accountId?: string | undefined;
  userId?: string | undefined;
  credential?: { kind: CredentialKind; id: string; scopes?: readonly Scope[] } | undefined;
  /** The display name at that time, filled in by the trail. */
  name?: string | undefined;
  /** Empty if the server acts by itself. */
  address: string;
  requestId: string;
}

/** The thing that was changed: `{ kind: "key", id: "key_…", name: "ci" }`. */
export interface Target {
  kind: string;
  id: string;
  /** The display name at that time. */
  name?: string | undefined;
}

/** A change, or a refused attempt. Immutable. */
export interface AuditEntry {
  /** Ids sort by time. */
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** The account whose log it is in, which is the changed one. Absent in the instance's log. */
  accountId?: string;
  actor: Actor;
  /** The kind of target and what was done to it: `key.created`. */
  action: string;
  target: Target;
  outcome: "done" | "refused";
  /** The old values of the members that changed, without secrets. `after` holds the new values. */
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

/** Sorts behind the id of every entry. */
export const AFTER_ALL = "aud_~";

/** In the space of an account's log, by the entry's id. */
export const auditEntries = collection<AuditEntry>("audit_entries");
/** In the space of an account's log, by `facetId`: an index of its entries. */
export const auditIndex = collection<true>("audit_index");
/** In `AUDIT`, by the entry's id: the account whose log it is in. */
export const auditOrder = collection<{ accountId?: string }>("audit_order");
/** In the space of an account's log: the number of entries on a day, by outcome and by user. */
export const auditDays = collection<{ count: number }>("audit_user_days");

export const auditCollections = [auditEntries, auditIndex, auditOrder, auditDays] as const;

/** The owner of all audit log spaces, so that entries do not count as storage of the accounts. */
export const AUDIT = "audit";

/** Returns the space of an account's log, or of the instance's. */
export function auditSpace(accountId: string | undefined): string {
  return `${AUDIT}/${accountId ?? "instance"}`;
}

/** The properties by which entries of a log are indexed. */
export type Facet = "action" | "actor" | "target" | "outcome";

/** Returns the id of an index entry. Ids with the same facet and value are adjacent and sort by time. */
export function facetId(facet: Facet, value: string, entryId: string): string {
  return `${facetPrefix(facet, value)}${entryId}`;
}

export function facetPrefix(facet: Facet, value: string): string {
  return `${facet}/${encodeURIComponent(value)}/`;
}
