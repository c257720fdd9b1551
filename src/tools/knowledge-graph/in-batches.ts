const BATCH = 1000;

/**
 * Asks the store for many things: those of a batch side by side, so that they go over the network in
 * one go, and one batch after the other, so that they do not fill memory.
 */
export async function inBatches<T, R>(items: Iterable<T>, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let batch: Promise<R>[] = [];
  for (const item of items) {
    batch.push(work(item));
    if (batch.length < BATCH) continue;
    results.push(...(await Promise.all(batch)));
    batch = [];
  }
  return results.concat(await Promise.all(batch));
}
