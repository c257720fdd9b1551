/**
 * The store: its port, the two stores that there are, and what one of your own is made with. Whether that
 * does what it should, the suite of `toolplane/testing` shows.
 */

export { CopyDiffers, copyStore, TargetNotEmpty } from "./copy.ts";
export type { Inventory } from "./inventory.ts";
export { openStore, type StoreOptions } from "./open.ts";
export {
  accountOf,
  accountSpace,
  type Change,
  type Changes,
  COUNTER_BYTES,
  type Collection,
  Conflict,
  type Connections,
  collection,
  type Entry,
  GLOBAL,
  type Headroom,
  type LimitWindow,
  type ListOptions,
  NoRoom,
  type OpenedStore,
  ownerOf,
  projectSpace,
  type Space,
  type StorageUse,
  type Store,
  type StoreItem,
  StoreUnavailable,
  type Transaction,
  type Verdict,
  type WindowState,
  type WriteOptions,
} from "./store.ts";
export {
  advance,
  needed,
  notAhead,
  remaining,
  retentionMs,
  stateOf,
  take,
  type WindowRecord,
} from "./window.ts";
