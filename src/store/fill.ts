import { copyStore, TargetNotEmpty } from "./copy.ts";
import type { Inventory } from "./inventory.ts";
import { handOver, openStore, readStore, removeStore, type StoreOptions, setAside } from "./open.ts";
import type { SetAside } from "./set-aside.ts";
import type { StoreItem } from "./store.ts";
import { NoStore, NotFilled } from "./store-errors.ts";

export interface FillOptions extends StoreOptions {
  /** Moves an existing store aside instead of refusing, and moves it back if filling fails. */
  force: boolean;
  /**
   * The time by which expiry is judged when the store is read back. It must not be later than when the items were read.
   */
  instant: number;
  /** What to call the store in messages. */
  name: string;
  /** Called at intervals with the number of items read so far. */
  onProgress?: (items: number) => void;
}

export interface Filled extends Inventory {
  /** Where the previous store is now; undefined if there was none. */
  setAside?: string;
}

/**
 * Fills the store that `where` names, then reads it back and compares. If that fails, the target is again as it was before.
 * A partly filled store, as a killed process leaves it, cannot be opened, but filled again. Throws `TargetNotEmpty` if the
 * store holds data and `force` is not set, and `OperationalError` if a server runs on it.
 */
export async function fillStore(
  where: string,
  items: AsyncIterable<StoreItem>,
  { force, instant, name, onProgress, ...options }: FillOptions,
): Promise<Filled> {
  const aside = force ? await setAside(where, options.clock) : await cleared(where, { name, ...options });
  try {
    let isOpen = false;
    const clock = { ...options.clock, now: () => (isOpen ? instant : options.clock.now()) };
    // Opening a database compares its clock with this machine's, so this needs the real time.
    const target = await openStore(where, { ...options, clock, fills: true });
    isOpen = true;
    const inventory = await copyStore({ dump: () => items }, target, { target: name }, onProgress).finally(
      () => target.close(),
    );
    await handOver(where);
    return { ...inventory, ...(aside.name !== undefined && { setAside: aside.name }) };
  } catch (error) {
    await aside.putBack();
    throw error;
  }
}

/** Removes what an unfinished filling left, or a store without data. */
async function cleared(
  where: string,
  options: Pick<FillOptions, "name" | "clock" | "log">,
): Promise<SetAside> {
  const clear = async () => {
    await assertFree(where, options);
    await removeStore(where, options.clock);
  };
  await clear();
  return {
    // What somebody else has written there since is not ours to remove.
    putBack: () =>
      clear().catch((error) => {
        if (!(error instanceof TargetNotEmpty)) throw error;
      }),
  };
}

/** Throws `TargetNotEmpty` if the store that `where` names holds data that is worth keeping. */
export async function assertFree(
  where: string,
  { name, ...options }: Pick<FillOptions, "name" | "clock" | "log">,
): Promise<void> {
  try {
    for await (const _ of readStore(where, options)) throw new TargetNotEmpty(name);
  } catch (error) {
    if (!(error instanceof NoStore || error instanceof NotFilled)) throw error;
  }
}
