import type { AlertSink } from "../../alerts/alert.ts";
import type { Caller } from "../../contract/caller.ts";
import { type Handlers, Reply } from "../../contract/endpoint.ts";
import { type Space, type Store, spaceOf, type Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import type { Reported } from "./already-seen.ts";
import type { analyzeJob, Findings, KnownMetric } from "./analyze-job.ts";
import { anomaliesContract } from "./contract.ts";
import { anomalyIn, apply, dismiss, reopen } from "./decide.ts";
import { anomalies, anomalyOf, detectors, metrics, surroundings } from "./documents.ts";
import { foundAlerts } from "./found-alerts.ts";
import { historyPage } from "./history.ts";
import type { Kind } from "./kind.ts";
import { changeSettings, settingsPage } from "./settings.ts";
import { readSurroundings } from "./surroundings.ts";

export interface AnomaliesPorts {
  store: Store;
  clock: Clock;
  raise: AlertSink["raiseIn"];
}

/** Factor by which each dismissal lowers the strangeness of its kind. */
const DISMISSAL = 0.7;
/** Minimum factor after many dismissals. */
const MIN_WEIGHT = 0.2;

export function createAnomalies(ports: AnomaliesPorts): Handlers<typeof anomaliesContract> {
  const { store, clock, raise } = ports;

  /** Reads what is known of each metric, in one transaction. */
  function known(space: Space, names: readonly string[]): Promise<KnownMetric[]> {
    return store.transact((tx) =>
      Promise.all(
        names.map(async (name) => {
          const detector = await tx.get(detectors, space, name);
          const { dismissed = {}, ...settings } = (await tx.get(metrics, space, name)) ?? {};
          return {
            version: detector?.version,
            ...(detector && { memory: detector.memory }),
            ...(detector?.seen && { seen: detector.seen }),
            settings,
            weights: weightsOf(dismissed),
          };
        }),
      ),
    );
  }

  function reported(space: Space, ids: readonly string[]): Promise<Reported> {
    return store.transact(async (tx) => {
      const found = await Promise.all(ids.map((id) => tx.get(anomalies, space, id)));
      return ids.flatMap((id, index) => {
        const document = found[index];
        return document ? [[id, document] as const] : [];
      });
    });
  }

  /** Stores findings. Returns false if another analysis of one of the metrics was stored in between. */
  async function write(
    tx: Transaction,
    caller: Caller,
    { learned, found, around = [] }: Findings,
  ): Promise<boolean> {
    const space = spaceOf(caller);
    const now = await Promise.all(learned.map(({ name }) => tx.get(detectors, space, name)));
    if (now.some((detector, index) => detector?.version !== learned[index]?.version)) return false;
    await Promise.all([
      ...learned.map(({ name, memory, seen, version = 0 }) =>
        tx.put(detectors, space, name, { version: version + 1, memory, seen }),
      ),
      ...found.map(([id, document]) => tx.insert(anomalies, space, id, document)),
      ...around.map(([id, document]) => tx.insert(surroundings, space, id, document)),
    ]);
    for (const alert of foundAlerts(caller, found)) await raise(tx, alert);
    return true;
  }

  return {
    async analyze(work, caller) {
      const space = spaceOf(caller);
      let reply: Reply<never> | undefined;
      const answers = {
        known: (names: readonly string[]) => known(space, names),
        reported: (ids: readonly string[]) => reported(space, ids),
        async keep({ answer, kept, ...findings }: Findings) {
          if (answer) {
            reply = await store.transact(
              async (tx) => ((await write(tx, caller, findings)) ? Reply.json(answer) : undefined),
              caller.answer,
            );
            return reply !== undefined;
          }
          const outcome = await store.transact(
            async (tx) => ((await write(tx, caller, findings)) ? (kept ?? true) : false),
            caller.step,
          );
          return outcome === kept || outcome;
        },
      };
      const answer = await work.run<typeof analyzeJob>({ context: { now: clock.now() }, answers });
      return reply ?? Reply.json(answer as Uint8Array);
    },

    history: (query, caller) => store.transact((tx) => historyPage(tx, spaceOf(caller), query)),

    show: ({ id }, caller) =>
      store.transact(async (tx) => ({
        anomaly: anomalyOf(id, await anomalyIn(tx, spaceOf(caller), id)),
        around: await readSurroundings(tx, spaceOf(caller), id),
      })),

    async dismiss({ id, reason }, caller) {
      const now = clock.now();
      return store.transact(
        async (tx) => ({
          anomaly: anomalyOf(id, await dismiss(tx, spaceOf(caller), { id, reason, now })),
        }),
        caller.answer,
      );
    },

    async apply({ id }, caller) {
      const now = clock.now();
      return store.transact(async (tx) => {
        const { anomaly, changed } = await apply(tx, spaceOf(caller), { id, now });
        const { method, path } = anomaliesContract.changeSettings;
        const body = { metric: changed.metric, ...changed.before };
        return { anomaly: anomalyOf(id, anomaly), changed, undo: { method, path, body } };
      }, caller.answer);
    },

    reopen: ({ id }, caller) =>
      store.transact(
        async (tx) => ({ anomaly: anomalyOf(id, await reopen(tx, spaceOf(caller), id)) }),
        caller.answer,
      ),

    settings: (page, caller) => store.transact((tx) => settingsPage(tx, spaceOf(caller), page)),

    async changeSettings({ metric, ...settings }, caller) {
      const space = spaceOf(caller);
      return store.transact(async (tx) => {
        const { after } = await changeSettings(tx, space, metric, settings);
        return { metric, settings: after };
      }, caller.answer);
    },
  };
}

function weightsOf(dismissed: Partial<Record<Kind, number>>): Partial<Record<Kind, number>> {
  return Object.fromEntries(
    Object.entries(dismissed).map(([kind, count]) => [kind, Math.max(MIN_WEIGHT, DISMISSAL ** count)]),
  );
}
