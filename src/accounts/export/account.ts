import { type Collection, GLOBAL, type Store } from "../../store/store.ts";
import { accounts } from "../model.ts";
import { type ExportedFrom, type Part, type Source, stepThrough, withoutHashes } from "./pages.ts";

/** Returns all that an account stores, without secrets: first in its own space, then in its projects'. */
export function accountSource(
  store: Pick<Store, "transact">,
  collections: readonly Collection<unknown>[],
  accountId: string,
): Source {
  const all = collections.map<Part<ExportedFrom>>((collection) => async (from, after) => {
    const step = await stepThrough(store, collection, from, after);
    const project = from.projectId === undefined ? {} : { projectId: from.projectId };
    return {
      ...step,
      items: step.items.map(({ collection, ...item }) => ({ collection, ...project, ...item })),
    };
  });
  const itself: Part<undefined> = async () => {
    const account = await store.transact((tx) => tx.get(accounts, GLOBAL, accountId));
    const items = account
      ? [{ collection: accounts.name, id: accountId, value: withoutHashes(account) }]
      : [];
    return { items, characters: 0 };
  };
  return {
    beforehand: [itself],
    account: all,
    project: all,
    includes: async (id) => id === accountId,
    accountBehind: async (after) => (after === undefined ? accountId : undefined),
  };
}
