import { OperationalError } from "../system/operational-error.ts";
import { createTally, type Inventory, type Tally } from "./inventory.ts";
import type { OpenedStore, StoreItem } from "./store.ts";

/** The target already holds data. Stores are never merged. */
export class TargetNotEmpty extends OperationalError {
  constructor(where: string) {
    super(`${where} holds data already. Copy into an empty directory or database.`);
    this.name = "TargetNotEmpty";
  }
}

/** The target differs from the source after the copy. */
export class CopyDiffers extends Error {
  constructor(
    readonly source: Inventory,
    readonly target: Inventory,
  ) {
    super(
      `The copy differs from its source: ${source.documents} documents and ${source.counters} counters became ` +
        `${target.documents} and ${target.counters}, checksum ${source.checksum.slice(0, 12)} became ${target.checksum.slice(0, 12)}.`,
    );
    this.name = "CopyDiffers";
  }
}

/**
 * Copies everything except the rate-limit windows to an empty store, then reads the target back and compares. Nothing
 * else may write to the target meanwhile.
 *
 * @param source a consistent snapshot.
 * @param onProgress is called at intervals with the number of items read so far.
 */
export async function copyStore(
  source: Pick<OpenedStore, "dump">,
  target: Pick<OpenedStore, "dump" | "load">,
  names: { target: string },
  onProgress: (items: number) => void = () => {},
): Promise<Inventory> {
  for await (const _ of target.dump()) throw new TargetNotEmpty(names.target);
  const read = createTally();
  await target.load(passing(source.dump(), read, onProgress), async () => {
    const written = createTally();
    for await (const item of target.dump()) written.add(item);
    const [from, to] = [read.inventory(), written.inventory()];
    if (from.checksum !== to.checksum) throw new CopyDiffers(from, to);
  });
  return read.inventory();
}

async function* passing(
  items: AsyncIterable<StoreItem>,
  tally: Tally,
  onProgress: (items: number) => void,
): AsyncIterable<StoreItem> {
  let count = 0;
  for await (const item of items) {
    tally.add(item);
    if (++count % 1000 === 0) onProgress(count);
    yield item;
  }
}
