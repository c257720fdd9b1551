import { setTimeout as pause } from "node:timers/promises";
import { Client, type Dispatcher, request } from "undici";
import { expect } from "vitest";
import { unlimitedPlans } from "../../hardness/fuzz/unlimited-plans.ts";
import { OWNER_KEY } from "../app.ts";
import { startServe } from "../serve.ts";
import { temporaryDirectory } from "../store.ts";
import { accountOn } from "./account.ts";

const GROUPINGS = ["account", "key", "user", "project", "tool", "account,key,user,project,tool"];
const PROJECTS = ["default", "shop", "web"];
const TOOLS = ["search", "build", undefined];

interface Sent {
  sent: number;
  acknowledged: number;
}

/**
 * Counts uses of several accounts, keys, projects and tools at once, as single events and batches, while the server
 * is killed again and again. Asserts after each restart that every grouping adds up to the total, which must lie
 * between the acknowledged and the sent uses.
 *
 * @param storeFlags flags of `tool serve` that name its store.
 */
export async function killWhileCounting(
  storeFlags: readonly string[],
  { kills, callers }: { kills: number; callers: number },
): Promise<void> {
  const flags = [...storeFlags, "--log-level", "warn", "--plans", unlimitedPlans(temporaryDirectory())];
  let server = await startServe([...flags, "--plan", "enterprise"]);
  const accounts = [await accountOn(server.url, "enterprise"), await accountOn(server.url, "enterprise")];
  const keys = [OWNER_KEY];
  for (const { key } of accounts) keys.push(key, await furtherKey(server.url, key));
  const count: Sent = { sent: 0, acknowledged: 0 };
  for (let kill = 0; kill < kills; kill++) {
    const load = Promise.all(
      Array.from({ length: callers }, (_, index) => countUntilGone(server.url, keys, index, count)),
    );
    const settled = count.acknowledged;
    while (count.acknowledged === settled) await Promise.race([pause(5), load.then(failEarly)]);
    // A prime stride, so that every round kills at another instant.
    await pause(60 + ((kill * 197) % 500));
    await server.end("SIGKILL");
    await load;
    server = await startServe(flags);
    const counted = await assertSums(server.url);
    expect(counted).toBeGreaterThanOrEqual(count.acknowledged);
    expect(counted).toBeLessThanOrEqual(count.sent);
    // Uses that were stored but not acknowledged are known now.
    count.acknowledged = counted;
    count.sent = counted;
  }
  expect(count.acknowledged).toBeGreaterThan(0);
  await server.end("SIGTERM");
}

function failEarly(): never {
  throw new Error("the server was gone before it was killed");
}

async function furtherKey(url: string, key: string): Promise<string> {
  const body = JSON.stringify({ name: "further", scopes: ["write"] });
  const answer = await fetch(`${url}/api/v1/keys`, { method: "POST", headers: headersOf(key), body });
  return ((await answer.json()) as { secret: string }).secret;
}

function headersOf(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}`, "content-type": "application/json" };
}

/** Sends uses until the server is gone. Every third caller sends batches of ten. Throws if the server refuses one. */
async function countUntilGone(
  url: string,
  keys: readonly string[],
  index: number,
  count: Sent,
): Promise<void> {
  const client = new Client(url);
  const tool = TOOLS[index % TOOLS.length];
  const uses = index % 3 === 0 ? 10 : 1 + (index % 5);
  const events = Array.from({ length: 10 }, () => ({ event: "mcp.call", payload: { tool } }));
  const batch = { path: "/api/v1/events/batch", body: JSON.stringify({ events }) };
  const single = {
    path: "/api/v1/track",
    body: JSON.stringify({ type: "api_calls", count: uses, metadata: { tool } }),
  };
  const headers = {
    ...headersOf(keys[index % keys.length] as string),
    "x-project-id": PROJECTS[index % PROJECTS.length] as string,
  };
  const question = { method: "POST", headers, ...(index % 3 === 0 ? batch : single) } as const;
  try {
    for (;;) {
      count.sent += uses;
      const status = await statusOf(client, question);
      if (status === undefined) return;
      if (status >= 300) throw new Error(`${question.path} was answered ${status}`);
      count.acknowledged += uses;
    }
  } finally {
    await client.destroy();
  }
}

/** Returns the status of an answer, or undefined if the server is gone before it is whole. */
async function statusOf(client: Client, question: Dispatcher.RequestOptions): Promise<number | undefined> {
  try {
    const { statusCode, body } = await client.request(question);
    await body.text();
    return statusCode;
  } catch {
    return undefined;
  }
}

/** Returns the total of all accounts, and asserts that it is the same in every grouping. */
async function assertSums(url: string): Promise<number> {
  const totals = new Set<number>();
  for (const groupBy of GROUPINGS) {
    const query = new URLSearchParams({ groupBy, accountId: "all", format: "json" });
    // A new connection: a kept-alive one may be of the killed server, which had the same port.
    const answer = await request(`${url}/api/v1/usage?${query}`, {
      headers: headersOf(OWNER_KEY),
      reset: true,
    });
    expect(answer.statusCode).toBe(200);
    const { totals: all, groups } = (await answer.body.json()) as {
      totals: Record<string, number>;
      groups: { total: number; key?: string | null }[];
    };
    const total = sum(Object.values(all));
    expect(sum(groups.map((group) => group.total))).toBe(total);
    // No use lacks a key: each was counted with its key, or not at all.
    expect(groups.filter(({ key, total }) => key === null && total > 0)).toEqual([]);
    totals.add(total);
  }
  expect(totals.size).toBe(1);
  return [...totals][0] as number;
}

function sum(values: readonly number[]): number {
  return values.reduce((all, each) => all + each, 0);
}
