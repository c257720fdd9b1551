import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAccountPlaces } from "../../src/gateway/upstreams/account-places.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { startProgram, textOf } from "./program.ts";

/**
 * A program that, like most, works through what it is asked in order: while it is at a call, it does not even read. A call
 * of `until` takes until there is a file of the name that it gives. Tells of each call how many calls there were.
 */
const SERIAL = `
const { existsSync } = require("node:fs");
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const never = new Int32Array(new SharedArrayBuffer(4));
let calls = 0;
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "server/discover") say({ id, error: { code: -32601, message: "unknown" } });
  else if (method === "initialize") say({ id, result: { protocolVersion: "2025-11-25", capabilities: {} } });
  else if (method === "tools/call" && params.name === "end") process.exit();
  else if (method === "tools/call") {
    while (params.name === "until" && !existsSync(params.arguments.file)) Atomics.wait(never, 0, 0, 5);
    say({ id, result: { nth: ++calls, task: { taskId: "task" } } });
  }
  else if (method === "ping") say({ id, result: {} });
});`;

/** Starts the program, and has it busy with a call of somebody else. */
async function startBusy() {
  const { send, ask } = startProgram(SERIAL);
  const directory = await mkdtemp(join(tmpdir(), "places-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, "go");
  const post = (account: string, method: string, params: object, signal?: AbortSignal) =>
    send(`key of ${account}`, { jsonrpc: "2.0", id: 1, method, params }, {}, signal, account);
  /** Calls a tool, and returns how many calls there were by then. */
  const call = async (account: string, name = "tool", signal?: AbortSignal): Promise<number> => {
    const { body } = await post(account, "tools/call", { name, arguments: { file } }, signal);
    return JSON.parse(await textOf(body)).result.nth;
  };
  await call("somebody");
  const busy = call("somebody", "until");
  return { ask, post, call, goOn: () => writeFile(file, ""), busy };
}

const BEFORE = 2;
const MOST = 16;

describe("a program that works through its requests one after the other", () => {
  it("has 16 of an account at once, while its others wait in order, so that calls of others come soon", async () => {
    const { call, goOn } = await startBusy();
    const flood = Array.from({ length: 100 }, () => call("flood"));
    const other = call("other");
    await goOn();
    expect(await other).toBe(BEFORE + MOST + 1);
    const nths = await Promise.all(flood);
    expect(nths).toEqual(nths.toSorted((one, another) => one - another));
  });

  it("has no more of an account whose clients leave and ask anew, until it has worked through what they left", async () => {
    const { call, goOn } = await startBusy();
    for (let round = 0; round < 10; round++) {
      const client = new AbortController();
      const left = Promise.allSettled(Array.from({ length: 10 }, () => call("flood", "tool", client.signal)));
      await new Promise(setImmediate);
      client.abort();
      await left;
    }
    const [other, own] = [call("other"), call("flood")];
    await goOn();
    expect(await other).toBe(BEFORE + MOST + 1);
    expect(await own).toBe(BEFORE + MOST + 2);
  });

  it("never gets what its client gave up while it waited, and the next in turn instead", async () => {
    const { call, goOn } = await startBusy();
    const first = Array.from({ length: MOST }, () => call("flood"));
    const client = new AbortController();
    const left = Promise.allSettled(Array.from({ length: 50 }, () => call("flood", "tool", client.signal)));
    const last = call("flood");
    await new Promise(setImmediate);
    client.abort();
    expect((await left).every(({ status }) => status === "rejected")).toBe(true);
    await goOn();
    await Promise.all(first);
    expect(await last).toBe(BEFORE + MOST + 1);
  });

  it("fails what waits when it ends, and has none of it after its next start", async () => {
    const { call, goOn, ask } = await startBusy();
    const calls = [call("flood", "end"), ...Array.from({ length: 100 }, () => call("flood"))];
    await goOn();
    for (const each of await Promise.allSettled(calls)) {
      expect(each).toMatchObject({ status: "rejected", reason: { kind: "unreachable" } });
    }
    const again = () => ask("key", "tools/call", { name: "tool" }).catch(() => undefined);
    await expect.poll(again, { timeout: 10_000 }).toMatchObject({ result: { nth: 1 } });
  });

  it("gets calls while an account waits for the ends of many tasks", async () => {
    const { call, post, goOn } = await startBusy();
    await goOn();
    await call("flood");
    const ends = Array.from({ length: 2 * MOST }, () => post("flood", "tasks/result", { taskId: "task" }));
    for (const end of ends) end.catch(() => {});
    expect(await call("flood")).toBe(BEFORE + 2);
  });
});

describe("createAccountPlaces()", () => {
  const request = (signal = new AbortController().signal) => ({ accountId: "acc_1", signal });

  it("ends a wait after as long as the requests before it may take", async () => {
    const clock = fakeClock();
    const places = createAccountPlaces({ title: "Notes", timeoutMs: 100_000, clock, most: 1 });
    const release = await places.take(request());
    const waiting = places.take(request());
    waiting.catch(() => {});
    clock.advance(1_599_000);
    const next = places.take(request());
    clock.advance(1_000);
    await expect(waiting).rejects.toMatchObject({
      kind: "paused",
      message:
        "The request has waited 1600 s for its turn: Notes has as many of this account as it gets at once (1).",
    });
    release();
    expect(await next).toBeTypeOf("function");
  });
});
