/**
 * The store: its interface, its two adapters, and the parts to write another adapter with. The suite of
 * `toolplane/testing` verifies an adapter.
 */

export { CopyDiffers, copyStore, TargetNotEmpty } from "./copy.ts";
export type { Inventory } from "./inventory.ts";
export { openStore, type StoreOptions } from "./open.ts";
export { COUNTER_BYTES, type StorageUse } from "./storage-use.ts";
export {
  accountOf,
  accountSpace,
  type Change,
  type Changes,
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
