import type { CredentialKind, Scope } from "../contract/caller.ts";
import { collection } from "../store/store.ts";

/** Who did something, or tried to: as much of `Caller` as tells. */
export interface Actor {
  /** Absent where nobody is signed in yet, or the server acts by itself. */
  accountId?: string | undefined;
  userId?: string | undefined;
  credential?: { kind: CredentialKind; id: string; scopes?: readonly Scope[] } | undefined;
  /** As people knew them at that time; kept by the trail. */
  name?: string | undefined;
  /** Empty where the server acts by itself. */
  address: string;
  requestId: string;
}

/** What a change was made to: `{ kind: "key", id: "key_…", name: "ci" }`. */
export interface Target {
  kind: string;
  id: string;
  /** As people knew it at that time. */
  name?: string | undefined;
}

/** One change, or one attempt that was refused. Never changed afterwards. */
export interface AuditEntry {
  /** Later ones sort later. */
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** Whose log it stands in: the account that was changed; absent for what belongs to the instance. */
  accountId?: string;
  actor: Actor;
  /** `key.created`: what it was done to, and what was done. */
  action: string;
  target: Target;
  outcome: "done" | "refused";
  /** The members that differ, and only those; nothing secret. */
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

/** In the space of an account's log, by the entry's id. */
export const auditEntries = collection<AuditEntry>("audit_entries");
/** In the space of an account's log: where its entries are found, as `facetId` writes it. */
export const auditIndex = collection<true>("audit_index");
/** In `AUDIT`, by the entry's id: whose log it stands in. */
export const auditOrder = collection<{ accountId?: string }>("audit_order");
/** In the space of an account's log: how much a user did on a day. */
export const auditDays = collection<{ count: number }>("audit_user_days");

export const auditCollections = [auditEntries, auditIndex, auditOrder, auditDays] as const;

/** Beside the accounts, whose documents these are not: what an account may store is its own. */
export const AUDIT = "audit";

/** Where the log of an account is, or the instance's own. */
export function auditSpace(accountId: string | undefined): string {
  return `${AUDIT}/${accountId ?? "instance"}`;
}

/** What entries of one log can be looked up by. */
export type Facet = "action" | "actor" | "target" | "outcome";

/** Ids of one facet and value lie together, in the order of time. */
export function facetId(facet: Facet, value: string, entryId: string): string {
  return `${facetPrefix(facet, value)}${entryId}`;
}

export function facetPrefix(facet: Facet, value: string): string {
  return `${facet}/${encodeURIComponent(value)}/`;
}
