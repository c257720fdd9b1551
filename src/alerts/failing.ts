import { accountSpace, type Store } from "../store/store.ts";
import { DUE, dueQueues, MAIL, queues } from "./model.ts";

const MAX_LOOKED_AT = 200;

/** Counts the failing webhooks of all accounts that are still retried. If `isMore`, the count is a lower bound. */
export async function failingWebhooks(
  store: Pick<Store, "transact">,
): Promise<{ count: number; isMore: boolean }> {
  return store.transact(async (tx) => {
    const waiting = await tx.list(dueQueues, DUE, { limit: MAX_LOOKED_AT });
    const found = await Promise.all(
      waiting.map(({ value }) => tx.get(queues, accountSpace(value.accountId), value.queueId)),
    );
    const isFailing = found.map(
      (queue, index) => waiting[index]?.value.queueId !== MAIL && queue?.failingSince !== undefined,
    );
    return { count: isFailing.filter(Boolean).length, isMore: waiting.length === MAX_LOOKED_AT };
  });
}
