import { systemClock } from "../../src/system/clock.ts";
import { createRandom } from "../../src/system/random.ts";
import type { TestApp, TestResponse } from "../support/app.ts";
import { bundleOf, mapOf, upload } from "../support/source-maps.ts";

const random = createRandom(systemClock);

/** A user with an account of their own. */
interface Person {
  accountId: string;
  token: string;
}

export interface Foreign {
  /** Creates what the path names, in another account, and returns its id. */
  make(app: TestApp, other: Person): Promise<string>;
  /** Returns an id of the same form that does not exist. */
  unknown(): string;
  body?: unknown;
}

/** Asserts that a request succeeded. Otherwise the comparison would prove nothing. */
async function done(request: Promise<TestResponse>): Promise<TestResponse> {
  const response = await request;
  if (response.status >= 300) throw new Error(response.text);
  return response;
}

const user: Foreign = {
  async make(app, { token }) {
    const body = { email: `member-${random.id("x")}@example.test`, role: "member" };
    return (await done(app.request("POST", "/api/v1/users", { key: token, body }))).body.user.id;
  },
  unknown: () => random.id("usr"),
};

const apiKey: Foreign = {
  async make(app, { token }) {
    const body = { name: "theirs", scopes: ["read"] };
    return (await done(app.request("POST", "/api/v1/keys", { key: token, body }))).body.key.id;
  },
  unknown: () => random.id("key"),
};

const project: Foreign = {
  async make(app, { token }) {
    const id = random.id("project");
    const body = { name: "theirs", learningOptIn: true };
    await done(app.request("PUT", `/api/v1/projects/${id}`, { key: token, body }));
    return id;
  },
  unknown: () => random.id("project"),
  body: { learningOptIn: false },
};

const decidedDevice: Foreign = {
  async make(app, { token }) {
    const begun = await app.request("POST", "/auth/device/code", { key: null, body: { client_id: "a" } });
    const code: string = begun.body.user_code;
    const body = { decision: "approve" };
    await done(app.request("POST", `/api/v1/device-authorizations/${code}`, { key: token, body }));
    return code;
  },
  unknown: () => "BCDF-GHJK",
  body: { decision: "approve" },
};

const signedInDevice: Foreign = {
  async make(app, { token }) {
    const { body } = await done(app.request("GET", "/api/v1/devices?sort=-createdAt", { key: token }));
    return body.items[0].id;
  },
  unknown: () => random.id("fam"),
};

const registeredClient: Foreign = {
  async make(app) {
    const body = { redirect_uris: ["http://127.0.0.1/back"] };
    return (await done(app.request("POST", "/auth/register", { key: null, body }))).body.client_id;
  },
  unknown: () => random.id("dcr"),
};

const account: Foreign = {
  make: async (_, { accountId }) => accountId,
  unknown: () => random.id("acc"),
};

const entity: Foreign = {
  async make(app, { token }) {
    const id = random.id("entity");
    const body = { id, type: "module", name: "theirs" };
    await done(app.request("POST", "/api/v1/tools/knowledge-graph/entity", { key: token, body }));
    return id;
  },
  unknown: () => random.id("entity"),
};

const diagnosis: Foreign = {
  async make(app, { token }) {
    const body = { log: "npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree\n" };
    const made = await done(app.request("POST", "/api/v1/tools/self-healing/diagnose", { key: token, body }));
    return made.body.diagnosisId;
  },
  unknown: () => random.id("dia"),
};

const memory: Foreign = {
  async make(app, { token }) {
    const body = { content: "What they would not tell." };
    const made = await done(app.request("POST", "/api/v1/tools/agent-memory/store", { key: token, body }));
    return made.body.memory.id;
  },
  unknown: () => random.id("mem"),
};

const anomaly: Foreign = {
  async make(app, { token }) {
    const body = { metrics: { [random.id("metric")]: [...Array(20).keys(), 1000] } };
    const made = await done(app.request("POST", "/api/v1/tools/anomalies/analyze", { key: token, body }));
    return made.body.anomalies[0].id;
  },
  unknown: () => random.id("ano"),
  body: {},
};

const pairSession: Foreign = {
  async make(app, { token }) {
    const body = { participants: [{ id: "theirs", role: "driver" }] };
    const made = await done(app.request("POST", "/api/v1/tools/pair/session", { key: token, body }));
    return made.body.session.id;
  },
  unknown: () => random.id("pair"),
};

