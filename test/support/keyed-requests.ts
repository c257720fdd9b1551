import { hash } from "node:crypto";
import { endpoints } from "../../src/api.ts";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import type { OpenedStore, StoreItem } from "../../src/store/store.ts";

/** Sends a request of one project. */
export type Send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers without their types
) => Promise<{ status: number; text: string; body: any; headers: Headers }>;

/** A request to an endpoint that takes an `Idempotency-Key`. */
export interface KeyedRequest {
  endpoint: Endpoint;
  path: string;
  body: unknown;
}

/** Creates what a request needs in a project of its own, and returns the parameters and body of that request. */
type Prepare = (
  send: Send,
  project: string,
) => Promise<{ parameters?: Record<string, string>; body?: unknown }>;

const TOOLS = "/api/v1/tools";
const LOG = "npm ERR! code ENOSPC\nnpm ERR! errno -28\nnpm ERR! ENOSPC: no space left on device, write\n";
const BUILDS = Array.from({ length: 60 }, (_, index) => (index === 50 ? 160 : 100 + (index % 5)));
const PAIR = {
  participants: [
    { id: "ann", role: "driver" },
    { id: "bob", role: "navigator" },
  ],
  files: [{ path: "a.txt", content: "hello" }],
};

async function made(send: Send, method: string, path: string, body?: unknown) {
  const answer = await send(method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

function got(send: Send, path: string) {
  return made(send, "GET", path);
}

async function anomaly(send: Send) {
  const { anomalies } = await made(send, "POST", `${TOOLS}/anomalies/analyze`, {
    metrics: { build: BUILDS },
  });
  return { id: anomalies[0].id as string };
}

async function session(send: Send) {
  return { sessionId: (await made(send, "POST", `${TOOLS}/pair/session`, PAIR)).session.id as string };
}

/** Seconds since the epoch, as Sentry's SDKs send them. The same in all projects, so that their effects are equal. */
const timestamp = Date.now() / 1000 - 60;

/** Reports an error to the project, and returns its fingerprint. */
async function reported(send: Send) {
  const { errorTracking } = await got(send, `${TOOLS}/observability/config`);
  const { pathname, username } = new URL(errorTracking.dsn);
  await made(send, "POST", `/api${pathname}/store/?sentry_key=${username}`, {
    message: "it failed",
    timestamp,
  });
  const { items } = await got(send, `${TOOLS}/observability/errors`);
  return { fingerprints: [items[0].fingerprint as string] };
}

async function optIn(send: Send, project: string) {
  await made(send, "PUT", `/api/v1/projects/${project}`, { learningOptIn: true });
}

const PREPARE: Record<string, Prepare> = {
  "keys.rotate": async (send) => {
    const { key } = await made(send, "POST", "/api/v1/keys", { name: "ci", scopes: ["read"] });
    return { parameters: { keyId: key.id }, body: { overlapSeconds: 60 } };
  },
  "webhooks.rotate": async (send) => {
    const { webhook } = await made(send, "POST", "/api/v1/webhooks", { url: "https://hooks.example.com/" });
    return { parameters: { webhookId: webhook.id }, body: { overlapSeconds: 60 } };
  },
  "usage.track": async () => ({ body: { type: "api_calls", count: 3 } }),
  "usage.batch": async () => ({
    body: { events: [{ event: "api.call" }, { event: "agent.invoked", id: "e1" }, { event: "" }] },
  }),
  "knowledge-graph.addEntity": async () => ({ body: { type: "service", name: "Billing" } }),
  "knowledge-graph.addRelationship": async (send) => {
    for (const id of ["a", "b"]) {
      await made(send, "POST", `${TOOLS}/knowledge-graph/entity`, { id, type: "service", name: id });
    }
    return { body: { from: "a", to: "b", type: "calls" } };
  },
  "knowledge-graph.import": async () => ({
    body: {
      entities: [
        { id: "a", type: "service", name: "A" },
        { id: "b", type: "service", name: "B" },
      ],
      relationships: [{ from: "a", to: "b", type: "calls" }],
    },
  }),
  "knowledge-graph.deleteMany": async (send) => {
    const entities = ["a", "b", "c"].map((id) => ({ id, type: "service", name: id }));
    const relationships = ["b", "c"].map((to) => ({ from: "a", to, type: "calls" }));
    await made(send, "POST", `${TOOLS}/knowledge-graph/import`, { entities, relationships });
    return { body: { entities: ["b"], relationships: [{ from: "a", to: "c", type: "calls" }] } };
  },
  "anomalies.analyze": async () => ({ body: { metrics: { build: BUILDS } } }),
  /** Enough metrics that they are judged and stored in several steps. */
  "anomalies.analyze in steps": async () => ({
    body: { metrics: Object.fromEntries(Array.from({ length: 70 }, (_, n) => [`m${n}`, BUILDS])) },
  }),
  "anomalies.dismiss": async (send) => ({ parameters: await anomaly(send), body: { reason: "known" } }),
  "anomalies.apply": async (send) => ({ parameters: await anomaly(send), body: {} }),
  "anomalies.reopen": async (send) => {
    const parameters = await anomaly(send);
    await made(send, "POST", `${TOOLS}/anomalies/dismiss/${parameters.id}`, {});
    return { parameters, body: {} };
  },
  "anomalies.changeSettings": async () => ({ body: { metric: "build", high: 200 } }),
  "models.outcome": async (send) => {
    const { items } = await got(send, `${TOOLS}/models`);
    const model = `${items[0].provider}/${items[0].id}`;
    return { body: { model, kind: "code", outcome: "success", latencyMs: 1200 } };
  },
  "pair.start": async () => ({ body: PAIR }),
  "pair.change": async (send) => ({
    parameters: await session(send),
    body: { author: "ann", path: "a.txt", baseRevision: 0, edits: [{ from: 5, to: 5, insert: "!" }] },
  }),
  "pair.handoff": async (send) => ({ parameters: await session(send), body: {} }),
  "pair.end": async (send) => ({ parameters: await session(send), body: {} }),
  "self-healing.diagnose": async () => ({ body: { log: LOG } }),
  "self-healing.record": async (send) => {
    const { diagnosisId } = await made(send, "POST", `${TOOLS}/self-healing/diagnose`, { log: LOG });
    return { body: { diagnosisId, outcome: "success", fix: "Freed the disk." } };
  },
  "agent-memory.store": async () => ({ body: { content: "The build takes nine minutes." } }),
  "agent-memory.correct": async (send) => {
    const { memory } = await made(send, "POST", `${TOOLS}/agent-memory/store`, { content: "It is green." });
    return { parameters: { memoryId: memory.id }, body: { content: "It is blue." } };
  },
  "agent-memory.storeMany": async () => ({
    body: { memories: [{ content: "The queue is Redis." }, { content: "Deploys go out on Tuesdays." }] },
  }),
  "observability.resolveErrors": async (send) => ({ body: await reported(send) }),
  "observability.ignoreErrors": async (send) => ({ body: { ...(await reported(send)), more: 10 } }),
  "observability.reopenErrors": async (send) => {
    const body = await reported(send);
    await made(send, "POST", `${TOOLS}/observability/errors/resolve`, body);
    return { body };
  },
  "learning.benchmark": async (send, project) => {
    await optIn(send, project);
    return { body: { type: "build_duration", value: 60 } };
  },
  "learning.pattern": async (send, project) => {
    await optIn(send, project);
    return { body: { title: `Cache ${project}`, description: "Keep what is the same.", category: "build" } };
  },
};

/** Every endpoint that takes an `Idempotency-Key`. */
export const keyed: readonly Endpoint[] = endpoints.filter(({ idempotent }) => idempotent !== undefined);

/** One request of each kind. */
export const kinds: readonly { name: string; endpoint: Endpoint }[] = [
  ...keyed.map((endpoint) => ({ name: endpoint.name, endpoint })),
  ...Object.keys(PREPARE).flatMap((name) => {
    const endpoint = keyed.find((each) => name.startsWith(`${each.name} `));
    return endpoint ? [{ name, endpoint }] : [];
  }),
];

/** Prepares a project for a request of a kind. */
export async function prepare(
  endpoint: Endpoint,
  send: Send,
  project: string,
  kind = endpoint.name,
): Promise<KeyedRequest> {
  const known = PREPARE[kind];
  if (!known) throw new Error(`${endpoint.name} takes an Idempotency-Key: say in this file how to ask it`);
  const { parameters = {}, body } = await known(send, project);
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parameters[name] ?? ""),
  );
  return { endpoint, path, body };
}

