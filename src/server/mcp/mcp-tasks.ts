import { lastingIdOf } from "../../contract/caller.ts";
import { Problem } from "../../contract/problem.ts";
import { type Outcome, resultOf } from "../../mcp/outcome.ts";
import type { Task, TaskPorts } from "../../mcp/tasks.ts";
import { accountSpace, collection, type Store } from "../../store/store.ts";
import { onAbort } from "../../system/abort.ts";
import { type Clock, iso } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import { MINUTE_MS } from "../../system/durations.ts";
import type { Log } from "../../system/log.ts";
import type { Random } from "../../system/random.ts";
import { abortOf } from "../operations/request-caller.ts";
import type { Exchange, Identity } from "../pipeline/exchange.ts";

/** A call that took too long to be answered directly, and its result. */
interface TaskRecord {
  /** The credential that began it, or the sign-in of that credential. Only the owner can see the task. */
  owner: string;
  status: Task["status"];
  statusMessage?: string;
  createdAt: number;
  lastUpdatedAt: number;
  result?: unknown;
}

export const mcpTasks = collection<TaskRecord>("mcp_tasks");

/** Calls that end within this time are answered directly. */
const ANSWERED_MS = 5000;
/** The longest that a call may work. A task that is still unfinished afterwards lost its process. */
const MAX_WORK_MS = 5 * MINUTE_MS;
const TTL_MS = 15 * MINUTE_MS;
/** How often clients should poll: seldom enough to spare their limits. */
const POLL_MS = 5000;
/** How often the process that works on a task checks for its cancellation. */
const WATCH_MS = 2000;
/** The tasks that an account may keep at a time. Further calls are answered directly. */
const MAX_TASKS = 8;

export interface McpTasksPorts {
  /** Refuses writes that the account has no room for. */
  store: Pick<Store, "transact">;
  /** The store without that check. */
  plainStore: Pick<Store, "transact">;
  clock: Clock;
  random: Random;
  log: Log;
}

export interface McpTasks {
  /**
   * Returns the outcome of `work`, or a task if it takes long. `work` must always resolve, and stop when `signal`
   * aborts. It is aborted when the client disconnects, unless it has become a task.
   */
  run(exchange: Exchange, work: (signal: AbortSignal) => Promise<Outcome>): Promise<Outcome>;
  of(identity: Identity): TaskPorts;
  /** Aborts all work in progress and stores its outcome. */
  close(): Promise<void>;
}

export function createMcpTasks({ store, plainStore, clock, random, log }: McpTasksPorts): McpTasks {
  const running = new Map<AbortController, Promise<void>>();

  /** Creates a task; returns undefined if there is no room for another. */
  async function begin({ account, credential }: Identity): Promise<string | undefined> {
    const space = accountSpace(account.id);
    const id = random.bytes(16).toString("base64url");
    const now = clock.now();
    const record: TaskRecord = {
      owner: lastingIdOf(credential),
      status: "working",
      createdAt: now,
      lastUpdatedAt: now,
    };
    try {
      return await store.transact(async (tx) => {
        if ((await tx.ids(mcpTasks, space, { limit: MAX_TASKS })).length >= MAX_TASKS) return undefined;
        await tx.insert(mcpTasks, space, id, record, { expiresAt: now + TTL_MS });
        return id;
      });
    } catch (error) {
      if (error instanceof Problem) return undefined;
      throw error;
    }
  }

  /** Changes a task that is still in progress. */
  function settle(
    into: Pick<Store, "transact">,
    { account }: Identity,
    id: string,
    change: Partial<TaskRecord>,
  ): Promise<void> {
    const space = accountSpace(account.id);
    return into.transact(async (tx) => {
      const found = await tx.get(mcpTasks, space, id);
      if (found?.status !== "working") return;
      const value = { ...found, ...change, lastUpdatedAt: clock.now() };
      await tx.put(mcpTasks, space, id, value, { expiresAt: found.createdAt + TTL_MS });
    });
  }

  async function finish(identity: Identity, id: string, outcome: Outcome): Promise<void> {
    const result = resultOf(outcome);
    try {
      await settle(store, identity, id, { status: "completed", result });
    } catch (error) {
      const statusMessage = error instanceof Problem ? error.detail : "The result could not be kept.";
      await settle(plainStore, identity, id, { status: "failed", statusMessage });
    }
  }

  /** Polls for a cancellation, which another instance may have received. */
  async function watch(identity: Identity, id: string, working: AbortController): Promise<void> {
    const until = clock.monotonic() + MAX_WORK_MS;
    while (!working.signal.aborted && clock.monotonic() < until) {
      await clock.sleep(WATCH_MS, working.signal);
      const status = await find(identity, id).then(
        (found) => found?.status,
        // A store that is away for a moment says nothing about the task.
        () => "working",
      );
      if (status !== "working") break;
    }
    working.abort(new Problem("overloaded", "This was cancelled, or took too long."));
  }

  function find({ account, credential }: Identity, id: string): Promise<TaskRecord | undefined> {
    return store.transact(async (tx) => {
      const found = await tx.get(mcpTasks, accountSpace(account.id), id);
      return found?.owner === lastingIdOf(credential) ? found : undefined;
    });
  }

  function taskOf(taskId: string, record: TaskRecord): Task {
    const isLost = record.status === "working" && clock.now() > record.createdAt + MAX_WORK_MS;
    const status = isLost ? "failed" : record.status;
    const statusMessage = isLost ? "The server that worked on it has ended." : record.statusMessage;
    return {
      taskId,
      status,
      ...defined({ statusMessage }),
      createdAt: iso(record.createdAt),
      lastUpdatedAt: iso(record.lastUpdatedAt),
      ttlMs: TTL_MS,
      pollIntervalMs: POLL_MS,
      ...defined({ result: record.result }),
      ...(status === "failed" && { error: { code: -32603, message: statusMessage ?? "It failed." } }),
    };
  }

  return {
    async run(exchange, work) {
      const identity = exchange.identity as Identity;
      const working = new AbortController();
      const gone = abortOf(exchange.res);
      const leave = () => working.abort(gone.reason);
      onAbort(gone, leave);
      const answered = new AbortController();
      const outcome = work(working.signal).finally(() => answered.abort());
      const isLong = await clock.sleep(ANSWERED_MS, answered.signal).then(
        () => true,
        () => false,
      );
      const id = isLong && !gone.aborted ? await begin(identity) : undefined;
      if (id === undefined) return outcome;
      gone.removeEventListener("abort", leave);
      watch(identity, id, working).catch(() => {});
      const over = outcome
        .then((result) => finish(identity, id, result))
        .catch((err) => log.warn({ err, task: id }, "what a task came to was not kept"))
        .finally(() => {
          running.delete(working);
          working.abort();
        });
      running.set(working, over);
      const now = clock.now();
      return { task: taskOf(id, { owner: "", status: "working", createdAt: now, lastUpdatedAt: now }) };
    },

    of: (identity) => ({
      async get(taskId) {
        const found = await find(identity, taskId);
        return found && taskOf(taskId, found);
      },
      async cancel(taskId) {
        if (!(await find(identity, taskId))) return false;
        await settle(plainStore, identity, taskId, { status: "cancelled" });
        return true;
      },
    }),

    async close() {
      const stopping = new Problem("overloaded", "The server is stopping. Ask again.");
      const all = [...running];
      for (const [working] of all) working.abort(stopping);
      await Promise.all(all.map(([, over]) => over));
    },
  };
}
