import { isFull, KiB, range, type WorstCases } from "./worst-case.ts";

/** As long as names and ids may be. */
const NAME = "n".repeat(256);

export const accounts: WorstCases<"accounts"> = {
  showAccount: { request: () => ({}), times: 20 },
  listUsers: { request: () => ({ query: { limit: "200" } }) },
  createUser: { request: () => ({ body: { email: `${"a".repeat(60)}@example.test`, role: "member" } }) },
  deleteUser: { request: () => ({ path: { userId: NAME } }) },
  listKeys: {
    prepare: (ask) =>
      Promise.all(range(50, () => ask("POST", "/api/v1/keys", { body: { name: NAME, scopes: ["read"] } }))),
    request: () => ({ query: { limit: "200" } }),
  },
  createKey: { request: () => ({ body: { name: NAME, scopes: range(100_000, () => "read") } }) },
  deleteKey: { request: () => ({ path: { keyId: NAME } }) },
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

export const gateway: WorstCases<"gateway"> = {
  listUpstreams: { request: () => ({}), times: 20 },
  showUpstream: { request: () => ({ path: { upstream: "u".repeat(40) } }), times: 20 },
};

export const oauth: WorstCases<"oauth"> = {
  showDeviceAuthorization: { request: () => ({ path: { userCode: "BBBB-BBBB" } }) },
  decideDeviceAuthorization: {
    request: () => ({ path: { userCode: "BBBB-BBBB" }, body: { decision: "deny" } }),
  },
};

/** A thousand events of which each has as much payload as fits. */
function batch() {
  const payload = Object.fromEntries(range(90, (index) => [`k${index}`, index]));
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
      // Fifty batches of a thousand events, each in an hour and with a tool of its own.
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
};

const HOUR_MS = 60 * 60 * 1000;

function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * HOUR_MS).toISOString();
}

function nested(levels: number): unknown {
  return levels === 0 ? 1 : { a: nested(levels - 1) };
}
