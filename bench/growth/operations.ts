import { Client } from "undici";
import { OWNER } from "../servers/start.ts";

export const OPERATIONS = ["write", "recall", "resolve", "login"] as const;
export type Operation = (typeof OPERATIONS)[number];

/** The data that every measurement reads: a hundred memories of one project. */
export const SEEDED = { project: "growth", memories: 100 };

const GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const TOOL = "/api/v1/tools/agent-memory";
const PROJECT = { ...OWNER, "X-Project-Id": SEEDED.project };
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };
const NOUNS = [
  "queue",
  "cache",
  "index",
  "journal",
  "token",
  "socket",
  "worker",
  "window",
  "budget",
  "digest",
];
const VERBS = [
  "fills",
  "drops",
  "rotates",
  "loses",
  "splits",
  "merges",
  "repeats",
  "ends",
  "outlives",
  "blocks",
];

/** Stores the memories of `SEEDED` in an empty store. */
export async function seed(url: string): Promise<void> {
  const client = new Client(url);
  const memories = Array.from({ length: SEEDED.memories }, (_, index) => ({
    content: `${index}: the ${NOUNS[index % 10]} ${VERBS[Math.floor(index / 10)]} what the ${NOUNS[(index * 7) % 10]} of step ${index} has left`,
  }));
  await send(client, "POST", `${TOOL}/store-many`, PROJECT, JSON.stringify({ memories }));
  await client.close();
}

/** Returns the operations of one caller on one connection, to be run one at a time. */
export async function begin(
  url: string,
): Promise<{ run: Record<Operation, () => Promise<void>>; end(): Promise<void> }> {
  const client = new Client(url);
  const track = JSON.stringify({ type: "api_calls" });
  let asked = 0;
  return {
    end: () => client.close(),
    run: {
      async write() {
        await send(client, "POST", "/api/v1/track", PROJECT, track);
      },
      async recall() {
        const q = `which ${NOUNS[asked % 10]} ${VERBS[asked++ % 7]}`;
        const { items } = await send(client, "GET", `${TOOL}/recall?${new URLSearchParams({ q })}`, PROJECT);
        if ((items as unknown[]).length === 0) throw new Error(`nothing is recalled of "${q}"`);
      },
      async resolve() {
        await send(client, "GET", "/api/v1/entitlements/resolve", OWNER);
      },
      async login() {
        const asking = new URLSearchParams({ client_id: "tool-cli", scope: "read write" });
        const { user_code, device_code } = await send(client, "POST", "/auth/device/code", FORM, `${asking}`);
        const decision = '{"decision":"approve"}';
        await send(client, "POST", `/api/v1/device-authorizations/${user_code}`, OWNER, decision);
        const code = { grant_type: GRANT, client_id: "tool-cli", device_code: String(device_code) };
        await send(client, "POST", "/auth/device/token", FORM, `${new URLSearchParams(code)}`);
      },
    },
  };
}

async function send(
  client: Client,
  method: "GET" | "POST",
  path: string,
  headers: Record<string, string>,
  body?: string,
): Promise<Record<string, unknown>> {
  const answer = await client.request({ method, path, headers, ...(body !== undefined && { body }) });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
  return JSON.parse(text);
}
