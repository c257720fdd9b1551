import { Argument, type Option } from "commander";
import type { Context } from "./context.ts";

/** What may be given in a place, with what tells it apart. */
export interface Choice {
  value: string;
  description: string;
}

/** Asks the server for what there is; `part` narrows it down. */
type Source = (client: Context["client"], part: string) => Promise<Choice[]>;

const MOST = 200;
/** Whoever waits at a prompt or at TAB. */
const ONCE = { retry: false, timeoutMs: 2000 };

const SOURCES: Readonly<Record<string, Source>> = {
  key: async (client, part) => {
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
  user: async (client, part) => {
    const { items } = await client.call("GET /api/v1/users", { limit: MOST, ...queryOf(part) }, ONCE);
    return items.map(({ email, role, status }) => ({ value: email, description: `${role}, ${status}` }));
  },
  project: async (client) => {
    const { items } = await client.call("GET /api/v1/projects", { limit: MOST }, ONCE);
    return items.map(({ id, name }) => ({ value: id, description: name === id ? "" : name }));
  },
  upstream: async (client) => {
    const { items } = await client.call("GET /api/v1/upstreams", {}, ONCE);
    return items.map(({ name, url }) => ({ value: name, description: url }));
  },
  account: async (client) => {
    const { items } = await client.call("GET /api/v1/accounts", { limit: MOST }, ONCE);
    return items.map(({ id, name, plan }) => ({ value: id, description: `${name}, ${plan}` }));
  },
  anomaly: async (client) => {
    const { items } = await client.call(
      "GET /api/v1/tools/anomalies/history",
      { limit: MOST, state: "open" },
      ONCE,
    );
    return items.map(({ id, metric, severity }) => ({ value: id, description: `${metric}, ${severity}` }));
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
  anomalyId: "anomaly",
};

/** Whether it is known what may be given there: by the command itself, or by the server. */
export function hasChoices(place: Argument | Option): boolean {
  return place.argChoices !== undefined || sourceOf(place) !== undefined;
}

/** None where nobody knows, the server does not answer, or it is not to be asked. */
export async function choicesOf(place: Argument | Option, context: Context, part = ""): Promise<Choice[]> {
  if (place.argChoices) return place.argChoices.map((value) => ({ value, description: "" }));
  const source = sourceOf(place);
  if (!source) return [];
  try {
    return context.trust.refusal() ? [] : await source(context.client, part);
  } catch {
    // Whatever else is wrong is said by the command itself.
    return [];
  }
}

function sourceOf(place: Argument | Option): Source | undefined {
  const name = place instanceof Argument ? place.name() : (place.long ?? "");
  return SOURCES[NAMES[name] ?? ""];
}
