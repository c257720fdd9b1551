import * as accounts from "../accounts/model.ts";
import { gatewayCollections } from "../gateway/collections.ts";
import { meteringCollections } from "../metering/collections.ts";
import * as oauth from "../oauth/model.ts";
import type { Collection } from "../store/store.ts";
import { mcpTasks } from "./mcp/mcp-tasks.ts";
import { idempotencyKeys, idempotencySteps } from "./operations/idempotency.ts";

/** What the service keeps beside what its tools do. */
export const serviceCollections: readonly Collection<unknown>[] = [
  accounts.instances,
  accounts.accounts,
  accounts.userEmails,
  accounts.credentials,
  accounts.signInLinks,
  accounts.users,
  accounts.projects,
  accounts.apiKeys,
  accounts.tokenFamilies,
  accounts.browserSessions,
  ...oauth.oauthCollections,
  ...meteringCollections,
  ...gatewayCollections,
  idempotencyKeys,
  idempotencySteps,
  mcpTasks,
];
