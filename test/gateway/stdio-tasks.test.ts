import { describe, expect, it } from "vitest";
import { startProgram } from "./program.ts";

/** A server that, like official ones over stdio, takes all requests as one client's. It numbers its tasks. */
const PROGRAM = `
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const tasks = [];
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "server/discover") say({ id, error: { code: -32601, message: "unknown" } });
  else if (method === "initialize") say({ id, result: { protocolVersion: "2025-11-25", capabilities: {} } });
  else if (params?.name === "end") process.exit();
  else if (method === "tools/call") {
    const task = { taskId: "task-" + tasks.length, status: "working" };
    tasks.push(task);
    say({ id, result: params.name === "extension" ? { resultType: "task", ...task } : { task } });
  }
  else if (method === "tasks/list") say({ id, result: { tasks } });
  else if (method === "tasks/result" && params.slow)
    setTimeout(() => say({ id, result: { of: params.taskId } }), 1500);
  else if (method?.startsWith("tasks/")) say({ id, result: { of: params.taskId } });
});`;

const OF_ONE = ["tasks/get", "tasks/result", "tasks/cancel", "tasks/update"];

describe("tasks of a stdio upstream", () => {
  it.each(["call", "extension"])(
    "can be read only by the credential that began them, with %s",
    async (name) => {
      const { ask } = startProgram(PROGRAM);
      const begin = async (owner: string) => {
        const { result } = await ask(owner, "tools/call", { name, task: { ttl: 60_000 } });
        return (result.task ?? result).taskId as string;
      };
      const [mine, theirs] = [await begin("key_1"), await begin("key_2")];
      for (const method of OF_ONE) {
        const own = await ask("key_1", method, { taskId: mine });
        expect(own, method).toMatchObject({ id: 1, result: { of: mine } });
        for (const taskId of [theirs, "task-99", undefined, { of: mine }]) {
          expect(await ask("key_1", method, { taskId }), method).toMatchObject({
            id: 1,
            error: { code: -32602 },
          });
        }
      }
      for (const [owner, taskId] of [
        ["key_1", mine],
        ["key_2", theirs],
      ] as const) {
        const { result } = await ask(owner, "tasks/list");
        expect(result.tasks).toEqual([{ taskId, status: "working" }]);
      }
      expect((await ask("key_3", "tasks/list")).result.tasks).toEqual([]);
    },
  );

  it.each(["tools/call", "resources/list", "tasks/get"])(
    "cannot be given what a program says to another client's %s",
    async (method) => {
      const { ask } = startProgram(PROGRAM);
      const { result } = await ask("key_1", "tools/call", { name: "call", task: {} });
      const { taskId } = result.task;
      const of = (task: unknown) => ({
        name: "call",
        taskId,
        _meta: { "io.modelcontextprotocol/related-task": task },
      });
      for (const task of [{ taskId }, { taskId: "task-99" }, {}, taskId, null]) {
        expect(await ask("key_2", method, of(task))).toMatchObject({ error: { code: -32602 } });
      }
      if (method !== "resources/list")
        expect(await ask("key_1", method, of({ taskId }))).toHaveProperty("result");
    },
  );

  it("may take longer than any other answer", async () => {
    const { ask } = startProgram(PROGRAM, [], 1000);
    const begin = () => ask("key_1", "tools/call", { name: "call", task: {} });
    await expect.poll(() => begin().catch(() => undefined)).toBeDefined();
    const { result } = await ask("key_1", "tasks/result", { taskId: "task-0", slow: true });
    expect(result).toEqual({ of: "task-0" });
  });

  it("are not accessible after a restart of the program, which may reuse their ids", async () => {
    const { ask } = startProgram(PROGRAM);
    await ask("key_1", "tools/call", { name: "call", task: {} });
    await expect(ask("key_1", "tools/call", { name: "end" })).rejects.toMatchObject({ kind: "unreachable" });
    const begun = () => ask("key_2", "tools/call", { name: "call", task: {} });
    await expect.poll(() => begun().catch(() => undefined)).toBeDefined();
    expect((await ask("key_1", "tasks/list")).result.tasks).toEqual([]);
    const taken = await ask("key_1", "tasks/result", { taskId: "task-0" });
    expect(taken).toMatchObject({ error: { code: -32602 } });
  });
});
