import type { AuditLog } from "../../audit/log.ts";
import type { Target } from "../../audit/model.ts";
import type { AuditTrail } from "../../audit/trail.ts";
import { Problem } from "../../contract/problem.ts";
import { type Collection, GLOBAL, ReadOnly, type Store } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { HOUR_MS } from "../../system/durations.ts";
import { accounts, notedExports } from "../model.ts";
import { targetOf } from "../people.ts";
import { getUser, type Manager } from "../users/managers.ts";
import { accountSource } from "./account.ts";
import { type ExportedPage, exportInTurn } from "./pages.ts";
import { personSource, type UserPart } from "./person.ts";
import { type Subject, subjectNamed, subjectOf, userIn } from "./subject.ts";

/** Pages of what is kept. Each export is noted in the audit logs of whoever takes it and of the accounts it is taken from. */
export interface Exports {
  /** Of an account. The caller checks who may. `Problem` `not_found`. */
  account(
    by: Manager,
    accountId: string,
    cursor: string | undefined,
    signal?: AbortSignal,
  ): Promise<ExportedPage>;
  /** Of the person who asks, in some of their accounts. */
  own(
    by: Manager,
    within: readonly string[],
    cursor: string | undefined,
    signal?: AbortSignal,
  ): Promise<ExportedPage>;
  /** Of anybody, in all accounts. For operators. Of whom nothing is kept, only the entry about this export. */
  person(by: Manager, named: string, cursor: string | undefined, signal?: AbortSignal): Promise<ExportedPage>;
}

/** For how long the pages of an export are one entry in each log. */
const NOTED_MS = HOUR_MS;

export function createExports({
  store,
  audit,
  log,
  clock,
  collections,
  parts = [],
}: {
  store: Store;
  audit: AuditTrail;
  log: AuditLog;
  clock: Pick<Clock, "now">;
  /** The collections that an export includes. */
  collections: readonly Collection<unknown>[];
  parts?: readonly UserPart[];
}): Exports {
  const page = exportInTurn(store);
  const people = { store, log, collections, parts };

  /** Notes an export before any of it is read, in each of the logs under its own target. */
  async function noted(
    by: Manager,
    action: string,
    what: string,
    logs: ReadonlyMap<string, Target>,
  ): Promise<void> {
    const id = `${by.accountId}/${by.userId}/${action}/${what}`;
    if (await store.transact((tx) => tx.has(notedExports, GLOBAL, id))) return;
    await audit.transact(by, async (tx, note) => {
      for (const [accountId, target] of logs) note({ action, target, accountId });
      await tx.put(notedExports, GLOBAL, id, true, { expiresAt: clock.now() + NOTED_MS });
    });
  }

  return {
    async account(by, accountId, cursor, signal) {
      const account = await store.transact((tx) => tx.get(accounts, GLOBAL, accountId));
      if (!account) throw new Problem("not_found", `There is no account ${accountId}.`);
      const target = { kind: "account", id: accountId, name: account.name };
      const logs = new Map([by.accountId, accountId].map((log) => [log, target]));
      const noting = noted(by, "account.exported", accountId, logs);
      // An owner takes the data along also from a store that is read only, and with a log that is full for today.
      await (accountId === by.accountId ? noting.catch(unlessShut) : noting);
      return page(by.accountId, accountSource(store, collections, accountId), cursor, signal);
    },
    async own(by, within, cursor, signal) {
      const user = await store.transact((tx) => getUser(tx, by.accountId, by.userId));
      const subject = await store.transact((tx) => subjectOf(tx, user));
      await noted(by, "person.exported", user.id, new Map([[by.accountId, targetOf(user)]]));
      return page(by.accountId, personSource(people, subject, within), cursor, signal);
    },
    async person(by, named, cursor, signal) {
      const subject = await subjectNamed(store, named);
      await noted(by, "person.exported", named, await logsOf(by, subject, named));
      return page(by.accountId, personSource(people, subject), cursor, signal);
    },
  };

  /** Returns the logs of the operator's account and of all that the person belongs to, with the person as their target. */
  async function logsOf(by: Manager, subject: Subject, named: string): Promise<Map<string, Target>> {
    const { person, email } = subject;
    const itself = { kind: "person", id: person?.id ?? named, name: email };
    const logs = new Map<string, Target>([[by.accountId, itself]]);
    for (const { accountId } of person?.memberships ?? []) {
      const user = await store.transact((tx) => userIn(tx, subject, accountId));
      if (user) logs.set(accountId, targetOf(user));
    }
    return logs;
  }
}

function unlessShut(error: unknown): void {
  const isFull = error instanceof Problem && error.error === "rate_limited";
  if (!isFull && !(error instanceof ReadOnly)) throw error;
}
