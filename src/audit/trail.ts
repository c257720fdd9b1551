import { isDeepStrictEqual } from "node:util";
import { allows } from "../contract/caller.ts";
import { Problem } from "../contract/problem.ts";
import type { Store, Transaction } from "../store/store.ts";
import { iso } from "../system/clock.ts";
import { defined } from "../system/defined.ts";
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

const DAY_MS = 24 * 60 * 60_000;
/** Entries are kept so long. */
export const KEPT_MS = 400 * DAY_MS;
/** Entries of one log on one day and of one outcome: who makes more fills the store of everybody. */
const MAX_A_DAY = { user: 2_000, account: 5_000, instance: 100_000 };
/** Each user still makes so many in a log that is full: nobody keeps the others from what they must do. */
const LEFT_FOR_EACH = 100;
const COUNTER = "audit_days";

/** What happened, beside who did it. */
export interface Change {
  /** `key.created`. */
  action: string;
  target: Target;
  /** Whose log it belongs in; the actor's own unless said, `null` for the instance's. */
  accountId?: string | null;
  /** What the target was and is; only members that differ are kept. Nothing secret. */
  before?: object | undefined;
  after?: object | undefined;
  /** Who did it, where the transaction is what tells. */
  by?: Actor;
}

interface Known {
  name?: string | undefined;
  isOperator?: boolean;
}

/** Puts a change into the log, with whatever else the transaction does. */
export type Note = (change: Change) => void;

export interface AuditTrail {
  /**
   * A transaction of the store whose notes are committed with it, or not at all, and then told to the log as
   * JSON lines. `Problem` `rate_limited` where somebody has changed too much today.
   */
  transact<T>(
    by: Actor,
    work: (tx: Transaction, note: Note) => Promise<T>,
    as?: "answer" | "step",
  ): Promise<T>;
  /** What was tried and not allowed. No more is kept of them on a day than of changes. */
  refused(by: Actor, attempt: Pick<Change, "action" | "target" | "accountId">): Promise<void>;
}

/**
 * @param store what changes are made in.
 * @param whoActs what people know an actor by, and whether they run the server: then no bound of a day is theirs.
 */
export function createAuditTrail({
  store,
  whoActs = async () => undefined,
  random,
  log,
  onEntry = () => {},
}: {
  store: Store;
  whoActs?: (tx: Transaction, actor: Actor) => Promise<Known | undefined>;
  random: Random;
  log: Pick<Log, "info">;
  /** Hears of what was done, and of what was refused, be it that the log takes no more of that today. */
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
          // An operator's key that may do less is bounded like any other; who signs in has no key yet.
          const mayRun = !actor.credential || allows(actor.credential.scopes ?? [], "operator");
          if (!(await insert(tx, entry, known?.isOperator && mayRun))) throw tooMany();
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
      if (await store.transact((tx) => insert(tx, entry))) tell(entry);
    },
  };

  function entryOf(by: Actor, change: Change, outcome: AuditEntry["outcome"]): AuditEntry {
    const { action, target, accountId = by.accountId } = change;
    const { userId, name, credential, address, requestId } = by;
    const id = random.id("aud");
    return {
      id,
      // Entries are found from a time on by their ids: a second reading of the clock may be later.
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

  /** False, and nothing written, where the log takes no more today. */
  async function insert(tx: Transaction, entry: AuditEntry, isOperator = false): Promise<boolean> {
    const { id, at, accountId, actor, action, target, outcome } = entry;
    const space = auditSpace(accountId);
    if (!(isOperator || (await hasRoom(tx, space, entry)))) return false;
    const lifetime = { expiresAt: at + KEPT_MS };
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

  /** Counts an entry; what the server does by itself is never too much. */
  async function hasRoom(tx: Transaction, space: string, entry: AuditEntry): Promise<boolean> {
    const { at, accountId, actor, outcome } = entry;
    const day = iso(at).slice(0, 10);
    const ofLog = await tx.increment(COUNTER, space, `${day}/${outcome}`, 1);
    const isFull = ofLog > MAX_A_DAY[accountId === undefined ? "instance" : "account"];
    if (outcome === "refused") return !isFull;
    if (actor.userId === undefined) return !isFull || actor.requestId === SERVER.requestId;
    const id = `${actor.userId}/${day}`;
    const count = ((await tx.get(auditDays, space, id))?.count ?? 0) + 1;
    await tx.put(auditDays, space, id, { count }, { expiresAt: at + 2 * DAY_MS });
    return count <= (isFull ? LEFT_FOR_EACH : MAX_A_DAY.user);
  }

  function tell(entry: AuditEntry): void {
    log.info({ audit: { ...entry, at: iso(entry.at) } }, entry.action);
  }
}

/** Who acts where the server does something by itself. */
export const SERVER: Actor = { address: "", requestId: "" };

/** Only what changed, so that an entry reads as what was done. */
function differences({ before, after }: Change): Pick<AuditEntry, "before" | "after"> {
  const [left, right] = [recordOf(before), recordOf(after)];
  const isSame = (name: string) => before && after && isDeepStrictEqual(left[name], right[name]);
  const of = (side: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(side).filter(([name, value]) => value !== undefined && !isSame(name)));
  return { ...(before && { before: of(left) }), ...(after && { after: of(right) }) };
}

function recordOf(value: object | undefined): Record<string, unknown> {
  const record = { ...value } as Record<string, unknown>;
  const secret = Object.keys(record).find((name) => /(hash|secret)$/i.test(name));
  if (secret) throw new Error(`"${secret}" must not come into the audit log`);
  return record;
}

function tooMany(): Problem {
  return new Problem(
    "rate_limited",
    "You or your account did more today than its audit log takes in a day. Go on tomorrow (UTC).",
    { members: { window: "audit" } },
  );
}
