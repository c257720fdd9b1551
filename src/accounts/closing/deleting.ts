import { type AuditTrail, SERVER } from "../../audit/trail.ts";
import {
  accountSpace,
  type Collection,
  GLOBAL,
  type Space,
  type Store,
  StoreUnavailable,
  type Transaction,
} from "../../store/store.ts";
import { type Clock, repeat } from "../../system/clock.ts";
import { HOUR_MS } from "../../system/durations.ts";
import type { Log } from "../../system/log.ts";
import { othersFirst } from "../../system/others-first.ts";
import { forgetEndedKeys } from "../credentials/ended-keys.ts";
import { deleteEndedKeys } from "../credentials/ending.ts";
import { leave } from "../memberships.ts";
import { accounts, accountUses, closedAccounts, users } from "../model.ts";
import { schedulePlan } from "../next-plan.ts";
import { deleteCounts } from "./delete-counts.ts";
import { spacesOf } from "./spaces.ts";

const EVERY_MS = HOUR_MS;
/** Documents deleted in one transaction, few enough not to block other requests. */
const SLICE = 100;

interface DeletingPorts {
  store: Store;
  audit: AuditTrail;
  clock: Clock;
  log: Pick<Log, "error">;
  /** All collections with documents of accounts. */
  collections: readonly Collection<unknown>[];
  /** The names of all counters of accounts. */
  counters: readonly string[];
  /** Deletes what is kept of a project outside of its space. */
  onProjectDeleted?: (tx: Transaction, project: { accountId: string; projectId: string }) => Promise<void>;
}

/** Deletes closed accounts that are due, at the start and every hour. Resumes after an interruption. */
export function deleteClosedAccounts(ports: DeletingPorts): { stop(): void } {
  const work = () =>
    deleteDue(ports).catch((err) => {
      if (!(err instanceof StoreUnavailable)) ports.log.error({ err }, "a closed account was not deleted");
    });
  return { stop: repeat(ports.clock, EVERY_MS, work, { atOnce: true }) };
}

/** Deletes the accounts that are due. Several servers on one store may run this concurrently. */
export async function deleteDue(ports: DeletingPorts): Promise<void> {
  const { store, clock } = ports;
  const closed = await store.transact((tx) => tx.list(closedAccounts, GLOBAL));
  for (const { id, value } of closed) if (value.deleteAt <= clock.now()) await deleteAccount(ports, id);
}

/** Deletes an account: users and credentials first, so that nobody writes meanwhile, and the account itself last. */
async function deleteAccount(
  { store, audit, clock, collections, counters, onProjectDeleted }: DeletingPorts,
  accountId: string,
): Promise<void> {
  const space = accountSpace(accountId);
  const isDue = await store.transact(async (tx) => {
    const account = await tx.get(accounts, GLOBAL, accountId);
    return !account || (account.deleteAt ?? Number.POSITIVE_INFINITY) <= clock.now();
  });
  if (!isDue) return;
  for (let left = true; left; ) {
    left = await store.transact(async (tx) => {
      const [user] = await tx.list(users, space, { limit: 1 });
      if (user) await leave(tx, user.value, clock.now());
      return user !== undefined;
    });
  }
  await deleteEndedKeys(store, accountId, clock.now());
  await forgetEndedKeys(store, accountId);
  // The account's own space comes last, because it lists the projects.
  for (const { space: each, projectId } of (await spacesOf(store, accountId)).reverse()) {
    for (const counter of counters) await deleteCounts(store, each, counter);
    for (const collection of collections) await empty(store, each, collection);
    if (projectId !== undefined)
      await store.transact(async (tx) => onProjectDeleted?.(tx, { accountId, projectId }));
  }
  await audit.transact({ ...SERVER, accountId }, async (tx, note) => {
    const account = await tx.get(accounts, GLOBAL, accountId);
    await tx.delete(accounts, GLOBAL, accountId);
    await tx.delete(closedAccounts, GLOBAL, accountId);
    await tx.delete(accountUses, GLOBAL, accountId);
    if (!account) return;
    await schedulePlan(tx, accountId, { before: account.nextPlan, now: clock.now() });
    const target = { kind: "account", id: accountId, name: account.name };
    const before = { name: account.name, plan: account.plan };
    note({ action: "account.deleted", target, accountId: null, before });
  });
}

async function empty(store: Store, space: Space, collection: Collection<unknown>): Promise<void> {
  for (let slice = SLICE; slice === SLICE; ) {
    slice = await store.transact(async (tx) => {
      const ids = await tx.ids(collection, space, { limit: SLICE });
      for (const id of ids) await tx.delete(collection, space, id);
      return ids.length;
    });
    await othersFirst();
  }
}
