import { accountsCollections } from "../accounts/collections.ts";
import { alertsCollections } from "../alerts/model.ts";
import { auditCollections } from "../audit/model.ts";
import { BY_CALLER } from "../gateway/calls/call-counters.ts";
import { gatewayCollections } from "../gateway/collections.ts";
import { meteringCollections, meteringCounters } from "../metering/collections.ts";
import { oauthCollections } from "../oauth/model.ts";
import type { Collection } from "../store/store.ts";
import { mcpTasks } from "./mcp/mcp-tasks.ts";
import { idempotencyKeys, idempotencySteps } from "./operations/idempotency.ts";

/** The collections of the service itself, without those of its tools. */
export const serviceCollections: readonly Collection<unknown>[] = [
  ...accountsCollections,
  ...alertsCollections,
  ...auditCollections,
  ...oauthCollections,
  ...meteringCollections,
  ...gatewayCollections,
  idempotencyKeys,
  idempotencySteps,
  mcpTasks,
];

/** The names of the service's own counters of accounts and projects. */
export const serviceCounters: readonly string[] = [...meteringCounters, BY_CALLER];
