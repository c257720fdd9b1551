import { onTestFinished } from "vitest";
import { type Collection, collection, type OpenedStore } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { type AdjustableClock, adjustableClock } from "../adjustable-clock.ts";

/** Storage for the data of one test, initially empty, on which a store can be opened repeatedly. */
export interface Medium {
  open(options: { collections: readonly Collection<unknown>[]; clock: Clock }): Promise<OpenedStore>;
}

/** Creates a medium. Called inside a test; everything it creates must be removed when the test is over. */
export type OpenMedium = () => Promise<Medium>;

export interface Note {
  text: string;
}

export const notes = collection<Note>("conformance_notes", { changes: true });
export const marks = collection<Note>("conformance_marks");
export const shared = collection<Note>("conformance_shared", { cached: true });
/** For documents of any shape. */
export const things = collection<unknown>("conformance_things");

export interface Opened {
  store: OpenedStore;
  clock: AdjustableClock;
  /** Closes the store and opens it again on the same medium, by default for all collections. */
  reopen(collections?: readonly Collection<unknown>[]): Promise<OpenedStore>;
}

/** Opens a store on a medium of its own, closed when the test is over. */
export async function opened(medium: OpenMedium): Promise<Opened> {
  const clock = adjustableClock();
  const { open } = await medium();
  const options = { collections: [notes, marks, shared, things], clock };
  let store = await open(options);
  onTestFinished(() => store.close());
  return {
    store,
    clock,
    reopen: async (collections = options.collections) => {
      await store.close();
      store = await open({ ...options, collections });
      return store;
    },
  };
}
