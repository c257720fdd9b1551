import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { Problem } from "../../../src/contract/problem.ts";
import {
  type ComputeRequest,
  createWorkerPool,
  type WorkerPool,
  type WorkerPoolOptions,
} from "../../../src/server/compute/pool.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { recordingLog } from "../../store/json-file/directory.ts";
import { bundled } from "../../support/bundled.ts";
import { isRunning } from "../../support/programs.ts";
import { temporaryDirectory } from "../../support/store.ts";

const [worker = "", jobs = ""] = await bundled(
  "test/server/compute/job-worker.ts",
  "test/server/compute/jobs.ts",
);
const JOBS = pathToFileURL(jobs);
const BOUNDS = { computeSecondsPerMinute: 600, jobsInFlight: 64 };

interface TestPool extends WorkerPool {
  ask(job: string, more?: Partial<ComputeRequest> & { value?: number }): Promise<unknown>;
}

function open(options: Partial<WorkerPoolOptions> = {}): TestPool {
  const pool = createWorkerPool({
    path: worker,
    clock: systemClock,
    size: 2,
    ...options,
  });
  onTestFinished(() => pool.close());
  return {
    ...pool,
    ask: (job, { value = 0, ...more } = {}) =>
      pool.run({
        account: "acc_a",
        bounds: BOUNDS,
        job,
        module: JOBS,
        pace: "short",
        body: Buffer.from(JSON.stringify({ value })),
        contentType: "application/json",
        context: undefined,
        signal: new AbortController().signal,
        ...more,
      }),
  };
}

/** Returns a word for how a job ended. */
function endOf(asked: Promise<unknown>): Promise<unknown> {
  return asked.then(
    () => "done",
    (error) => (error instanceof Problem ? error.error : String(error)),
  );
}

