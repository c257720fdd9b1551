import { boundedStore } from "../metering/limits/bounded-store.ts";
import { boundsIn } from "../metering/limits/bounds.ts";
import type { Catalogue } from "../metering/plans.ts";
import type { Store } from "../store/store.ts";
import { answeringStore } from "./operations/answering.ts";

/** The store, as those who write get it. */
export interface Stores {
  /** Keeps the answers of idempotent requests together with their writes. */
  store: Store;
  /** Like `store`, and keeps accounts within their bounds: for whatever users can make grow. The answers count, too. */
  boundedStore: Store;
  /** Like `boundedStore`, without the answers of idempotent requests. */
  boundedPlainStore: Store;
  /** Like `boundedPlainStore`, for strangers' writes into an account. */
  anonymousStore: Store;
  /** The store itself, for writes besides the effect of a request. */
  plainStore: Store;
}

/** @param onRefused called for each write that a bound refused. */
export function storesOn(
  plainStore: Store,
  { catalogue, onRefused }: { catalogue: Catalogue; onRefused: (bound: string) => void },
): Stores {
  const quota = {
    store: plainStore,
    boundsOf: boundsIn(catalogue),
    onRefused,
    upgradeUrl: catalogue.upgradeUrl,
  };
  const boundedPlainStore = boundedStore(quota);
  return {
    store: answeringStore(plainStore),
    boundedStore: answeringStore(boundedPlainStore),
    boundedPlainStore,
    anonymousStore: boundedStore({ ...quota, hidesDetails: true }),
    plainStore,
  };
}
