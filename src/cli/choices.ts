import { Argument, type Option } from "commander";
import type { Context } from "./context.ts";
import { signIns } from "./credentials/records.ts";

/** What may be given in a place, with what tells it apart. */
export interface Choice {
  value: string;
  description: string;
}

/** Looks for what there is, mostly on the server; `part` narrows it down, `before` is the word in front. */
type Source = (context: Context, part: string, before: string) => Promise<Choice[]>;

const MOST = 200;
/** Whoever waits at a prompt or at TAB. */
const ONCE = { retry: false, timeoutMs: 2000 };

const projectsOf: Source = async ({ client }) => {
  const { items } = await client.call("GET /api/v1/projects", { limit: MOST }, ONCE);
  return items.map(({ id, name }) => ({ value: id, description: name === id ? "" : name }));
};

/** Those that somebody has signed in to here. */
function servers(dataDirectory: string): Choice[] {
  const there = signIns(dataDirectory).filter(({ current, ended }) => current && !ended);
  return there.map(({ baseUrl, account }) => ({ value: baseUrl, description: account?.name ?? "" }));
}

const SOURCES: Readonly<Record<string, Source>> = {
  key: async ({ client }, part) => {
    const { items } = await client.call("GET /api/v1/keys", { limit: MOST, ...queryOf(part) }, ONCE);
    const taken = new Set<string>();
    const several = new Set(
      items.map(({ name }) => name).filter((name) => taken.size === taken.add(name).size),
    );
    return items.map(({ name, id, scopes }) =>
      several.has(name)
        ? { value: id, description: `${name}, ${scopes.join(" ")}` }
        : { value: name, description: `${id}, ${scopes.join(" ")}` },
    );
  },
  user: async ({ client }, part) => {
    const { items } = await client.call("GET /api/v1/users", { limit: MOST, ...queryOf(part) }, ONCE);
    return items.map(({ email, role, status }) => ({ value: email, description: `${role}, ${status}` }));
  },
  project: projectsOf,
  upstream: async ({ client }) => {
    const { items } = await client.call("GET /api/v1/upstreams", {}, ONCE);
    return items.map(({ name, url }) => ({ value: name, description: url }));
  },
  account: async ({ client }) => {
    const { items } = await client.call("GET /api/v1/accounts", { limit: MOST }, ONCE);
    return items.map(({ id, name, plan }) => ({ value: id, description: `${name}, ${plan}` }));
  },
  server: async ({ settings }) => servers(settings.directories.data),
  signIn: async ({ settings }) => {
    const there = signIns(settings.directories.data).filter(({ ended }) => !ended);
    return there.flatMap(({ baseUrl, account, user }) => {
      const description = [account?.name, user?.email].filter(Boolean).join(", ");
      const host = { value: new URL(baseUrl).host, description };
      return account ? [{ value: account.name, description: baseUrl }, host] : [host];
    });
  },
  settingValue: async (context, part, name) => {
    if (name === "telemetry" || name === "updateNotice") {
      return ["on", "off"].map((value) => ({ value, description: "" }));
    }
    if (name === "baseUrl") return servers(context.settings.directories.data);
    return name === "project" ? projectsOf(context, part, name) : [];
  },
  anomaly: async ({ client }) => {
    const { items } = await client.call(
      "GET /api/v1/tools/anomalies/history",
      { limit: MOST, state: "open" },
      ONCE,
    );
    return items.map(({ id, metric, severity }) => ({ value: id, description: `${metric}, ${severity}` }));
  },
  webhook: async ({ client }) => {
    const { items } = await client.call("GET /api/v1/webhooks", { limit: MOST }, ONCE);
    return items.map(({ id, url }) => ({ value: id, description: url }));
  },
  alert: async ({ client }, _, webhook) => {
    const { items: webhooks } = await client.call("GET /api/v1/webhooks", { limit: MOST }, ONCE);
    const found = webhooks.find(({ id, url }) => id === webhook || url === webhook);
    if (!found) return [];
    const route = "GET /api/v1/webhooks/{webhookId}/deliveries";
    const { items } = await client.call(route, { webhookId: found.id, limit: MOST }, ONCE);
    return items.map(({ alertId, type, state }) => ({ value: alertId, description: `${type}, ${state}` }));
  },
  session: async ({ client }) => {
    const { items } = await client.call("GET /api/v1/tools/pair/session", { limit: MOST }, ONCE);
    return items.map(({ session: { id, title = "", state } }) => ({
      value: id,
      description: [title, state].filter(Boolean).join(", "),
    }));
  },
  memory: async ({ client }) => {
    const { items } = await client.call("GET /api/v1/tools/agent-memory", { limit: MOST }, ONCE);
    return items.map(({ memory: { id, content } }) => ({ value: id, description: content }));
  },
  diagnosis: async ({ client }) => {
    const { items } = await client.call("GET /api/v1/tools/self-healing/history", { limit: MOST }, ONCE);
    return items.map(({ diagnosisId, category }) => ({ value: diagnosisId, description: category }));
  },
  error: async ({ client }) => {
    const { items } = await client.call("GET /api/v1/tools/observability/errors", { limit: MOST }, ONCE);
    return items.map(({ fingerprint, type, message }) => ({
      value: fingerprint,
      description: `${type}: ${message}`,
    }));
  },
  model: async ({ client }) => {
    const { items } = await client.call("GET /api/v1/tools/models", {}, ONCE);
    return items.map(({ id, provider }) => ({ value: id, description: provider }));
  },
};

function queryOf(part: string): { query?: string } {
  return part === "" ? {} : { query: part };
}

/** By the name of an argument or of an option, where that says what it is. */
const NAMES: Readonly<Record<string, string>> = {
  key: "key",
  user: "user",
  userId: "user",
  "--user": "user",
  "--actor": "user",
  projectId: "project",
  "--project": "project",
  "--only-project": "project",
  upstream: "upstream",
  accountId: "account",
  "--account": "account",
  "--base-url": "server",
  accountOrServer: "signIn",
  settingValue: "settingValue",
  anomalyId: "anomaly",
  webhook: "webhook",
  alert: "alert",
  session: "session",
  memoryId: "memory",
  diagnosisId: "diagnosis",
  fingerprint: "error",
  model: "model",
};

/** Whether it is known what may be given there: by the command itself, the server, or what lies here. */
export function hasChoices(place: Argument | Option): boolean {
  return place.argChoices !== undefined || sourceOf(place) !== undefined;
}

/** None where nobody knows, the server does not answer, or it is not to be asked. */
export async function choicesOf(
  place: Argument | Option,
  context: Context,
  part = "",
  before = "",
): Promise<Choice[]> {
  if (place.argChoices) return place.argChoices.map((value) => ({ value, description: "" }));
  const source = sourceOf(place);
  if (!source) return [];
  try {
    return context.trust.refusal() ? [] : await source(context, part, before);
  } catch {
    // Whatever else is wrong is said by the command itself.
    return [];
  }
}

function sourceOf(place: Argument | Option): Source | undefined {
  const name = place instanceof Argument ? place.name() : (place.long ?? "");
  return SOURCES[NAMES[name] ?? ""];
}
