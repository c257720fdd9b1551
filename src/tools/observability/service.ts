import { allows, type Caller } from "../../contract/caller.ts";
import type { Handlers } from "../../contract/endpoint.ts";
import { GLOBAL, projectSpace, type Store } from "../../store/store.ts";
import type { Random } from "../../system/random.ts";
import type { observabilityContract } from "./contract.ts";
import { listErrors } from "./list.ts";
import { openTelemetryOf } from "./open-telemetry.ts";
import { createReporters, dsnOf } from "./reporters.ts";

export interface ObservabilityPorts {
  store: Store;
  random: Random;
  baseUrl: () => string;
  /** Where the operator wants the projects' telemetry to go. */
  otlpEndpoint?: string | undefined;
  getOrCreateProject: (accountId: string, projectId: string) => Promise<void>;
}

export function createObservability(ports: ObservabilityPorts): Handlers<typeof observabilityContract> {
  const { store, baseUrl, otlpEndpoint, getOrCreateProject } = ports;
  const reporters = createReporters(ports);

  return {
    async config(_, caller) {
      const { accountId, projectId } = caller;
      // What bounds the number of projects bounds that of keys.
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
      const space = projectSpace(caller.accountId, caller.projectId);
      if (isOperator(caller)) return listErrors(store, [space, GLOBAL], query);
      const { items, ...more } = await listErrors(store, [space], query);
      return { items: items.map(withoutOurStack), ...more };
    },
  };
}

function isOperator({ credential }: Caller): boolean {
  return allows(credential.scopes, "operator");
}

/** Where this program lies and what it called is for its operator to know. */
function withoutOurStack<T extends { source: string; stack?: string | undefined }>(group: T): T {
  if (group.source !== "server") return group;
  const { stack: _, ...shown } = group;
  return shown as T;
}
