import { isDeepStrictEqual } from "node:util";
import { allows } from "../contract/caller.ts";
import type { Problem } from "../contract/problem.ts";
import { rateLimited } from "../contract/retry-later.ts";
import type { Role, Store, Transaction } from "../store/store.ts";
import { iso } from "../system/clock.ts";
import { defined } from "../system/defined.ts";
import { DAY_MS } from "../system/durations.ts";
import type { Log } from "../system/log.ts";
import { type Random, timeOfId } from "../system/random.ts";
import {
  type Actor,
  AUDIT,
  type AuditEntry,
  auditDays,
  auditEntries,
  auditIndex,
  auditOrder,
  auditSpace,
  facetId,
  type Target,
} from "./model.ts";

/** How long entries are kept. */
export const KEPT_MS = 400 * DAY_MS;
/** The most entries a day: changes of one user in a log, and entries of one outcome in a log. Protects the store. */
const MAX_A_DAY = { user: 2_000, account: 5_000, instance: 100_000 };
/**
 * What strangers cause fills a log from outside, a few kilobytes at a time: it is kept for less long, and at most this
 * often in a log and day, by outcome. What comes beyond is in the server's log alone, and takes no room from users.
 */
const OF_STRANGERS = { keptMs: 30 * DAY_MS, maxADay: 1_000 };
/** Entries that each user may still make in a full log, so that nobody blocks the others' necessary work. */
const LEFT_FOR_EACH = 100;
/**
 * They take away what an earlier entry has given, so there are no more of them than of those, and no limit refuses one:
 * whoever fills the log with a stolen credential must not keep its owner from ending it.
 */
const ENDINGS = new Set([
  "session.ended",
  "device.revoked",
  "device.signed_out",
  "device.ended_by_reuse",
  "key.revoked",
  "person.passkey_removed",
  "person.provider_disconnected",
  "user.invitation_withdrawn",
  "user.left",
  "user.removed",
]);

/** A change to note. The actor comes from the transaction. */
export interface Change {
  /** `key.created`. */
  action: string;
  target: Target;
  /** The account whose log it belongs in. Defaults to the actor's; `null` for the instance's. */
  accountId?: string | null;
  /**
   * The old and new state of the target, without secrets. Only members that differ are kept. If both are given and none
   * differs, the change is not noted.
   */
  before?: object | undefined;
  after?: object | undefined;
  /** The actor, if it is only known within the transaction. */
  by?: Actor;
}

interface Known {
  name?: string | undefined;
  isOperator?: boolean;
}

/** Adds a change to the log, as part of the transaction. */
export type Note = (change: Change) => void;

export interface AuditTrail {
  /**
   * Runs a store transaction and commits its notes with it. The committed entries are then written to the server's log
   * as JSON lines. `Problem` `rate_limited` if the actor or the account has made too many changes today.
   */
  transact<T>(by: Actor, work: (tx: Transaction, note: Note) => Promise<T>, as?: Role): Promise<T>;
  /** Records a refused attempt. These have a daily limit of their own, as high as that of changes. */
  refused(by: Actor, attempt: Pick<Change, "action" | "target" | "accountId">): Promise<void>;
}

/**
 * @param store the store that the changes are made in.
 * @param whoActs returns an actor's display name, and whether they are the operator, who has no daily limit.
 */
