import { createHash } from "node:crypto";
import type { OpenedStore, StoreItem } from "./store.ts";

/** What a store holds, so that two can be compared whatever the order in which they give it out. */
export interface Inventory {
  documents: number;
  counters: number;
  /** Sum of the SHA-256 of every item, modulo 2^256, in hexadecimal. */
  checksum: string;
}

/** The target holds something already; merging two stores is nobody's wish. */
export class TargetNotEmpty extends Error {
  constructor(where: string) {
    super(`${where} holds data already. Copy into an empty directory or database.`);
    this.name = "TargetNotEmpty";
  }
}

/** The target holds something else than the source after the copy. */
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
 * Copies everything but the rate-limit windows from one store to an empty other, then reads the other
 * again and compares. Nobody may write to either meanwhile.
 *
 * @param onProgress hears how many items have been read so far, now and then.
 */
export async function copyStore(
  source: OpenedStore,
  target: OpenedStore,
  names: { target: string },
  onProgress: (items: number) => void = () => {},
): Promise<Inventory> {
  for await (const _ of target.dump()) throw new TargetNotEmpty(names.target);
  const read = createTally();
  await target.load(passing(source.dump(), read, onProgress));
  const written = createTally();
  for await (const item of target.dump()) written.add(item);
  const [from, to] = [read.inventory(), written.inventory()];
  if (from.checksum !== to.checksum) throw new CopyDiffers(from, to);
  return from;
}

async function* passing(
  items: AsyncIterable<StoreItem>,
  tally: ReturnType<typeof createTally>,
  onProgress: (items: number) => void,
): AsyncIterable<StoreItem> {
  let count = 0;
  for await (const item of items) {
    tally.add(item);
    if (++count % 1000 === 0) onProgress(count);
    yield item;
  }
}

function createTally() {
  let documents = 0;
  let counters = 0;
  let sum = 0n;
  return {
    add(item: StoreItem): void {
      if ("counter" in item) counters++;
      else documents++;
      sum += BigInt(`0x${createHash("sha256").update(identityOf(item)).digest("hex")}`);
    },
    inventory: (): Inventory => ({
      documents,
      counters,
      checksum: BigInt.asUintN(256, sum).toString(16).padStart(64, "0"),
    }),
  };
}

function identityOf(item: StoreItem): string {
  return "counter" in item
    ? JSON.stringify(["counter", item.counter, item.space, item.id, item.count])
    : JSON.stringify(["document", item.collection, item.space, item.id, item.expiresAt ?? null, item.value]);
}
