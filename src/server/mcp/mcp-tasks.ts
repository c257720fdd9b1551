import { Problem } from "../../contract/problem.ts";
import { type Outcome, resultOf } from "../../mcp/outcome.ts";
import type { Task, TaskPorts } from "../../mcp/tasks.ts";
import { accountSpace, collection, type Store } from "../../store/store.ts";
import { type Clock, iso } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import type { Log } from "../../system/log.ts";
import type { Random } from "../../system/random.ts";
import { abortOf } from "../operations/request-caller.ts";
import type { Exchange, Identity } from "../pipeline/exchange.ts";

/** A call that was longer than a client should wait, and what it came to. */
interface TaskRecord {
  /** The credential that began it, or the sign-in that this is of: nobody else learns of it. */
  owner: string;
  status: Task["status"];
  statusMessage?: string;
  createdAt: number;
  lastUpdatedAt: number;
  result?: unknown;
}

export const mcpTasks = collection<TaskRecord>("mcp_tasks");

/** A call that is over by then is answered as any other is. */
const ANSWERED_MS = 5000;
/** Who works for longer than any call may has ended with its process. */
const MAX_WORK_MS = 5 * 60_000;
const TTL_MS = 15 * 60_000;
/** In which clients are to ask again, so that they use up little of their limits. */
const POLL_MS = 5000;
/** In which the process that works on it does. */
const WATCH_MS = 2000;
/** That an account may have kept at a time. Further calls are answered in their own time. */
const MAX_TASKS = 8;

export interface McpTasksPorts {
  /** Refuses what the account has no room for. */
  store: Store;
  /** Beneath it. */
  plainStore: Store;
  clock: Clock;
  random: Random;
  log: Log;
}

export interface McpTasks {
  /**
   * What `work` comes to, or a task where it takes long. It is to end with `signal`, and always resolves. Until
   * there is a task, it ends with the client's connection.
   */
  run(exchange: Exchange, work: (signal: AbortSignal) => Promise<Outcome>): Promise<Outcome>;
  of(identity: Identity): TaskPorts;
  /** Ends what is under way, and writes what became of it. */
  close(): Promise<void>;
}

export function createMcpTasks({ store, plainStore, clock, random, log }: McpTasksPorts): McpTasks {
  const running = new Map<AbortController, Promise<void>>();

  /** Undefined where there is no room for another. */
  async function begin({ account, credential }: Identity): Promise<string | undefined> {
    const space = accountSpace(account.id);
    const id = random.bytes(16).toString("base64url");
    const now = clock.now();
    const record: TaskRecord = {
      owner: ownerOf(credential),
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

  /** Changes a task that works still. */
  function settle(
    into: Store,
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

  /** Hears of a cancellation wherever it came in: another instance may have answered it. */
  async function watch(identity: Identity, id: string, working: AbortController): Promise<void> {
    const until = clock.monotonic() + MAX_WORK_MS;
    while (!working.signal.aborted && clock.monotonic() < until) {
      await clock.sleep(WATCH_MS, working.signal);
      const found = await find(identity, id);
      if (found?.status !== "working") break;
    }
    working.abort(new Problem("overloaded", "This was cancelled, or took too long."));
  }

  function find({ account, credential }: Identity, id: string): Promise<TaskRecord | undefined> {
    return store.transact(async (tx) => {
      const found = await tx.get(mcpTasks, accountSpace(account.id), id);
      return found?.owner === ownerOf(credential) ? found : undefined;
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
      gone.addEventListener("abort", leave, { once: true });
      if (gone.aborted) leave();
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

function ownerOf({ familyId, id }: Identity["credential"]): string {
  return familyId ?? id;
}
