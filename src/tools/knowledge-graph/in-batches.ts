const BATCH = 1000;

/**
 * Runs work against the store for many items. Those of a batch run concurrently, so that they share a round trip.
 * Batches run one after another, so that they do not fill memory.
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
