import type { AuditTrail } from "../../audit/trail.ts";
import { invalidRequest } from "../../contract/faults.ts";
import { Problem } from "../../contract/problem.ts";
import { GLOBAL, type Store, type Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { DAY_MS } from "../../system/durations.ts";
import { type Account, accounts, closedAccounts, INSTANCE, instances } from "../model.ts";
import { actingUser, type Manager } from "../users/managers.ts";

/** How long a closed account can still be kept. */
export const GRACE_MS = 30 * DAY_MS;

/** Closing and keeping an account. Each method throws `Problem` `forbidden` unless the caller is an owner. */
export interface Closing {
  /**
   * Closes the account. `Problem` `conflict` for the account of the instance's owner.
   * @param name the account's name, as a confirmation.
   */
  close(by: Manager, name: string): Promise<{ deleteAt: number }>;
  /** Reopens a closed account. `Problem` `conflict` if it is not closed, or if its time is over. */
  keep(by: Manager): Promise<void>;
  /** Resolves for an owner of the account. */
  checkOwner(by: Manager): Promise<void>;
}

export function createClosing({
  store,
  audit,
  clock,
}: {
  store: Store;
  audit: AuditTrail;
  clock: Clock;
}): Closing {
  return {
    checkOwner: (by) => store.transact(async (tx) => void (await owned(tx, by))),
    close: (by, name) =>
      audit.transact(by, async (tx, note) => {
        const account = await owned(tx, by);
        if ((await tx.get(instances, GLOBAL, INSTANCE))?.accountId === account.id) {
          throw new Problem("conflict", "The account of this instance's owner cannot be closed.");
        }
        if (account.name !== name) throw invalidRequest([{ path: "name", message: "is not this account's" }]);
        const deleteAt = account.deleteAt ?? clock.now() + GRACE_MS;
        await tx.put(accounts, GLOBAL, account.id, { ...account, deleteAt });
        await tx.put(closedAccounts, GLOBAL, account.id, { deleteAt });
        note({ action: "account.closed", target: targetOf(account), after: { deleteAt } });
        return { deleteAt };
      }),
    keep: (by) =>
      audit.transact(by, async (tx, note) => {
        const account = await owned(tx, by);
        const { deleteAt, ...kept } = account;
        if (deleteAt === undefined) throw new Problem("conflict", "This account is not closed.");
        // People and keys may be gone already.
        if (deleteAt <= clock.now())
          throw new Problem("conflict", "It is too late: this account is being deleted.");
        await tx.put(accounts, GLOBAL, account.id, kept);
        await tx.delete(closedAccounts, GLOBAL, account.id);
        note({ action: "account.kept", target: targetOf(account), before: { deleteAt } });
      }),
  };
}

/** Returns the caller's account. Throws unless they are an owner of it. */
async function owned(tx: Transaction, by: Manager): Promise<Account> {
  const { role } = await actingUser(tx, by);
  if (role !== "owner") throw new Problem("forbidden", "Only an owner of the account may do this.");
  const account = await tx.get(accounts, GLOBAL, by.accountId);
  if (!account) throw new Problem("not_found", "This account was deleted.");
  return account;
}

function targetOf({ id, name }: Account) {
  return { kind: "account", id, name };
}
