import { planNameOf } from "../client/plan-names.ts";
import type { RouteInput } from "../client/routes.ts";
import type { Context } from "./context.ts";
import { signIns } from "./credentials/records.ts";
import { DIMENSIONS } from "./usage/usage-dimensions.ts";

/** A possible value of an argument or option, with a description that tells it apart from the others. */
export interface Choice {
  value: string;
  description: string;
}

/** The place in a command line that a value is chosen for. */
export interface Asking {
  /** The command's own name, such as `reopen`; a command may only offer some of the values. */
  command: string;
  /** The part of the value that is already typed. */
  part: string;
  /** The previous argument; empty if there is none. */
  argument: string;
}

/** Looks up the possible values, mostly on the server. */
export type Source = (context: Context, asking: Asking) => Promise<Choice[]>;

const MAX_CHOICES = 200;
/** A person waits at a prompt or after TAB, so a lookup is short and not retried. */
const ONCE = { retry: false, timeoutMs: 2000 };

const projectsOf: Source = async ({ client }, { command }) => {
  const state = STATE_OF_PROJECTS[command] ?? "active";
  const { items } = await client.call("GET /api/v1/projects", { limit: MAX_CHOICES, state }, ONCE);
  return items.map(({ id, name }) => ({ value: id, description: name === id ? "" : name }));
};

const STATE_OF_PROJECTS: Readonly<Record<string, "active" | "archived" | "all">> = {
  restore: "archived",
  delete: "all",
  empty: "all",
};

/** The status of the users that a command can be applied to. */
const STATUS_OF_USERS: Readonly<Record<string, RouteInput<"GET /api/v1/users">["status"]>> = {
  renew: "invited",
  suspend: "active",
  resume: "suspended",
  link: "active",
  transfer: "active",
};

/** For `resume` and `suspend`, returns the suspended items or the others; for other commands, all of them. */
function suspendable<T extends { suspendedAt?: string }>(items: readonly T[], command: string): readonly T[] {
  if (command !== "suspend" && command !== "resume") return items;
  return items.filter(({ suspendedAt }) => (suspendedAt !== undefined) === (command === "resume"));
}

/** The built-in tools that store data, by the server's names. A server may have other tools too. */
export const KEEPING_TOOLS = [
  "agent-memory",
  "anomalies",
  "knowledge-graph",
  "learning",
  "models",
  "observability",
  "pair",
  "self-healing",
] as const;

/** Returns the servers that the user is signed in to. */
function servers(dataDirectory: string): Choice[] {
  const there = signIns(dataDirectory).filter(({ current, ended }) => current && !ended);
  return there.map(({ baseUrl, account }) => ({ value: baseUrl, description: account?.name ?? "" }));
}

