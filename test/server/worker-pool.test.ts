import { describe, expect, it, onTestFinished } from "vitest";
import { createWorkerPool, type WorkerPool } from "../../src/server/worker-pool.ts";
import { systemClock } from "../../src/system/clock.ts";

type Options = Partial<Parameters<typeof createWorkerPool>[0]>;

function open(options: Options = {}): WorkerPool {
  const pool = createWorkerPool({
    path: "../test/server/task-worker.ts",
    clock: systemClock,
    size: 2,
    ...options,
  });
  onTestFinished(() => pool.close());
  return pool;
}

describe("the worker pool", () => {
  it("runs tasks by name and gives what they return", async () => {
    const { compute } = open();
    const values = [1, 2, 3, 4, 5];
    expect(await Promise.all(values.map((value) => compute("double", { value })))).toEqual([2, 4, 6, 8, 10]);
  });

  it("leaves this thread free while it computes", async () => {
    const { compute } = open({ deadlineMs: 1500 });
    const hanging = compute("hang", {}).catch((error) => error);
    let ended = false;
    hanging.then(() => {
      ended = true;
    });
    await new Promise(setImmediate);
    expect(ended).toBe(false);
    expect(await hanging).toMatchObject({ error: "overloaded" });
  });

  it("uses no more threads than it may, and each of them again", async () => {
    const { compute } = open({ size: 2 });
    const threads = await Promise.all(Array.from({ length: 8 }, () => compute<number>("thread", {})));
    expect(new Set(threads).size).toBeLessThanOrEqual(2);
    expect(threads).toContain(await compute<number>("thread", {}));
  });

  it("passes a problem on as the same problem", async () => {
    const { compute } = open();
    await expect(compute("refuse", {})).rejects.toMatchObject({
      name: "Problem",
      error: "dependency_cycle",
      status: 422,
      detail: "a needs b, b needs a",
      extras: { members: { cycle: ["a", "b"] } },
    });
  });

  it("passes any other error on with its words, and computes on", async () => {
    const { compute } = open({ size: 1 });
    await expect(compute("fail", {})).rejects.toThrow("TypeError: a fault of ours");
    await expect(compute("no-such-task", {})).rejects.toThrow("there is no task no-such-task");
    expect(await compute("double", { value: 21 })).toBe(42);
  });

  it("refuses input that cannot be sent to a thread, and computes on", async () => {
    const { compute } = open({ size: 1 });
    await expect(compute("double", { value: () => 1 })).rejects.toThrow(/could not be cloned/);
    expect(await compute("double", { value: 21 })).toBe(42);
  });

  it("ends a task that takes too long, and takes another thread for the next", async () => {
    const { compute } = open({ size: 1, deadlineMs: 2000 });
    const [hanging, waiting] = await Promise.allSettled([
      compute("hang", {}),
      compute("double", { value: 1 }),
    ]);
    expect(hanging).toMatchObject({ status: "rejected", reason: { error: "overloaded", status: 503 } });
    expect(waiting).toEqual({ status: "fulfilled", value: 2 });
  });

  it("reports a thread that ends in the middle of a task, and takes another for the next", async () => {
    const { compute } = open({ size: 1 });
    await expect(compute("exit", {})).rejects.toThrow("the worker ended before its task");
    expect(await compute("double", { value: 21 })).toBe(42);
  });

  it("refuses at once when enough tasks wait, saying when to come again", async () => {
    const { compute } = open({ size: 1, mostWaiting: 2 });
    const taken = [1, 2, 3].map(() => compute("sleep", { ms: 50 }));
    await expect(compute("double", { value: 1 })).rejects.toMatchObject({
      error: "overloaded",
      extras: { headers: { "Retry-After": "1" } },
    });
    await Promise.all(taken);
    expect(await compute("double", { value: 1 })).toBe(2);
  });

  it("ends threads that have had nothing to do for a while", async () => {
    const { compute } = open({ size: 1, idleMs: 20 });
    const first = await compute<number>("thread", {});
    await systemClock.sleep(300);
    expect(await compute<number>("thread", {})).not.toBe(first);
  });

  it("rejects what runs and what waits when it is closed", async () => {
    const pool = open({ size: 1 });
    const tasks = [pool.compute("hang", {}), pool.compute("double", { value: 1 })];
    const settled = Promise.allSettled(tasks);
    await pool.close();
    for (const each of await settled) expect(each).toMatchObject({ reason: { error: "overloaded" } });
    await expect(pool.compute("double", { value: 1 })).rejects.toMatchObject({ error: "overloaded" });
  });
});