export function createAuditTrail({
  store,
  whoActs = async () => undefined,
  random,
  log,
  follow = async () => {},
  onEntry = () => {},
}: {
  store: Store;
  whoActs?: (tx: Transaction, actor: Actor) => Promise<Known | undefined>;
  random: Random;
  log: Pick<Log, "info">;
  /** Does what must be committed together with the entry of a change. */
  follow?: ((tx: Transaction, entry: AuditEntry) => Promise<void>) | undefined;
  /** Called for each entry, also for refused attempts that exceed the daily limit and are not stored. */
  onEntry?: ((entry: Pick<AuditEntry, "action" | "outcome">) => void) | undefined;
}): AuditTrail {
  return {
    async transact(by, work, as) {
      let entries: AuditEntry[] = [];
      const result = await store.transact(async (tx) => {
        const changes: Change[] = [];
        const given = await work(tx, (change) => changes.push(change));
        entries = [];
        for (const change of changes) {
          const actor = change.by ?? by;
          const known = await whoActs(tx, actor);
          const entry = entryOf({ ...actor, name: known?.name }, change, "done");
          if (hasNoDifference(entry)) continue;
          // An operator's credential without the operator scope is limited like any other.
          // A browser that signs in has no credential yet.
          const mayRun = !actor.credential || allows(actor.credential.scopes ?? [], "operator");
          const isKept = await insert(tx, entry, known?.isOperator && mayRun);
          if (!isKept && !isByStranger(entry)) throw tooMany(entry.at);
          await follow(tx, entry);
          entries.push(entry);
        }
        return given;
      }, as);
      for (const entry of entries) {
        tell(entry);
        onEntry(entry);
      }
      return result;
    },
    async refused(by, attempt) {
      const entry = entryOf(by, attempt, "refused");
      onEntry(entry);
      const isKept = await store.transact((tx) => insert(tx, entry));
      if (isKept || isByStranger(entry)) tell(entry);
    },
  };

  function entryOf(by: Actor, change: Change, outcome: AuditEntry["outcome"]): AuditEntry {
    const { action, target, accountId = by.accountId } = change;
    const { userId, name, credential, address, requestId } = by;
    const id = random.id("aud");
    return {
      id,
      // Searches by time compare ids, so `at` must equal the id's time. The clock could have advanced.
      at: timeOfId(id),
      ...(accountId != null && { accountId }),
      actor: {
        accountId: by.accountId,
        userId,
        ...defined({ name }),
        credential: credential && { kind: credential.kind, id: credential.id },
        address,
        requestId,
      },
      action,
      target,
      outcome,
      ...differences(change),
    };
  }

  /** Inserts an entry. Returns false, without writing it, if the daily limit is reached. */
  async function insert(tx: Transaction, entry: AuditEntry, isOperator = false): Promise<boolean> {
    const { id, at, accountId, actor, action, target, outcome } = entry;
    const space = auditSpace(accountId);
    if (!(isOperator || (await hasRoom(tx, space, entry)))) return false;
    const lifetime = { expiresAt: at + (isByStranger(entry) ? OF_STRANGERS.keptMs : KEPT_MS) };
    await tx.insert(auditEntries, space, id, entry, lifetime);
    await tx.insert(auditOrder, AUDIT, id, accountId === undefined ? {} : { accountId }, lifetime);
    const facets = [
      facetId("action", action, id),
      ...(actor.userId === undefined ? [] : [facetId("actor", actor.userId, id)]),
      facetId("target", target.id, id),
      ...(outcome === "done" ? [] : [facetId("outcome", outcome, id)]),
    ];
    for (const facet of facets) await tx.insert(auditIndex, space, facet, true, lifetime);
    return true;
  }

  /** Counts an entry and reports whether it is within the daily limits. The server's own changes always are. */
  async function hasRoom(tx: Transaction, space: string, entry: AuditEntry): Promise<boolean> {
    const { at, accountId, actor, action, outcome } = entry;
    if (outcome === "done" && ENDINGS.has(action)) return true;
    const day = iso(at).slice(0, 10);
    /** Counts one more of a kind, unless there are `most` already. Returns whether it did. */
    const count = async (kind: string, most: number) => {
      const id = `${kind}/${day}`;
      const counted = ((await tx.get(auditDays, space, id))?.count ?? 0) + 1;
      if (counted > most) return false;
      await tx.put(auditDays, space, id, { count: counted }, { expiresAt: at + 2 * DAY_MS });
      return true;
    };
    if (isByStranger(entry)) return count(`strangers/${outcome}`, OF_STRANGERS.maxADay);
    const isFull = !(await count(outcome, MAX_A_DAY[accountId === undefined ? "instance" : "account"]));
    if (outcome === "refused") return !isFull;
    if (actor.userId === undefined) return !isFull || actor.requestId === SERVER.requestId;
    const kind = takesProof(entry) ? `${actor.userId}/proven` : actor.userId;
    return count(kind, isFull ? LEFT_FOR_EACH : MAX_A_DAY.user);
  }

  function tell(entry: AuditEntry): void {
    log.info({ audit: { ...entry, at: iso(entry.at) } }, entry.action);
  }
}

/**
 * Whether anybody may cause such an entry: an attempt in vain without a credential, or a change of the instance, as when
 * a client registers itself. What a token or a code does in an account's log is its user's, though no user is named.
 */
function isByStranger({ accountId, actor, outcome }: AuditEntry): boolean {
  if (actor.userId !== undefined || actor.requestId === SERVER.requestId) return false;
  return accountId === undefined || outcome === "refused";
}

/** Whether somebody has just proven who they are. That counts apart, so that a credential alone does not use it up. */
function takesProof({ action, after }: AuditEntry): boolean {
  return action === "person.password_set" || (action === "session.started" && after?.by !== "switch");
}

/** The actor of changes that the server makes by itself. */
export const SERVER: Actor = { address: "", requestId: "" };

/** Returns the members that differ. */
function differences({ before, after }: Change): Pick<AuditEntry, "before" | "after"> {
  const [left, right] = [recordOf(before), recordOf(after)];
  const isSame = (name: string) => before && after && isDeepStrictEqual(left[name], right[name]);
  const of = (side: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(side).filter(([name, value]) => value !== undefined && !isSame(name)));
  return { ...(before && { before: of(left) }), ...(after && { after: of(right) }) };
}

/** Whether a request set what was set already. */
function hasNoDifference({ before, after }: AuditEntry): boolean {
  return before !== undefined && after !== undefined && Object.keys({ ...before, ...after }).length === 0;
}

function recordOf(value: object | undefined): Record<string, unknown> {
  const record = { ...value } as Record<string, unknown>;
  const secret = Object.keys(record).find((name) => /(hash|secret)$/i.test(name));
  if (secret) throw new Error(`"${secret}" must not come into the audit log`);
  return record;
}

function tooMany(at: number): Problem {
  return rateLimited(
    "You or your account did more today than its audit log takes in a day. Go on tomorrow (UTC).",
    "audit",
    Math.ceil((DAY_MS - (at % DAY_MS)) / 1000),
  );
}
