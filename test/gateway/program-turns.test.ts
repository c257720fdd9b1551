import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createProgramTurns } from "../../src/gateway/upstreams/program-turns.ts";
import type { Clock } from "../../src/system/clock.ts";
import { adjustableClock } from "../../src/testing/adjustable-clock.ts";
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
    say({ id, result: { nth: ++calls, identity: params._meta["toolplane/identity"], pid: process.pid, task: { taskId: "task" } } });
  }
  else if (method === "ping") say({ id, result: {} });
});`;

/** Starts the program, and has it busy with a call of somebody else. */
async function startBusy(clock?: Clock) {
  const { send, ask } = startProgram(SERIAL, [], undefined, clock);
  const directory = await mkdtemp(join(tmpdir(), "places-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, "go");
  const post = (account: string, method: string, params: object, signal?: AbortSignal) =>
    send(`key of ${account}`, { jsonrpc: "2.0", id: 1, method, params }, IDENTIFIED, signal, account);
  /** Calls a tool, and returns how many calls there were by then. */
  const result = async (account: string, name = "tool", signal?: AbortSignal) => {
    const { body } = await post(
      account,
      "tools/call",
      { name, arguments: { file, text: name === "long" ? LONG : "" } },
      signal,
    );
    return JSON.parse(await textOf(body)).result;
  };
  const call = async (...about: Parameters<typeof result>): Promise<number> => (await result(...about)).nth;
  const { pid } = await result("somebody");
  call("somebody", "until").catch(() => {});
  return { ask, post, call, result, goOn: () => writeFile(file, ""), pid };
}

const BEFORE = 2;
const MOST = 16;
const IDENTIFIED = { authorization: "Bearer signed when it came" };
/** More than fits into a pipe. */
const LONG = "x".repeat(3 * 1024 * 1024);

describe("a program that works through its requests one after the other", () => {
  it("has 16 of an account at once, while its others wait in order, so that calls of others come soon", async () => {
    const { call, goOn } = await startBusy();
    const flood = Array.from({ length: 100 }, () => call("flood"));
    const other = call("other");
    await goOn();
    expect(await other).toBeLessThanOrEqual(BEFORE + MOST + 1);
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
    expect(await other).toBeLessThanOrEqual(BEFORE + MOST + 1);
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

  it("is told whose a request is by what was signed lately, however long that has waited", async () => {
    const clock = adjustableClock();
    const { result, goOn } = await startBusy(clock);
    const calls = Array.from({ length: MOST + 1 }, () => result("flood"));
    await new Promise(setImmediate);
    clock.advance(60_000);
    await goOn();
    const identities = (await Promise.all(calls)).map(({ identity }) => identity);
    expect([identities[0], identities.at(-1)]).toEqual(["signed when it came", "signed anew"]);
  });

  it("fails what waits when it ends, and has none of it after its next start", async () => {
    const { call, goOn, ask } = await startBusy();
    const calls = [call("flood", "end"), ...Array.from({ length: 100 }, () => call("flood"))];
    const failed = Promise.allSettled(calls);
    await goOn();
    for (const each of await failed) {
      expect(each).toMatchObject({ status: "rejected", reason: { kind: "unreachable" } });
    }
    const again = () => ask("key", "tools/call", { name: "tool" }).catch(() => undefined);
    await expect.poll(again, { timeout: 10_000 }).toMatchObject({ result: { nth: 1 } });
  });

  it("takes requests of others while an account's long ones wait to be read", async () => {
    const { call, goOn } = await startBusy();
    const flood = Array.from({ length: 10 }, () => call("flood", "long"));
    await new Promise(setImmediate);
    const others = ["one", "another", "a third"].map((account) => call(account));
    await goOn();
    // The first long one was handed over before, and the second when it was the account's turn again.
    for (const nth of await Promise.all(others)) expect(nth).toBeLessThanOrEqual(BEFORE + 2 + others.length);
    await Promise.all(flood);
  });

  it("is handed nothing of before once it was killed, and then at once what is asked", async () => {
    const { call, ask, pid } = await startBusy();
    const calls = [call("flood", "long"), call("flood", "long"), call("other")];
    const failed = Promise.allSettled(calls);
    await new Promise(setImmediate);
    process.kill(pid, "SIGKILL");
    for (const each of await failed) {
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

describe("createProgramTurns()", () => {
  it("ends a wait after as long as the requests before it may take", async () => {
    const clock = fakeClock();
    const turns = createProgramTurns({ title: "Notes", timeoutMs: 100_000, clock, most: 1 });
    const { signal } = new AbortController();
    const take = () => turns.take({ accountId: "acc_1", signal }, { isEndless: false });
    const first = await take();
    first.read();
    const waiting = take();
    waiting.catch(() => {});
    clock.advance(1_599_000);
    const next = take();
    clock.advance(1_000);
    const message =
      "The request has waited 1600 s for its turn: Notes has as many of this account as it gets at once (1), or reads nothing.";
    await expect(waiting).rejects.toMatchObject({ kind: "paused", message });
    first.end();
    expect(await next).toBeDefined();
  });
});