/**
 * Returns a function that lists what a store holds of a project, without times and generated ids. The lists of
 * two projects are equal if the same requests took effect equally often.
 */
export async function effectsIn(store: Pick<OpenedStore, "dump">): Promise<(project: string) => string[]> {
  const items: { item: StoreItem; text: string }[] = [];
  for await (const item of store.dump()) {
    const isKey = "collection" in item && item.collection.startsWith("idempotency_");
    if (!isKey) items.push({ item, text: JSON.stringify(withoutNames(item)) });
  }
  return (project) =>
    items
      .flatMap(({ item, text }) => {
        if (item.space.endsWith(`/${project}`))
          return [digestOf(plain(text).replaceAll(project, "<project>"), item)];
        // Shared patterns belong to no account, but the test has put the project's name into their titles.
        return text.includes(`Cache ${project}"`) && "collection" in item ? [item.collection] : [];
      })
      .sort();
}

/** Masks telemetry ids, which are stored as hashes with a random seed. Their days, number and notes remain. */
function withoutNames(item: StoreItem): StoreItem {
  if (!("collection" in item) || item.collection !== "usage_id_buckets") return item;
  return { ...item, value: String(item.value).replace(/ (\w{3})[\w-]{10}/g, " $1<name>") };
}

/** Hashes an item, since a failed assertion prints all of them. */
function digestOf(text: string, item: StoreItem): string {
  return `${"collection" in item ? item.collection : item.counter} ${hash("sha256", text)}`;
}

function plain(text: string): string {
  return (
    text
      .replace(/\b[a-z]{2,10}_[0-9a-z]{26}/g, "<id>")
      // Telemetry ids are stored as hashes with a random seed.
      .replace(/"seed":"[\w-]{22}"/, '"seed":"<chance>"')
      .replace(/(?<=[" ])[0-9a-z]{3}[\w-]{10}(?=[\w-]{0,12}[ "])/g, "<name>")
      .replace(/\b1[0-9]{12}\b/g, "<time>")
      .replace(/\d{4}-\d\d(-\d\d(T\d\d)?)?/g, "<date>")
  );
}
