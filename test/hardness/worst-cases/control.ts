import { ACCOUNT_TYPES, OWN_TYPES } from "../../../src/alerts/alert.ts";
import { endpoints } from "../../../src/api.ts";
import { type Ask, isFull, KiB, range, type WorstCases } from "./worst-case.ts";

/** A name of the maximum length, which also applies to ids. */
const NAME = "n".repeat(256);

const ADDRESSES = range(50, (index) => `2001:db8:${index}::/48`);
const TOOLS = endpoints.slice(0, 50).map(({ name }) => name);

export const accounts: WorstCases<"accounts"> = {
  showAccount: { request: () => ({}), times: 20 },
  listUsers: {
    prepare: (ask) =>
      Promise.all(
        range(50, (index) =>
          ask("POST", "/api/v1/users", { body: { email: `${index}@example.test`, role: "member" } }),
        ),
      ),
    request: () => ({ query: { limit: "200", query: "z".repeat(254), status: "suspended" } }),
  },
  createUser: { request: () => ({ body: { email: `${"a".repeat(60)}@example.test`, role: "member" } }) },
  renewInvitation: { request: () => ({ path: { userId: NAME } }) },
  updateUser: { request: () => ({ path: { userId: NAME }, body: { role: "owner", suspended: true } }) },
  createResetLink: { request: () => ({ path: { userId: NAME } }) },
  leaveAccount: { request: () => ({ body: {} }) },
  transferAccount: { request: () => ({ body: { userId: NAME } }) },
  closeAccount: { request: () => ({ body: { name: NAME } }) },
  keepAccount: { request: () => ({ body: {} }) },
  exportAccount: { request: () => ({}) },
  exportPerson: { request: () => ({ query: { person: `${"a".repeat(60)}@example.test` } }) },
  deleteUser: { request: () => ({ path: { userId: NAME } }) },
  listKeys: {
    prepare: (ask) =>
      Promise.all(
        range(50, () =>
          ask("POST", "/api/v1/keys", { body: { name: NAME, scopes: ["read"], addresses: ADDRESSES } }),
        ),
      ),
    request: () => ({ query: { limit: "200", query: NAME.slice(0, 254), sort: "-name" } }),
  },
  createKey: {
    request: () => ({ body: { name: NAME, scopes: ["read"], addresses: ADDRESSES, tools: TOOLS } }),
  },
  showKey: { request: () => ({ path: { keyId: NAME } }) },
  updateKey: {
    prepare: async (ask) => {
      const made = await ask("POST", "/api/v1/keys", { body: { name: NAME, scopes: ["read"] } });
      return made.body.key.id;
    },
    request: (keyId: string) => ({ path: { keyId }, body: { addresses: ADDRESSES, tools: TOOLS } }),
  },
  rotateKey: {
    request: () => ({ path: { keyId: NAME }, body: {}, headers: { "Idempotency-Key": `k${Math.random()}` } }),
  },
  deleteKey: { request: () => ({ path: { keyId: NAME } }) },
  // Five devices a minute can be signed in, so there are none.
  listDevices: { request: () => ({ query: { limit: "200", query: "z".repeat(254), sort: "-email" } }) },
  revokeDevice: { request: () => ({ path: { deviceId: NAME } }) },
  listProjects: {
    prepare: (ask) =>
      Promise.all(range(200, (index) => ask("PUT", `/api/v1/projects/p${index}`, { body: { name: NAME } }))),
    request: () => ({ query: { limit: "200" } }),
  },
  updateProject: { request: () => ({ path: { projectId: "p0" }, body: { name: NAME } }) },
  emptyProject: {
    prepare: (ask) =>
      Promise.all(
        range(10, (part) =>
          ask("POST", "/api/v1/tools/knowledge-graph/import", {
            body: { entities: range(1000, (index) => ({ id: `${part}-${index}`, type: "t", name: NAME })) },
          }),
        ),
      ),
    request: () => ({ path: { projectId: "default" } }),
  },
  deleteProject: {
    prepare: async (ask) => {
      await ask("PUT", "/api/v1/projects/large", { body: { name: NAME } });
      return Promise.all(
        range(10, (part) =>
          ask("POST", "/api/v1/tools/knowledge-graph/import", {
            headers: { "X-Project-Id": "large" },
            body: { entities: range(1000, (index) => ({ id: `${part}-${index}`, type: "t", name: NAME })) },
          }),
        ),
      );
    },
    request: () => ({ path: { projectId: "large" } }),
  },
  listAccounts: { request: () => ({ query: { limit: "200" } }) },
  createAccount: { request: () => ({ body: { name: NAME, ownerEmail: "x@example.test", plan: "free" } }) },
  updateAccount: {
    request: () => ({
      path: { accountId: "acc_of_somebody" },
      body: { limits: { endpoints: Object.fromEntries(range(50_000, (index) => [`e${index}`, 1])) } },
    }),
  },
  createSignInLink: { request: () => ({ path: { accountId: "acc_of_somebody" }, body: {} }) },
};

const WEBHOOK = { url: `https://hooks.example.com/${"u".repeat(2000)}`, description: NAME };

