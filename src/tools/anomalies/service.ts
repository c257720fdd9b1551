import type { Caller } from "../../contract/caller.ts";
import type { Compute } from "../../contract/compute.ts";
import type { Handlers } from "../../contract/endpoint.ts";
import { Problem } from "../../contract/problem.ts";
import { projectSpace, type Space, type Store } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import type { Random } from "../../system/random.ts";
import type { MetricInput, MetricResult } from "./analyse.ts";
import { type Conclusion, conclude } from "./conclusion.ts";
import { anomaliesContract } from "./contract.ts";
import { apply, dismiss } from "./decide.ts";
import {
  anomalies,
  anomalyOf,
  type DetectorDocument,
  detectors,
  type MetricDocument,
  metrics,
} from "./documents.ts";
import { pageOf } from "./history.ts";
import type { Kind } from "./kind.ts";
import { readPoints, type Series } from "./metrics.ts";
import { changeSettings, settingsPage } from "./settings.ts";

export interface AnomaliesPorts {
  store: Store;
  clock: Clock;
  random: Random;
  compute: Compute;
  /** Makes the project unless it is there, before anything is written in it. */
  ensureProject: (accountId: string, projectId: string) => Promise<void>;
}

/** What earlier sessions left of a metric, and what people said about it. */
interface Known {
  detector: DetectorDocument | undefined;
  said: MetricDocument;
}

/** Sessions that send the same metric at once are judged one after another; so often one begins anew. */
const MOST_ATTEMPTS = 20;
/** What one dismissal leaves of the strangeness of its kind, and what remains after many. */
const DISMISSAL = 0.7;
const LEAST_WEIGHT = 0.2;

export function createAnomalies(ports: AnomaliesPorts): Handlers<typeof anomaliesContract> {
  const { store, clock, random, compute, ensureProject } = ports;

  async function writableSpaceOf(caller: Caller): Promise<Space> {
    await ensureProject(caller.accountId, caller.projectId);
    return spaceOf(caller);
  }

  /** What is known of each metric, at one instant. */
  function known(space: Space, names: readonly string[]): Promise<Known[]> {
    return store.transact((tx) =>
      Promise.all(
        names.map(async (name) => ({
          detector: await tx.get(detectors, space, name),
          said: (await tx.get(metrics, space, name)) ?? {},
        })),
      ),
    );
  }

  /** The analysis; none where another one of one of the metrics came in between. */
  function keep(
    space: Space,
    results: readonly MetricResult[],
    before: readonly Known[],
    { found, analysis }: Conclusion,
  ): Promise<Conclusion["analysis"] | undefined> {
    return store.transact(async (tx) => {
      const now = await Promise.all(results.map(({ name }) => tx.get(detectors, space, name)));
      const versions = before.map(({ detector }) => detector?.version);
      if (now.some((detector, index) => detector?.version !== versions[index])) return undefined;
      await Promise.all([
        ...results.map(({ name, memory }, index) =>
          tx.put(detectors, space, name, { version: (versions[index] ?? 0) + 1, memory }),
        ),
        ...found.map(([id, document]) => tx.insert(anomalies, space, id, document)),
      ]);
      return analysis;
    }, "answer");
  }

  return {
    async analyze({ sessionId, metrics: sent, sensitivity }, caller) {
      const series = new Map<string, Series>();
      for (const [name, points] of Object.entries(sent)) series.set(name, await readPoints(name, points));
      const space = await writableSpaceOf(caller);
      const names = [...series.keys()];
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        const before = await known(space, names);
        const results = await compute<MetricResult[]>("anomalies.analyse", {
          sensitivity,
          metrics: names.map((name, index) => inputOf(name, series, before[index] as Known)),
        });
        const conclusion = conclude(results, series, { random, now: clock.now(), sessionId });
        const analysis = await keep(space, results, before, conclusion);
        if (analysis) return analysis;
      }
      throw new Problem("overloaded", "Too many sessions send these metrics at once. Try again.", {
        headers: { "Retry-After": "1" },
      });
    },

    history: (query, caller) => store.transact((tx) => pageOf(tx, spaceOf(caller), query)),

    async dismiss({ id, reason }, caller) {
      const now = clock.now();
      return store.transact(
        async (tx) => ({
          anomaly: anomalyOf(id, await dismiss(tx, spaceOf(caller), { id, reason, now })),
        }),
        "answer",
      );
    },

    async apply({ id }, caller) {
      const now = clock.now();
      return store.transact(async (tx) => {
        const { anomaly, changed } = await apply(tx, spaceOf(caller), { id, now });
        const { method, path } = anomaliesContract.changeSettings;
        const body = { metric: changed.metric, ...changed.before };
        return { anomaly: anomalyOf(id, anomaly), changed, undo: { method, path, body } };
      }, "answer");
    },

    settings: (page, caller) => store.transact((tx) => settingsPage(tx, spaceOf(caller), page)),

    async changeSettings({ metric, ...settings }, caller) {
      const space = await writableSpaceOf(caller);
      return store.transact(async (tx) => {
        const { after } = await changeSettings(tx, space, metric, settings);
        return { metric, settings: after };
      }, "answer");
    },
  };
}

function inputOf(
  name: string,
  series: ReadonlyMap<string, Series>,
  { detector, said: { dismissed = {}, ...settings } }: Known,
): MetricInput {
  return {
    name,
    ...(series.get(name) as Series),
    ...(detector && { memory: detector.memory }),
    settings,
    weights: weightsOf(dismissed),
  };
}

function weightsOf(dismissed: Partial<Record<Kind, number>>): Partial<Record<Kind, number>> {
  return Object.fromEntries(
    Object.entries(dismissed).map(([kind, count]) => [kind, Math.max(LEAST_WEIGHT, DISMISSAL ** count)]),
  );
}

function spaceOf({ accountId, projectId }: Caller): Space {
  return projectSpace(accountId, projectId);
}
