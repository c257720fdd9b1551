import { accounts } from "../../accounts/model.ts";
import { GLOBAL, type Store } from "../../store/store.ts";

/** Accounts read at a time. */
const SLICE = 200;

/** Yields the ids of all accounts, reading a part at a time. */
export async function* accountIds(store: Pick<Store, "transact">): AsyncGenerator<string> {
  let after = "";
  for (;;) {
    const ids = await store.transact((tx) => tx.ids(accounts, GLOBAL, { after, limit: SLICE }));
    yield* ids;
    if (ids.length < SLICE) return;
    after = ids.at(-1) as string;
  }
}