/** Creates the maximum number of webhooks, and a delivery that waits for a host that does not answer. */
async function webhooks(ask: Ask): Promise<string> {
  const made = await Promise.all(range(10, () => ask("POST", "/api/v1/webhooks", { body: WEBHOOK })));
  const id: string = made.find(({ status }) => status === 201)?.body.webhook.id ?? NAME;
  await ask("POST", `/api/v1/webhooks/${id}/test`, { body: {} });
  return id;
}

export const alerts: WorstCases<"alerts"> = {
  listWebhooks: { prepare: webhooks, request: () => ({ query: { limit: "200" } }) },
  createWebhook: { request: () => ({ body: { ...WEBHOOK, types: [...OWN_TYPES, ...ACCOUNT_TYPES] } }) },
  showWebhook: { prepare: webhooks, request: (webhookId) => ({ path: { webhookId } }) },
  updateWebhook: {
    prepare: webhooks,
    request: (webhookId) => ({ path: { webhookId }, body: { ...WEBHOOK, enabled: true } }),
  },
  deleteWebhook: { request: () => ({ path: { webhookId: NAME } }) },
  rotateWebhookSecret: {
    prepare: webhooks,
    request: (webhookId) => ({
      path: { webhookId },
      body: {},
      headers: { "Idempotency-Key": `k${Math.random()}` },
    }),
  },
  testWebhook: { prepare: webhooks, request: (webhookId) => ({ path: { webhookId }, body: {} }) },
  listDeliveries: {
    prepare: webhooks,
    request: (webhookId) => ({ path: { webhookId }, query: { limit: "200", state: "waiting" } }),
  },
  showDelivery: { prepare: webhooks, request: (webhookId) => ({ path: { webhookId, alertId: NAME } }) },
  redeliver: {
    prepare: webhooks,
    request: (webhookId) => ({ path: { webhookId, alertId: NAME }, body: {} }),
  },
  showMailSettings: { request: () => ({}), times: 20 },
  changeMailSettings: {
    request: () => ({ body: { accountOff: OWN_TYPES, userOff: OWN_TYPES } }),
  },
};

export const audit: WorstCases<"audit"> = {
  listAuditLog: {
    prepare: (ask) =>
      Promise.all(range(200, (index) => ask("PUT", `/api/v1/projects/a${index}`, { body: { name: NAME } }))),
    request: () => ({ query: { limit: "200", query: "x".repeat(254) } }),
  },
};

export const gateway: WorstCases<"gateway"> = {
  listUpstreams: { request: () => ({}), times: 20 },
  showUpstream: { request: () => ({ path: { upstream: "u".repeat(40) } }), times: 20 },
};

export const oauth: WorstCases<"oauth"> = {
  // Ten clients a minute can register from an address, so there are none.
  listClients: { request: () => ({ query: { limit: "200" } }) },
  revokeClient: { request: () => ({ path: { clientId: NAME } }) },
  showDeviceAuthorization: { request: () => ({ path: { userCode: "BBBB-BBBB" } }) },
  decideDeviceAuthorization: {
    request: () => ({ path: { userCode: "BBBB-BBBB" }, body: { decision: "deny" } }),
  },
};

/** Returns a thousand events, with as many values as a body may hold. */
function batch() {
  const payload = Object.fromEntries(range(45, (index) => [`k${index}`, index]));
  return {
    events: range(1000, (index) => ({ event: "agent.invoked", id: `e${Math.random()}-${index}`, payload })),
  };
}

export const metering: WorstCases<"metering"> = {
  track: {
    request: () => ({
      body: { type: "api_calls", metadata: { deep: nested(30), text: "x".repeat(15 * KiB) } },
    }),
    times: 50,
  },
  recordBatch: { request: () => ({ body: batch(), headers: { "Idempotency-Key": `k${Math.random()}` } }) },
  showUsage: {
    prepare: async (ask) => {
      // Fifty batches of a thousand events, spread over hours and tools.
      for (let batch = 0; batch < (isFull() ? 50 : 3); batch++) {
        const events = range(1000, (index) => ({
          event: "agent.invoked",
          timestamp: Date.now() - (batch * 40 + (index % 40)) * HOUR_MS,
          payload: { tool: `tool-${index % 100}` },
        }));
        await ask("POST", "/api/v1/events/batch", { body: { events } });
      }
    },
    request: () => ({
      query: {
        groupBy: "key,user,project,tool",
        granularity: "hour",
        from: hoursAgo(8000),
        to: hoursAgo(-1),
      },
    }),
  },
  showBounds: { request: () => ({}), times: 20 },
  resolveEntitlements: { request: () => ({ headers: { "X-Project-Id": `p${Math.random()}` } }), times: 50 },
  resolveEntitlementsFor: {
    request: () => ({ body: { projectId: `p${Math.random()}`, context: { text: "x".repeat(15 * KiB) } } }),
  },
  listAgents: { request: () => ({}), times: 20 },
  listSigningKeys: { request: () => ({}), times: 20 },
  rotateSigningKey: { request: () => ({}) },
};

const HOUR_MS = 60 * 60 * 1000;

function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * HOUR_MS).toISOString();
}

function nested(levels: number): unknown {
  return levels === 0 ? 1 : { a: nested(levels - 1) };
}
