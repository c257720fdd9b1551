import { parentPort } from "node:worker_threads";
import { Problem } from "../contract/problem.ts";
import { type Task, tasks } from "./tasks.ts";

/** A thread that runs one task after another. The messages are those of `server/worker-pool.ts`. */
const loaded = new Map<string, Promise<Task>>();

parentPort?.on("message", async ({ task, input }: { task: string; input: unknown }) => {
  parentPort?.postMessage(await answerTo(task, input));
});

async function answerTo(name: string, input: unknown): Promise<unknown> {
  try {
    const load = tasks[name];
    if (!load) return { failure: `there is no task ${name}` };
    const task = loaded.get(name) ?? load();
    loaded.set(name, task);
    return { output: await (await task)(input as never) };
  } catch (error) {
    if (!(error instanceof Problem)) return { failure: String((error as Error).stack ?? error) };
    const { members } = error.extras;
    return { problem: { error: error.error, detail: error.detail, ...(members && { members }) } };
  }
}
