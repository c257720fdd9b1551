import { openStore, readOnlyReason, type StoreOptions } from "../../store/open.ts";
import type { Store } from "../../store/store.ts";
import type { ServerOptions } from "../control-plane.ts";

const DEFAULT_DIRECTORY = "./toolplane-data";

const METHODS = [
  "transact",
  "admit",
  "isOpen",
  "ping",
  "probe",
  "storageOf",
  "sizeBytes",
  "close",
] as const satisfies readonly (keyof Store)[];

/** Opens the store that `createServer()` is given: a directory, a database, or one that a function opens. */
export async function openGivenStore(given: ServerOptions["store"], options: StoreOptions): Promise<Store> {
  if (given === undefined || typeof given === "string") return openStore(given ?? DEFAULT_DIRECTORY, options);
  if (typeof given !== "function") {
    throw new Error(
      "store takes a directory, a postgres:// URL or a function that opens a store: createServer({ store: (options) => openStore(where, options) }).",
    );
  }
  const store: Partial<Store> | undefined = await given(options);
  if (!store) throw new Error("The function that createServer() has as its store returns no store.");
  const missing = METHODS.filter((name) => typeof store[name] !== "function");
  if (missing.length === 0) return withOwnMethods(store as Store);
  throw new Error(`The store that createServer() was given lacks ${missing.join("(), ")}().`);
}

/** Returns why a store is read only; undefined if it can be written. */
export async function whyReadOnly(
  given: ServerOptions["store"],
  { directUrl }: Pick<StoreOptions, "directUrl">,
): Promise<string | undefined> {
  return typeof given === "function" ? undefined : readOnlyReason(directUrl ?? given ?? DEFAULT_DIRECTORY);
}

/** Copies the methods of a store: wrappers spread it, which would lose those on a class's prototype. */
function withOwnMethods(store: Store): Store {
  return {
    transact: (work, as) => store.transact(work, as),
    admit: (windows) => store.admit(windows),
    opening: store.opening,
    isOpen: (opening) => store.isOpen(opening),
    ping: () => store.ping(),
    probe: () => store.probe(),
    storageOf: (account) => store.storageOf(account),
    sizeBytes: () => store.sizeBytes(),
    headroom: store.headroom,
    ...(store.connections && { connections: () => store.connections?.() ?? [] }),
    close: () => store.close(),
  };
}
