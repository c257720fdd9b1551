import { type Account, accounts, INSTANCE, instances } from "../accounts/model.ts";
import { namedPlansOf, plansOf } from "../accounts/next-plan.ts";
import type { Plan } from "../accounts/plan.ts";
import type { AuditEntry } from "../audit/model.ts";
import { accountSpace, GLOBAL, type Transaction } from "../store/store.ts";
import { iso } from "../system/clock.ts";
import { type AlertSink, isAboutAccounts } from "./alert.ts";
import { ABOUT_ACCOUNTS, watchers } from "./model.ts";

/**
 * Returns a function that tells the operator of an entry of the audit log, if it is about what became of an account, as
 * part of the transaction that it is committed with.
 */
export function tellOperator(raiseIn: AlertSink["raiseIn"]) {
  return async (tx: Transaction, entry: AuditEntry): Promise<void> => {
    const { action: type } = entry;
    if (!isAboutAccounts(type)) return;
    const operator = (await tx.peek(instances, GLOBAL, INSTANCE))?.accountId;
    if (operator === undefined || !(await tx.peek(watchers, accountSpace(operator), ABOUT_ACCOUNTS))) return;
    const account = await accountIn(tx, entry);
    if (account === undefined) return;
    const data = { account, ...detailsOf(entry) };
    await raiseIn(tx, { type, accountId: operator, subject: `account/${account.id}`, data });
  };
}

/** Returns a function that tells an account, as part of a transaction, that another plan will follow its own. */
export function tellOfEnding(raiseIn: AlertSink["raiseIn"], plans: readonly Plan[]) {
  return async (tx: Transaction, account: Account): Promise<void> => {
    const { nextPlan, ...data } = namedPlansOf(plans, account);
    if (!nextPlan) return;
    await raiseIn(tx, {
      type: "plan.ending",
      accountId: account.id,
      subject: "plan",
      data: { ...data, nextPlan },
    });
  };
}

async function accountIn(
  tx: Transaction,
  { target, accountId, before }: AuditEntry,
): Promise<(Pick<Account, "id" | "name"> & ReturnType<typeof plansOf>) | undefined> {
  const isItself = target.kind === "account";
  const id = isItself ? target.id : accountId;
  if (id === undefined) return undefined;
  const found = await tx.get(accounts, GLOBAL, id);
  if (found) return { id, name: found.name, ...plansOf(found) };
  // It is deleted.
  return { id, name: target.name ?? id, plan: String(before?.plan ?? "") };
}

function detailsOf({ action, target, before, after = {} }: AuditEntry) {
  switch (action) {
    case "account.signed_up":
    case "account.transferred":
      // Of who has no address it is a name, which holds no "@".
      return target.name?.includes("@") ? { ownerEmail: target.name } : {};
    case "account.created":
      return { ownerEmail: String(after.owner) };
    case "account.updated":
      return { changed: Object.keys({ ...before, ...after }) };
    case "account.closed":
      return { deletedAfter: iso(Number(after.deleteAt)) };
    default:
      return {};
  }
}