const webhook: Foreign = {
  async make(app, { token }) {
    const body = { url: "https://hooks.invalid/" };
    return (await done(app.request("POST", "/api/v1/webhooks", { key: token, body }))).body.webhook.id;
  },
  unknown: () => random.id("whk"),
};

const error: Foreign = {
  async make(app, { token: key }) {
    const tools = "/api/v1/tools/observability";
    const { body } = await done(app.request("GET", `${tools}/config`, { key }));
    const { pathname, username } = new URL(body.errorTracking.dsn);
    const event = { body: { message: "it failed" }, key: null };
    await done(app.request("POST", `/api${pathname}/store/?sentry_key=${username}`, event));
    return (await done(app.request("GET", `${tools}/errors`, { key }))).body.items[0].fingerprint;
  },
  unknown: () => `err_${random.bytes(12).toString("hex")}`,
};

const sourceMaps: Foreign = {
  async make(app, { token: key }) {
    const debugId = "6d4f6b1a-93a1-4b43-9a0c-5f0f5a2e7c11";
    await done(upload(app, bundleOf({ [debugId]: mapOf("src/theirs.ts") }), { key }));
    const path = "/api/v1/tools/observability/source-maps";
    return (await done(app.request("GET", path, { key }))).body.items[0].id;
  },
  unknown: () => random.bytes(20).toString("hex"),
};

const pairChange = {
  author: "theirs",
  path: "a",
  baseRevision: 0,
  edits: [{ from: 0, to: 0, insert: "mine" }],
};

/**
 * Endpoints whose paths name something of the operator's, which all accounts share.
 * test/server/gateway/upstreams.test.ts covers whose usage each account sees.
 */
export const OF_THE_SERVER: ReadonlySet<string> = new Set(["upstreams.show"]);

/** What the path names, by endpoint. The test fails for an endpoint with a path parameter that is missing here. */
export const FOREIGN: Record<string, Foreign> = {
  "users.renewInvitation": { ...user, body: {} },
  "users.update": { ...user, body: { role: "member" } },
  "users.signInLink": { ...user, body: {} },
  "users.delete": user,
  "keys.show": apiKey,
  "keys.update": { ...apiKey, body: { name: "mine" } },
  "keys.rotate": { ...apiKey, body: {} },
  "keys.delete": apiKey,
  "devices.revoke": signedInDevice,
  "clients.revoke": registeredClient,
  "projects.update": project,
  "projects.empty": { ...project, body: undefined },
  "projects.delete": { ...project, body: undefined },
  "observability.showError": error,
  "observability.deleteError": error,
  "observability.deleteSourceMaps": sourceMaps,
  "webhooks.show": webhook,
  "webhooks.update": { ...webhook, body: { description: "mine" } },
  "webhooks.delete": webhook,
  "webhooks.rotate": { ...webhook, body: {} },
  "webhooks.test": { ...webhook, body: {} },
  "webhooks.deliveries": webhook,
  "webhooks.delivery": webhook,
  "webhooks.redeliver": { ...webhook, body: {} },
  "deviceAuthorizations.show": { ...decidedDevice, body: undefined },
  "deviceAuthorizations.decide": decidedDevice,
  "accounts.update": { ...account, body: { name: "mine" } },
  "accounts.signInLink": { ...account, body: {} },
  "knowledge-graph.impact": entity,
  "knowledge-graph.showEntity": entity,
  "knowledge-graph.deleteEntity": entity,
  "agent-memory.show": memory,
  "agent-memory.correct": { ...memory, body: { content: "Mine." } },
  "agent-memory.forget": memory,
  "self-healing.show": diagnosis,
  "self-healing.delete": diagnosis,
  "pair.recent": pairSession,
  "pair.show": pairSession,
  "pair.change": { ...pairSession, body: pairChange },
  "pair.handoff": { ...pairSession, body: {} },
  "pair.end": { ...pairSession, body: {} },
  "pair.events": pairSession,
  "anomalies.show": { ...anomaly, body: undefined },
  "anomalies.reopen": anomaly,
  "anomalies.dismiss": anomaly,
  "anomalies.apply": anomaly,
};
