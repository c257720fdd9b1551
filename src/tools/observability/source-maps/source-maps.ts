import { projectSpace, type Space, type Store } from "../../../store/store.ts";
import type { Clock } from "../../../system/clock.ts";
import { knownAt } from "../record.ts";
import { sourceMaps } from "./documents.ts";
import { framed } from "./framed.ts";
import { noteUse, readMap } from "./keep.ts";
import type { MinifiedPlace, Original, Place } from "./restore.ts";
import { RESTORE_JOB, RESTORE_TYPE } from "./restore-job.ts";
import type { RunJob } from "./run-job.ts";
import { createUploads, type Uploads } from "./uploads.ts";

/** The project that source maps and errors belong to. */
interface Project {
  accountId: string;
  projectId: string;
}

export interface SourceMaps extends Uploads {
  /** Records a release before an error names it. Returns when it was first recorded. */
  addRelease(project: Project, name: string): Promise<number>;
  /**
   * Looks up the originals of places in the maps of their own project. An original is null if no map has it,
   * or if the account may not compute more.
   */
  originals(project: Project, places: readonly MinifiedPlace[]): Promise<(Original | null)[]>;
}

const RESTORE_MODULE = new URL("./restore-job.ts", import.meta.url);
/** Maximum number of looked-up places that are cached, at about a kilobyte each. */
const MAX_REMEMBERED = 4000;

export function createSourceMaps(ports: {
  store: Store;
  clock: Pick<Clock, "now">;
  runJob: RunJob;
}): SourceMaps {
  const { store, clock, runJob } = ports;
  const remembered = new Map<string, Original | null>();
  /** Look-ups under way, to be shared: a new error often arrives many times at once. */
  const underWay = new Map<string, Promise<void>>();

  async function lookUp(accountId: string, space: Space, debugId: string, places: readonly Place[]) {
    const map = await store.transact((tx) => tx.get(sourceMaps, space, debugId));
    if (!map) return places.map(() => null);
    const keys = places.map(({ line, column }) => `${space} ${debugId} ${map.bundle} ${line}:${column}`);
    const unknown = places.filter((_, index) => !remembered.has(keys[index] as string));
    if (unknown.length > 0) {
      const about = `${space} ${debugId} ${map.bundle} ${JSON.stringify(unknown)}`;
      const work = underWay.get(about) ?? ask();
      underWay.set(about, work);
      await work.finally(() => underWay.delete(about));
    }
    await noteUse(store, space, debugId, clock.now());
    return keys.map((key) => remembered.get(key) ?? null);

    async function ask(): Promise<void> {
      const bytes = await readMap(store, space, debugId, map as NonNullable<typeof map>);
      if (!bytes) return;
      const originals = (await runJob(accountId, {
        name: RESTORE_JOB,
        module: RESTORE_MODULE,
        contentType: RESTORE_TYPE,
        body: framed([{ about: unknown, bytes }]),
        pace: "short",
        signal: new AbortController().signal,
      })) as (Original | null)[];
      for (const [index, { line, column }] of unknown.entries()) {
        remember(`${space} ${debugId} ${map?.bundle} ${line}:${column}`, originals[index] ?? null);
      }
    }
  }

  function remember(key: string, original: Original | null): void {
    remembered.set(key, original);
    if (remembered.size <= MAX_REMEMBERED) return;
    const [oldest] = remembered.keys();
    if (oldest !== undefined) remembered.delete(oldest);
  }

  return {
    ...createUploads(ports),
    addRelease: ({ accountId, projectId }, name) =>
      store.transact((tx) => knownAt(tx, projectSpace(accountId, projectId), name, clock.now())),
    async originals({ accountId, projectId }, places) {
      const space = projectSpace(accountId, projectId);
      const found: (Original | null)[] = places.map(() => null);
      for (const debugId of new Set(places.map((place) => place.debugId))) {
        const indexes = [...places.keys()].filter((index) => places[index]?.debugId === debugId);
        const asked = indexes.map((index) => places[index] as MinifiedPlace);
        // A minified stack is better than none.
        const originals = await lookUp(accountId, space, debugId, asked).catch(() => []);
        for (const [nth, index] of indexes.entries()) found[index] = originals[nth] ?? null;
      }
      return found;
    },
  };
}