export const SOURCES = {
  key: async ({ client }, { part, command }) => {
    const { items } = await client.call(
      "GET /api/v1/keys",
      { limit: MAX_CHOICES, query: part || undefined },
      ONCE,
    );
    const taken = new Set<string>();
    const several = new Set(
      items.map(({ name }) => name).filter((name) => taken.size === taken.add(name).size),
    );
    return suspendable(items, command).map(({ name, id, scopes }) =>
      several.has(name)
        ? { value: id, description: `${name}, ${scopes.join(" ")}` }
        : { value: name, description: `${id}, ${scopes.join(" ")}` },
    );
  },
  user: async ({ client }, { part, command }) => {
    const status = STATUS_OF_USERS[command];
    const query = { limit: MAX_CHOICES, query: part || undefined, status };
    const { items } = await client.call("GET /api/v1/users", query, ONCE);
    return items.map(({ email, role, status }) => ({ value: email, description: `${role}, ${status}` }));
  },
  device: async ({ client }, { part }) => {
    const query = { limit: MAX_CHOICES, query: part || undefined };
    const { items } = await client.call("GET /api/v1/devices", query, ONCE);
    return items.map(({ id, clientName, clientId, email, address }) => ({
      value: id,
      description: `${clientName ?? clientId}, ${email}, ${address}`,
    }));
  },
  client: async ({ client }) => {
    const { items } = await client.call("GET /api/v1/clients", { limit: MAX_CHOICES }, ONCE);
    return items.map(({ id, name }) => ({ value: id, description: name }));
  },
  project: projectsOf,
  upstream: async ({ client }) => {
    const { items } = await client.call("GET /api/v1/upstreams", {}, ONCE);
    return items.map(({ name, url }) => ({ value: name, description: url }));
  },
  account: async ({ client }, { command }) => {
    const { items } = await client.call("GET /api/v1/accounts", { limit: MAX_CHOICES }, ONCE);
    return suspendable(items, command).map((account) => ({
      value: account.id,
      description: `${account.name}, ${planNameOf(account)}`,
    }));
  },
  plan: async ({ client }) => {
    const { plans } = await client.call("GET /api/v1/entitlements/resolve", {}, ONCE);
    return Object.entries(plans ?? {}).map(([value, description]) => ({ value, description }));
  },
  /** The next of several, with commas between them. */
  dimensions: async (_, { part }) => {
    const before = part.slice(0, part.lastIndexOf(",") + 1);
    const left = DIMENSIONS.filter((name) => !before.split(",").includes(name));
    return left.map((name) => ({ value: `${before}${name}`, description: "" }));
  },
  tool: async () => KEEPING_TOOLS.map((value) => ({ value, description: "" })),
  server: async ({ settings }) => servers(settings.directories.data),
  signIn: async ({ settings }) => {
    const there = signIns(settings.directories.data).filter(({ ended }) => !ended);
    return there.flatMap(({ baseUrl, account, user }) => {
      const description = [account?.name, user?.email].filter(Boolean).join(", ");
      const host = { value: new URL(baseUrl).host, description };
      return account ? [{ value: account.name, description: baseUrl }, host] : [host];
    });
  },
  settingValue: async (context, asking) => {
    const name = asking.argument;
    if (name === "telemetry" || name === "updateNotice") {
      return ["on", "off"].map((value) => ({ value, description: "" }));
    }
    if (name === "baseUrl") return servers(context.settings.directories.data);
    return name === "project" ? projectsOf(context, asking) : [];
  },
  anomaly: async ({ client }, { command }) => {
    const lists = await Promise.all(
      (command === "reopen" ? (["dismissed", "applied"] as const) : (["open"] as const)).map((state) =>
        client.call("GET /api/v1/tools/anomalies/history", { limit: MAX_CHOICES, state }, ONCE),
      ),
    );
    return lists
      .flatMap(({ items }) => items)
      .filter(({ suggestion }) => command !== "apply" || suggestion !== null)
      .map(({ id, metric, severity }) => ({ value: id, description: `${metric}, ${severity}` }));
  },
  webhook: async ({ client }) => {
    const { items } = await client.call("GET /api/v1/webhooks", { limit: MAX_CHOICES }, ONCE);
    return items.map(({ id, url }) => ({ value: id, description: url }));
  },
  alert: async ({ client }, { argument: webhook }) => {
    const { items: webhooks } = await client.call("GET /api/v1/webhooks", { limit: MAX_CHOICES }, ONCE);
    const found = webhooks.find(({ id, url }) => id === webhook || url === webhook);
    if (!found) return [];
    const route = "GET /api/v1/webhooks/{webhookId}/deliveries";
    const { items } = await client.call(route, { webhookId: found.id, limit: MAX_CHOICES }, ONCE);
    return items.map(({ alertId, type, state }) => ({ value: alertId, description: `${type}, ${state}` }));
  },
  session: async ({ client }, { command }) => {
    const state = command === "show" ? undefined : "active";
    const { items } = await client.call(
      "GET /api/v1/tools/pair/session",
      { limit: MAX_CHOICES, state },
      ONCE,
    );
    return items.map(({ session: { id, title = "", state } }) => ({
      value: id,
      description: [title, state].filter(Boolean).join(", "),
    }));
  },
  memory: async ({ client }) => {
    const { items } = await client.call("GET /api/v1/tools/agent-memory", { limit: MAX_CHOICES }, ONCE);
    return items.map(({ memory: { id, content } }) => ({ value: id, description: content }));
  },
  diagnosis: async ({ client }) => {
    const { items } = await client.call(
      "GET /api/v1/tools/self-healing/history",
      { limit: MAX_CHOICES },
      ONCE,
    );
    return items.map(({ diagnosisId, category }) => ({ value: diagnosisId, description: category }));
  },
  error: async ({ client }, { command }) => {
    const lists = await Promise.all(
      (STATES_OF_ERRORS[command] ?? [undefined]).map((state) =>
        client.call("GET /api/v1/tools/observability/errors", { limit: MAX_CHOICES, state }, ONCE),
      ),
    );
    return lists
      .flatMap(({ items }) => items)
      .map(({ fingerprint, type, message }) => ({
        value: fingerprint,
        description: `${type}: ${message}`,
      }));
  },
  sourceMaps: async ({ client }) => {
    const route = "GET /api/v1/tools/observability/source-maps";
    const { items } = await client.call(route, { limit: MAX_CHOICES }, ONCE);
    return items.map(({ id, release, maps }) => ({
      value: id,
      description: `${release ?? "no release"}, ${maps}`,
    }));
  },
  model: async ({ client }) => {
    const { items } = await client.call("GET /api/v1/tools/models", {}, ONCE);
    return items.map(({ id, provider }) => ({ value: id, description: provider }));
  },
} satisfies Readonly<Record<string, Source>>;

const STATES_OF_ERRORS: Readonly<Record<string, readonly ("open" | "resolved" | "ignored")[]>> = {
  resolve: ["open", "ignored"],
  ignore: ["open", "resolved"],
  reopen: ["resolved", "ignored"],
};
