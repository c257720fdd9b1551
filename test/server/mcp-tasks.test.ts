import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { createMcpTasks } from "../../src/server/mcp/mcp-tasks.ts";
import type { Exchange, Identity } from "../../src/server/pipeline/exchange.ts";
import { openMemoryStore } from "../../src/store/memory.ts";
import { type Store, StoreUnavailable } from "../../src/store/store.ts";
import { createLog } from "../../src/system/log.ts";
import { createRandom } from "../../src/system/random.ts";
import { OWNER_KEY, startApp, type TestApp, type TestResponse } from "../support/app.ts";
import { type FakeClock, fakeClock } from "../support/clock.ts";

const VERSION = "2026-07-28";
const TASKS = "io.modelcontextprotocol/tasks";
const DECLARED = { extensions: { [TASKS]: {} } };

interface Sent {
  key?: string;
  capabilities?: object;
  headers?: Record<string, string>;
}

async function send(app: TestApp, method: string, params: Record<string, unknown>, sent: Sent = {}) {
  const { key = OWNER_KEY, capabilities = DECLARED, headers } = sent;
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  const response = await fetch(`${app.url}/mcp`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "MCP-Protocol-Version": VERSION,
      "Mcp-Method": method,
      "Mcp-Name": String(params.name ?? params.taskId),
      Authorization: `Bearer ${key}`,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
  });
  return { status: response.status, body: (await response.json()) as TestResponse["body"] };
}

/** Returns a plan that uses all of its time, since its tasks never fill three workers evenly. */
function plan(timeBudgetMs: number) {
  const tasks = Array.from({ length: 61 }, (_, index) => ({
    id: `t${index}`,
    durationMs: 1000 + ((index * 37) % 11),
  }));
  return { name: "scheduler_plan", arguments: { workers: 3, timeBudgetMs, tasks } };
}

const running = (app: TestApp) => app.app.services.workers.state().running;

/** Starts a call, and advances the clock by the five seconds after which it becomes a task. */
async function begin(app: TestApp, clock: FakeClock, timeBudgetMs: number, sent: Sent = {}) {
  const calling = send(app, "tools/call", plan(timeBudgetMs), sent);
  await expect.poll(() => running(app)).toBeGreaterThan(0);
  clock.advance(5000);
  return (await calling).body.result;
}

describe("a long tool call", () => {
  it("becomes a task for a client that declares tasks, and its result is polled until it expires", async () => {
    const clock = fakeClock();
    const app = await startApp({ clock });
    const task = await begin(app, clock, 1500);
    expect(task).toMatchObject({
      resultType: "task",
      status: "working",
      ttlMs: 900_000,
      pollIntervalMs: 5000,
    });
    const { taskId } = task;
    const get = async () => (await send(app, "tasks/get", { taskId })).body.result;
    expect(await get()).toMatchObject({ resultType: "complete", taskId, createdAt: task.createdAt });
    await expect.poll(async () => (await get()).status).toBe("completed");
    const { result } = await get();
    expect(result.structuredContent).toHaveProperty("makespanMs");
    expect((await send(app, "tasks/update", { taskId, inputResponses: {} })).body.result.resultType).toBe(
      "complete",
    );
    clock.advance(900_001);
    expect((await send(app, "tasks/get", { taskId })).body.error.code).toBe(-32602);
  });

  it("is answered directly if it is short or the client does not declare tasks", async () => {
    const app = await startApp();
    const short = await send(app, "tools/call", plan(10));
    expect(short.body.result.structuredContent).toHaveProperty("makespanMs");
    const clock = fakeClock();
    const other = await startApp({ clock });
    const answer = await begin(other, clock, 1500, { capabilities: {} });
    expect(answer).toMatchObject({ resultType: "complete", structuredContent: expect.anything() });
  });

  it("stops computing once it is cancelled", async () => {
    const clock = fakeClock();
    const app = await startApp({ clock });
    const { taskId } = await begin(app, clock, 20_000);
    expect((await send(app, "tasks/cancel", { taskId })).body.result.resultType).toBe("complete");
    expect((await send(app, "tasks/get", { taskId })).body.result.status).toBe("cancelled");
    clock.advance(2000);
    await expect.poll(() => running(app)).toBe(0);
    expect((await send(app, "tasks/get", { taskId })).body.result.status).toBe("cancelled");
  });

  it("is accessible only to the credential that began it", async () => {
    const clock = fakeClock();
    const app = await startApp({ clock });
    const { taskId } = await begin(app, clock, 20_000);
    const { token } = await app.account("pro");
    for (const key of [token, await app.key(["write"])]) {
      for (const method of ["tasks/get", "tasks/cancel", "tasks/update"]) {
        const refused = await send(app, method, { taskId }, { key });
        expect([method, refused.body.error.code]).toEqual([method, -32602]);
      }
    }
    expect((await send(app, "tasks/get", { taskId })).body.result.status).toBe("working");
  });

  it("is answered directly if the account already has eight tasks", async () => {
    const clock = fakeClock();
    const app = await startApp({ clock });
    for (let count = 0; count < 8; count++) {
      const { taskId } = await begin(app, clock, 20_000);
      await send(app, "tasks/cancel", { taskId });
      clock.advance(2000);
      await expect.poll(() => running(app)).toBe(0);
    }
    expect((await begin(app, clock, 1000)).resultType).toBe("complete");
  });
});