describe("the worker pool", () => {
  it("gives a job its parsed and checked body, and returns its result to the caller", async () => {
    const { ask } = open();
    const values = [1, 2, 3, 4, 5];
    expect(await Promise.all(values.map((value) => ask("double", { value })))).toEqual([2, 4, 6, 8, 10]);
    expect(await ask("context", { context: { a: [1] } })).toEqual({ a: [1] });
    const bytes = (await ask("bytes", { value: 7 })) as Uint8Array;
    expect(Buffer.from(bytes).toString()).toBe('{"value":7}');
  });

  it("streams the parts that a job yields, bytes unchanged, and then runs the next job", async () => {
    const { ask } = open({ size: 1 });
    const partsOf = async (value: number) => {
      const parts: unknown[] = [];
      for await (const part of (await ask("count", { value })) as AsyncIterable<unknown>)
        parts.push(part instanceof Uint8Array ? Buffer.from(part).toString() : part);
      return parts;
    };
    expect(await partsOf(4)).toEqual([0, "1", 2, "3"]);
    expect(await partsOf(0)).toEqual([]);
    expect(await Promise.all([partsOf(2), ask("double", { value: 21 })])).toEqual([[0, "1"], 42]);
  });

  it("passes on the parts of a job that asks the server between them", async () => {
    const { ask } = open({ size: 1 });
    const answers = { next: async (value: number) => value + 1 };
    const parts: unknown[] = [];
    for await (const part of (await ask("ask-parts", { value: 1, answers })) as AsyncIterable<unknown>)
      parts.push(part);
    expect(parts).toEqual([2, 3]);
    expect(await ask("double", { value: 21 })).toBe(42);
  });

  it("runs a job to its end if the reader stops reading its parts early", async () => {
    const { ask } = open({ size: 1 });
    for await (const part of (await ask("count", { value: 20_000 })) as AsyncIterable<unknown>) {
      expect(part).toBe(0);
      break;
    }
    expect(await ask("double", { value: 21 })).toBe(42);
  });

  it("passes on an error that occurs after the first parts", async () => {
    const { ask } = open({ size: 1 });
    const lastWords = async (job: string) => {
      const parts: unknown[] = [];
      try {
        for await (const part of (await ask(job)) as AsyncIterable<unknown>) parts.push(part);
      } catch (error) {
        return error;
      }
      return parts;
    };
    expect(await lastWords("fail-late")).toMatchObject({ error: "quota_exceeded", detail: "no more" });
    expect(String(await lastWords("exit-late"))).toContain("the worker ended before its job");
    // An answer that is not read.
    await ask("fail-late");
    expect(await ask("double", { value: 21 })).toBe(42);
  });

  it("passes on the very error of an answer to the reader of the parts", async () => {
    const { ask } = open({ size: 1 });
    const fault = new TypeError("a fault of ours");
    const next = (value: number) => (value === 1 ? Promise.resolve(2) : Promise.reject(fault));
    const parts = (await ask("ask-parts", { value: 1, answers: { next } })) as AsyncIterable<unknown>;
    const read = async () => {
      for await (const part of parts) expect(part).toBe(2);
    };
    expect(await read().catch((error) => error)).toBe(fault);
  });

  it("refuses a body that is not the endpoint's input, as the main thread would", async () => {
    const { ask } = open();
    const body = (text: string) => ({ body: Buffer.from(text) });
    await expect(ask("double", body('{"value":"1"}'))).rejects.toMatchObject({
      error: "invalid_request",
      extras: { errors: [{ path: "value" }] },
    });
    await expect(ask("double", body('{"other":1}'))).rejects.toMatchObject({
      extras: { errors: [{ path: "other", message: "is not a known member" }] },
    });
    await expect(ask("double", body('{"value":'))).rejects.toMatchObject({ error: "invalid_json" });
    await expect(ask("double", { contentType: "text/plain" })).rejects.toMatchObject({
      error: "unsupported_media_type",
    });
  });

  it("answers a job's questions, and passes on an error of the answer", async () => {
    const { ask } = open({ size: 1 });
    const answers = { next: async (value: number) => value + 1 };
    expect(await ask("ask", { value: 1, answers })).toEqual([2, 3]);
    const refusing = {
      next: async () => {
        throw new Problem("quota_exceeded", "full");
      },
    };
    await expect(ask("ask", { answers: refusing })).rejects.toMatchObject({ error: "quota_exceeded" });
    const fault = new TypeError("ours");
    const failing = {
      next: async () => {
        throw fault;
      },
    };
    await expect(ask("ask", { answers: failing })).rejects.toBe(fault);
    const unclonable = { next: async () => () => 1 };
    await expect(ask("ask", { answers: unclonable })).rejects.toThrow("could not be cloned");
    expect(await ask("double", { value: 21 })).toBe(42);
  });

  it("passes a problem on as the same problem, and other errors with their message", async () => {
    const { ask } = open({ size: 1 });
    await expect(ask("refuse")).rejects.toMatchObject({
      name: "Problem",
      error: "dependency_cycle",
      status: 422,
      detail: "a needs b, b needs a",
      extras: { members: { cycle: ["a", "b"] } },
    });
    await expect(ask("fail")).rejects.toThrow("TypeError: a fault of ours");
    await expect(ask("no-such-job")).rejects.toThrow("exports no job of no-such-job");
    await expect(ask("context", { context: () => 1 })).rejects.toThrow(/could not be cloned/);
    expect(await ask("double", { value: 21 })).toBe(42);
  });

  it("reuses its processes, and ends those that are idle for a while, without a warning", async () => {
    const { log, lines } = recordingLog();
    const { ask, state } = open({ size: 2, idleMs: 500, log });
    const processes = (await Promise.all(Array.from({ length: 8 }, () => ask("process")))) as number[];
    expect(new Set(processes).size).toBeLessThanOrEqual(2);
    while (state().workers > 0) await systemClock.sleep(10);
    expect(processes).not.toContain(await ask("process"));
    await expect.poll(() => processes.filter(isRunning)).toEqual([]);
    expect(lines.filter(({ level }) => level !== "debug")).toEqual([]);
  });

  it("ends a job that takes too long, and runs the next in another process", async () => {
    const { ask } = open({ size: 1, deadlineMs: 1000, shortMs: 2000 });
    const ends = await Promise.all([endOf(ask("hang")), endOf(ask("double"))]);
    expect(ends).toEqual(["overloaded", "done"]);
  });

  it("refuses a job that exceeds its memory with payload_too_large, and runs the next", async () => {
    const { ask } = open({ size: 1, memoryMiB: 64 });
    await expect(ask("hoard")).rejects.toMatchObject({ error: "payload_too_large" });
    expect(await ask("double", { value: 21 })).toBe(42);
  });

  it("reports a process that exits in the middle of a job, and runs the next in another", async () => {
    const { ask } = open({ size: 1 });
    await expect(ask("exit")).rejects.toThrow("the worker ended before its job");
    expect(await ask("double", { value: 21 })).toBe(42);
  });

  it("ends a worker that leaves its job alone, logs that, and answers overloaded", async () => {
    const idle = join(temporaryDirectory(), "idle.mjs");
    writeFileSync(idle, "setInterval(() => {}, 1000);");
    const { log, lines } = recordingLog();
    const { ask, state } = open({ size: 1, path: idle, beginMs: 50, log });
    expect(await endOf(ask("double"))).toBe("overloaded");
    const warned = lines.filter(({ level }) => level === "warn");
    expect(warned).toMatchObject([{ message: expect.stringContaining("did not begin") }]);
    expect(state()).toMatchObject({ running: 0, workers: 0 });
  });

  it("answers overloaded if the system kills the process, and logs the signal", async () => {
    const { log, lines } = recordingLog();
    const { ask } = open({ size: 1, log });
    await expect(ask("killed")).rejects.toMatchObject({ error: "overloaded" });
    expect(lines).toContainEqual(
      expect.objectContaining({ level: "warn", details: { signal: "SIGKILL", job: "killed" } }),
    );
    expect(await ask("double", { value: 21 })).toBe(42);
  });

  it.skipIf(process.platform !== "linux")(
    "has the kernel end a process of it before the server when memory runs out",
    async () => {
      const { ask } = open({ size: 1 });
      const pressed = (pid: unknown) => Number(readFileSync(`/proc/${pid}/oom_score_adj`, "utf8"));
      expect(pressed(await ask("process"))).toBe(1000);
      expect(pressed(process.pid)).toBeLessThan(1000);
    },
  );

  it("rejects running and waiting jobs when it is closed", async () => {
    const pool = open({ size: 1 });
    const ends = [endOf(pool.ask("hang")), endOf(pool.ask("double"))];
    await pool.close();
    expect(await Promise.all(ends)).toEqual(["overloaded", "overloaded"]);
    expect(pool.accepting()).toBe(false);
    expect(await endOf(pool.ask("double"))).toBe("overloaded");
  });
});

