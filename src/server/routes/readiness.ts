import { reasonOf, type Store } from "../../store/store.ts";
import { cachedFor } from "../../system/caching.ts";
import type { Clock } from "../../system/clock.ts";
import { inTime } from "../../system/in-time.ts";
import type { Log } from "../../system/log.ts";

/** What the service can do now. */
export interface Readiness {
  /** `degraded` if any of the following is false. */
  status: "ready" | "degraded";
  read: boolean;
  write: boolean;
  compute: boolean;
  /** Whether the store accepts writes that make it larger. */
  growth: boolean;
}

export interface ReadinessPorts {
  store: Pick<Store, "ping" | "probe">;
  compute: { accepting(): boolean };
  growth?: { canGrow(): boolean } | undefined;
  clock: Clock;
  log: Log;
}

interface Tried {
  able: { read: boolean; write: boolean };
  /** Why one of them failed. */
  because?: string;
}

/** The store is probed at most once in this time. */
const CACHED_MS = 1000;
/** A store that takes longer counts as unavailable. */
const MAX_WAIT_MS = 5000;

/** Returns a function that determines what the service can do, and logs when that changes. */
export function createReadiness({ store, compute, growth, clock, log }: ReadinessPorts) {
  const tried = cachedFor<Tried>(clock, { forMs: CACHED_MS, most: 1 });
  let told = "ready";

  async function tryStore(): Promise<Tried> {
    const [read, write] = await Promise.all([failureOf(() => store.ping()), failureOf(() => store.probe())]);
    const because = read ?? write;
    return { able: { read: read === undefined, write: write === undefined }, ...(because && { because }) };
  }

  /** Returns why an attempt failed; undefined if it succeeded. */
  async function failureOf(attempt: () => Promise<void>): Promise<string | undefined> {
    const late = () => {
      throw new Error(`no answer within ${MAX_WAIT_MS / 1000} s`);
    };
    try {
      await inTime(attempt(), { clock, ms: MAX_WAIT_MS, late });
      return undefined;
    } catch (error) {
      return reasonOf(error);
    }
  }

  return async function readiness(): Promise<Readiness> {
    const { able: store, because } = await tried("store", tryStore);
    const able = {
      ...store,
      compute: compute.accepting(),
      growth: growth?.canGrow() ?? true,
    };
    const status = Object.values(able).every(Boolean) ? "ready" : "degraded";
    const said = JSON.stringify(able);
    if (said !== told && !(told === "ready" && status === "ready")) {
      log[status === "ready" ? "info" : "warn"]({ ...able, because }, `the service is ${status}`);
    }
    told = status === "ready" ? "ready" : said;
    return { status, ...able };
  };
}
