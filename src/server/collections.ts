import { accountsCollections } from "../accounts/model.ts";
import { auditCollections } from "../audit/model.ts";
import { gatewayCollections } from "../gateway/collections.ts";
import { meteringCollections } from "../metering/collections.ts";
import { oauthCollections } from "../oauth/model.ts";
import type { Collection } from "../store/store.ts";
import { mcpTasks } from "./mcp/mcp-tasks.ts";
import { idempotencyKeys, idempotencySteps } from "./operations/idempotency.ts";

/** What the service keeps beside what its tools do. */
export const serviceCollections: readonly Collection<unknown>[] = [
  ...accountsCollections,
  ...auditCollections,
  ...oauthCollections,
  ...meteringCollections,
  ...gatewayCollections,
  idempotencyKeys,
  idempotencySteps,
  mcpTasks,
];
