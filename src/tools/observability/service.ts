import { type Caller, runsServer } from "../../contract/caller.ts";
import type { Handlers } from "../../contract/endpoint.ts";
import { Problem } from "../../contract/problem.ts";
import { GLOBAL, projectSpace, type Space, type Store } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import type { Random } from "../../system/random.ts";
import type { observabilityContract } from "./contract.ts";
import {
  type Decide,
  decideAll,
  ignoring,
  type Located,
  locate,
  remove,
  resolving,
} from "./groups/change.ts";
import { detailsOf } from "./groups/shown.ts";
import { listErrors } from "./list.ts";
import { openTelemetryOf } from "./open-telemetry.ts";
import { createReporters, dsnOf } from "./reporters.ts";
import type { RestoredStack } from "./source-maps/contract.ts";
import { removeBundle } from "./source-maps/keep.ts";
import { listBundles } from "./source-maps/list.ts";
import { restoredStack } from "./source-maps/restored.ts";
import type { SourceMaps } from "./source-maps/source-maps.ts";

export interface ObservabilityPorts {
  store: Store;
  clock: Clock;
  random: Random;
  baseUrl: () => string;
  /** The endpoint that the operator chose for the projects' telemetry. */
  otlpEndpoint?: string | undefined;
  sourceMaps: Pick<SourceMaps, "originals">;
  getOrCreateProject: (accountId: string, projectId: string) => Promise<void>;
}

export function createObservability(ports: ObservabilityPorts): Handlers<typeof observabilityContract> {
  const { store, clock, baseUrl, otlpEndpoint, sourceMaps, getOrCreateProject } = ports;
  const reporters = createReporters(ports);

  async function change(caller: Caller, fingerprints: readonly string[], decide: Decide) {
    const now = clock.now();
    return store.transact(
      async (tx) => ({ items: await decideAll(tx, spacesOf(caller), { fingerprints, decide, now }) }),
      caller.answer,
    );
  }

  async function restoredOf({ group, details }: Located, caller: Caller): Promise<RestoredStack | undefined> {
    const { stack, places } = details ?? {};
    if (stack === undefined || places === undefined) return undefined;
    const originals = await sourceMaps.originals(caller, places);
    return restoredStack(stack, `${group.type}: ${group.message}`, { places, originals });
  }

  return {
    async config(_, caller) {
      const { accountId, projectId } = caller;
      // Creating the project first means that the bound on projects also bounds keys.
      await getOrCreateProject(accountId, projectId);
      const key = await reporters.keyOf(accountId, projectId);
      return {
        openTelemetry: openTelemetryOf(otlpEndpoint, caller),
        errorTracking: {
          enabled: true,
          dsn: dsnOf(key, baseUrl()),
          environment: "production",
          release: null,
          sampleRate: 1,
        },
      };
    },

    async errors(query, caller) {
      const { items, ...more } = await listErrors(store, spacesOf(caller), query, clock.now());
      return { items: items.map((item) => shownTo(caller, item)), ...more };
    },

    async showError({ fingerprint }, caller) {
      const found = await store.transact((tx) => locate(tx, spacesOf(caller), fingerprint));
      const { group, details } = found;
      const restored = found.space === GLOBAL ? undefined : await restoredOf(found, caller);
      const error = detailsOf(fingerprint, group, details, clock.now());
      return { error: { ...shownTo(caller, error), ...(restored && { restored }) } };
    },

    async resolveErrors({ fingerprints, ...how }, caller) {
      return change(caller, fingerprints, resolving(how, { by: caller.userId, now: clock.now() }));
    },

    async ignoreErrors({ fingerprints, ...how }, caller) {
      return change(caller, fingerprints, ignoring(how, { by: caller.userId, now: clock.now() }));
    },

    async reopenErrors({ fingerprints }, caller) {
      return change(caller, fingerprints, () => undefined);
    },

    async deleteError({ fingerprint }, caller) {
      await store.transact((tx) => remove(tx, spacesOf(caller), fingerprint));
      return { deleted: fingerprint };
    },

    async sourceMaps(page, { accountId, projectId }) {
      return listBundles(store, projectSpace(accountId, projectId), page);
    },

    async deleteSourceMaps({ bundleId }, { accountId, projectId }) {
      const isGone = await removeBundle(store, projectSpace(accountId, projectId), bundleId);
      if (!isGone) throw new Problem("not_found", `There is no bundle ${bundleId} in this project.`);
      return { deleted: bundleId };
    },
  };
}

/** Returns the spaces whose errors a caller may see. Errors without a project are for operators. */
function spacesOf(caller: Caller): Space[] {
  const own = projectSpace(caller.accountId, caller.projectId);
  return runsServer(caller.credential) ? [own, GLOBAL] : [own];
}

/**
 * Removes the stack of a server error unless the caller is an operator, since it shows this program's paths
 * and calls.
 */
function shownTo<T extends { source: string; stack?: string | undefined }>(caller: Caller, group: T): T {
  if (group.source !== "server" || runsServer(caller.credential)) return group;
  const { stack: _, ...shown } = group;
  return shown as T;
}
