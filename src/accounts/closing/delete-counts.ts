import type { Space, Store } from "../../store/store.ts";
import { othersFirst } from "../../system/others-first.ts";

/** Counts deleted in one transaction, few enough not to block other requests. */
const SLICE = 100;
/** The greatest code point, as an upper bound for ids. */
const END = "\u{10ffff}";

/** Deletes all counts of a counter in a space, in batches. */
export async function deleteCounts(
  store: Pick<Store, "transact">,
  space: Space,
  counter: string,
): Promise<void> {
  const all = { from: "", to: END, limit: SLICE };
  // Most spaces have no counters, and a read-only check is cheaper than a write transaction.
  const [some] = await store.transact((tx) => tx.counts(counter, space, { ...all, limit: 1 }));
  for (let slice = some ? SLICE : 0; slice === SLICE; ) {
    slice = await store.transact((tx) => tx.deleteCounts(counter, space, all));
    await othersFirst();
  }
}
