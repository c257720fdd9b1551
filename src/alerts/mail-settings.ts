import type { Manager } from "../accounts/users/managers.ts";
import type { AuditTrail } from "../audit/trail.ts";
import { accountSpace, type Store, type Transaction } from "../store/store.ts";
import type { AlertType } from "./alert.ts";
import { ACCOUNT, mailOptOuts } from "./model.ts";

/** The types of alerts that are not mailed. */
export interface MailChoice {
  /** Not mailed to anybody of the account. */
  accountOff: AlertType[];
  /** Not mailed to the caller. */
  userOff: AlertType[];
}

export interface MailChoices {
  get(by: Pick<Manager, "accountId" | "userId">): Promise<MailChoice>;
  /** Changes the choice. Absent members stay as they are. */
  change(by: Manager, change: { [Whose in keyof MailChoice]?: AlertType[] | undefined }): Promise<MailChoice>;
}

export function createMailChoices({ store, audit }: { store: Store; audit: AuditTrail }): MailChoices {
  return {
    get: (by) => store.transact((tx) => choiceOf(tx, by)),
    change: (by, { accountOff, userOff }) =>
      audit.transact(by, async (tx, note) => {
        const space = accountSpace(by.accountId);
        const before = await choiceOf(tx, by);
        if (accountOff) await tx.put(mailOptOuts, space, ACCOUNT, { off: [...new Set(accountOff)] });
        if (userOff) await tx.put(mailOptOuts, space, by.userId, { off: [...new Set(userOff)] });
        const after = await choiceOf(tx, by);
        const target = { kind: "alert_mail", id: accountOff ? by.accountId : by.userId };
        note({ action: "alert_mail.updated", target, before, after });
        return after;
      }),
  };
}

async function choiceOf(
  tx: Transaction,
  { accountId, userId }: Pick<Manager, "accountId" | "userId">,
): Promise<MailChoice> {
  const offOf = async (id: string) => (await tx.get(mailOptOuts, accountSpace(accountId), id))?.off ?? [];
  return { accountOff: await offOf(ACCOUNT), userOff: await offOf(userId) };
}