describe("a client that goes away", () => {
  it("takes its job out of the queue", async () => {
    const { ask, state } = open({ size: 1 });
    const hanging = new AbortController();
    const waiting = new AbortController();
    const first = endOf(ask("hang", { signal: hanging.signal }));
    const second = endOf(ask("hang", { signal: waiting.signal }));
    expect(state().waiting).toBe(1);
    waiting.abort();
    expect(await second).toContain("AbortError");
    expect(state().waiting).toBe(0);
    hanging.abort();
    expect(await first).toContain("AbortError");
  });

  it("ends the process that runs its job, and another takes the next job", async () => {
    const { ask } = open({ size: 1 });
    const before = await ask("process");
    const client = new AbortController();
    const hanging = endOf(ask("hang", { signal: client.signal }));
    await systemClock.sleep(50);
    client.abort();
    expect(await hanging).toContain("AbortError");
    expect(await ask("process")).not.toBe(before);
  });
});

describe("shares of the worker pool", () => {
  it("keep the last worker free for short jobs", async () => {
    const { ask, state } = open({ size: 2 });
    const clients = [1, 2, 3].map(() => new AbortController());
    const long = clients.map(({ signal }) => endOf(ask("hang", { pace: "long", signal })));
    expect(state()).toMatchObject({ running: 1, waiting: 2 });
    expect(await ask("double", { account: "acc_b", value: 1 })).toBe(2);
    for (const client of clients) client.abort();
    await Promise.all(long);
  });

  it("count a job as long once it runs for long", async () => {
    const { ask } = open({ size: 2, shortMs: 50 });
    const clients = [1, 2].map(() => new AbortController());
    const hanging = clients.map(({ signal }) => endOf(ask("hang", { signal })));
    expect(await ask("double", { account: "acc_b", value: 1 })).toBe(2);
    for (const client of clients) client.abort();
    await Promise.all(hanging);
  });

  it("count a job with a large body as long", async () => {
    const { ask, state } = open({ size: 2 });
    const body = () => Buffer.concat([Buffer.from('{"value":60000}'), Buffer.alloc(600_000, " ")]);
    const clients = [1, 2].map(() => new AbortController());
    const sleeping = clients.map(({ signal }) => endOf(ask("sleep", { signal, body: body() })));
    expect(state()).toMatchObject({ running: 1, waiting: 1 });
    for (const client of clients) client.abort();
    await Promise.all(sleeping);
  });

  it("serve an account with few jobs before one with many", async () => {
    const { ask } = open({ size: 1 });
    const order: string[] = [];
    const asked = (account: string) => ask("sleep", { account, value: 10 }).then(() => order.push(account));
    await Promise.all([...Array.from({ length: 5 }, () => asked("acc_a")), asked("acc_b")]);
    expect(order.indexOf("acc_b")).toBe(1);
  });

  it("limit the jobs of an account in flight, and not those of other accounts", async () => {
    const { ask } = open({ size: 1 });
    const bounds = { ...BOUNDS, jobsInFlight: 2 };
    const taken = [1, 2].map(() => ask("sleep", { value: 30, bounds }));
    await expect(ask("double", { bounds })).rejects.toMatchObject({
      error: "rate_limited",
      extras: { headers: { "Retry-After": "1" }, members: { window: "jobs" } },
    });
    expect(await ask("double", { account: "acc_b", bounds, value: 1 })).toBe(2);
    await Promise.all(taken);
    expect(await ask("double", { bounds, value: 1 })).toBe(2);
  });

  it("count a job in flight until its last part", async () => {
    const { ask, useOf } = open({ size: 2 });
    const bounds = { ...BOUNDS, jobsInFlight: 1 };
    let goOn = () => {};
    const waited = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const answers = { next: (value: number) => waited.then(() => value) };
    const parts = (await ask("ask-parts", { answers, bounds })) as AsyncIterable<number>;
    expect(useOf("acc_a", bounds).jobsInFlight).toBe(1);
    await expect(ask("double", { bounds })).rejects.toMatchObject({
      extras: { members: { window: "jobs" } },
    });
    goOn();
    for await (const part of parts) expect(part).toBeLessThan(2);
    expect(useOf("acc_a", bounds).jobsInFlight).toBe(0);
    expect(await ask("double", { bounds, value: 1 })).toBe(2);
  });

  it("limit the compute seconds of an account, and tell when to retry", async () => {
    const { ask, useOf } = open({ size: 1 });
    const bounds = { computeSecondsPerMinute: 1, jobsInFlight: 8 };
    await ask("sleep", { value: 1200, bounds });
    expect(useOf("acc_a", bounds).computeSecondsLeft).toBeLessThan(0);
    const refused = (await ask("double", { bounds }).catch((error) => error)) as Problem;
    expect(refused).toMatchObject({ error: "rate_limited", extras: { members: { window: "compute" } } });
    expect(Number(refused.extras.headers?.["Retry-After"])).toBeGreaterThan(5);
    expect(await ask("double", { account: "acc_b", bounds, value: 1 })).toBe(2);
  });
});