describe("the task methods", () => {
  it("require the tasks extension and the revision that has it", async () => {
    const app = await startApp();
    for (const method of ["tasks/get", "tasks/cancel", "tasks/update"]) {
      const refused = await send(app, method, { taskId: "x" }, { capabilities: {} });
      expect([method, refused.status, refused.body.error.code]).toEqual([method, 400, -32021]);
      expect(refused.body.error.data).toEqual({ requiredCapabilities: DECLARED });
    }
    for (const method of ["tasks/list", "tasks/result", "toolplane/tasks/get"]) {
      expect((await send(app, method, { taskId: "x" })).status).toBe(404);
    }
    const earlier = await app.request("POST", "/mcp", {
      body: { jsonrpc: "2.0", id: 1, method: "tasks/get", params: { taskId: "x" } },
    });
    expect(earlier.body.error.code).toBe(-32601);
    const discovered = (await send(app, "server/discover", {})).body.result;
    expect(discovered.capabilities.extensions).toEqual({ [TASKS]: {} });
  });

  it("require headers that match their bodies", async () => {
    const app = await startApp();
    const others: Record<string, string>[] = [{ "Mcp-Name": "y" }, { "Mcp-Method": "tasks/cancel" }];
    for (const headers of others) {
      const refused = await send(app, "tasks/get", { taskId: "x" }, { headers });
      expect([refused.status, refused.body.error.code]).toEqual([400, -32020]);
    }
  });
});

describe("createMcpTasks()", () => {
  it("notices a cancellation after the store was away", async () => {
    const clock = fakeClock();
    const kept = openMemoryStore(clock);
    let isAway = false;
    const store: Pick<Store, "transact"> = {
      transact: (work) => (isAway ? Promise.reject(new StoreUnavailable("away")) : kept.transact(work)),
    };
    const log = createLog("silent");
    const tasks = createMcpTasks({ store, plainStore: store, clock, random: createRandom(clock), log });
    const identity = { account: { id: "acc_1" }, credential: { id: "key_1" } } as Identity;
    const res = new EventEmitter() as Exchange["res"];
    let stopped: AbortSignal | undefined;
    const running = tasks.run({ identity, res } as Exchange, (signal) => {
      stopped = signal;
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve({ text: "" })));
    });
    clock.advance(5000);
    const outcome = (await running) as { task: { taskId: string } };
    isAway = true;
    await passing(clock, 2000);
    expect(stopped?.aborted).toBe(false);
    isAway = false;
    expect(await tasks.of(identity).cancel(outcome.task.taskId)).toBe(true);
    await passing(clock, 2000);
    expect(stopped?.aborted).toBe(true);
    await tasks.close();
  });
});

/** Advances the clock, and lets what waited for it go on. */
async function passing(clock: FakeClock, ms: number): Promise<void> {
  clock.advance(ms);
  await new Promise(setImmediate);
}
