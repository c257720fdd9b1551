import { copyStore } from "./copy.ts";
import type { Inventory } from "./inventory.ts";
import { handOver, openStore, type StoreOptions, setAside } from "./open.ts";
import type { StoreItem } from "./store.ts";

export interface FillOptions extends StoreOptions {
  /** Moves what is there out of the way instead of refusing; where filling fails it is moved back. */
  force: boolean;
  /** At which what is read again counts as expired or not: not after the items were read. */
  instant: number;
  /** What to call the store in messages. */
  name: string;
  /** Hears how many items have been read so far, now and then. */
  onProgress?: (items: number) => void;
}

export interface Filled extends Inventory {
  /** Where what was there is now; undefined where there was nothing. */
  setAside?: string;
}

/**
 * Fills the store that `where` names with items, then reads it again and compares. A store that was filled in part
 * is opened by nobody. `TargetNotEmpty` where it holds something and `force` is not said; an Error for people where
 * a server runs on it.
 */
export async function fillStore(
  where: string,
  items: AsyncIterable<StoreItem>,
  { force, instant, name, onProgress, ...options }: FillOptions,
): Promise<Filled> {
  const aside = force ? await setAside(where, options.clock) : undefined;
  try {
    let isOpen = false;
    const clock = { ...options.clock, now: () => (isOpen ? instant : options.clock.now()) };
    // Which compares the clocks of both machines, where it is a database.
    const target = await openStore(where, { ...options, clock });
    isOpen = true;
    const inventory = await copyStore({ dump: () => items }, target, { target: name }, onProgress).finally(
      () => target.close(),
    );
    await handOver(where);
    return { ...inventory, ...(aside?.name !== undefined && { setAside: aside.name }) };
  } catch (error) {
    await aside?.putBack();
    throw error;
  }
}
