/**
 * Uses both kinds of worker process and a program of the gateway, first where this process may open no more files, and
 * then where it may. Prints what came of each.
 */
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { pathToFileURL } from "node:url";
import { readMessage } from "../../../src/gateway/message.ts";
import { stdioUpstream } from "../../../src/gateway/upstreams/stdio-upstream.ts";
import { createWorkerPool } from "../../../src/server/compute/pool.ts";
import { createIndexProcess } from "../../../src/server/indexing/index-process.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { createLog } from "../../../src/system/log.ts";

const [, , jobWorker = "", jobs = "", mirrorWorker = "", mirror = ""] = process.argv;
const PROGRAM = `require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id } = JSON.parse(line);
  const result = { protocolVersion: "2025-11-25", capabilities: {} };
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
});`;
const signal = new AbortController().signal;
const clock = systemClock;

const files: number[] = [];
try {
  for (;;) files.push(openSync(devNull, "r"));
} catch {}

const pool = createWorkerPool({ path: jobWorker, clock });
const index = createIndexProcess({
  path: mirrorWorker,
  clock,
  maxHeapMb: 64,
  maxBytes: 1e6,
  maxSpaceBytes: 1e6,
  modules: { mirror: pathToFileURL(mirror) },
});
const upstream = stdioUpstream({
  name: "notes",
  title: "Notes",
  command: [process.execPath, "-e", PROGRAM],
  env: {},
  timeoutMs: 60_000,
  clock,
  log: createLog("silent"),
});

async function double(): Promise<unknown> {
  return pool.run({
    account: "acc_a",
    bounds: { computeSecondsPerMinute: 600, jobsInFlight: 64 },
    job: "double",
    module: pathToFileURL(jobs),
    pace: "short",
    body: Buffer.from('{"value":21}'),
    contentType: "application/json",
    context: undefined,
    signal,
  });
}

async function question(): Promise<unknown> {
  const asked = { type: "ask", kind: "mirror", space: "acc_a/x", name: "all", asked: undefined } as const;
  return (await index.send(asked).reply).type;
}

async function greeting(): Promise<unknown> {
  const notification = { jsonrpc: "2.0", method: "notifications/initialized" };
  const message = readMessage(notification, JSON.stringify(notification));
  const asked = { method: "POST", headers: {}, owner: "key_a", accountId: "acc_a", message, signal } as const;
  return (await upstream.send(asked)).status;
}

async function outcomes(): Promise<unknown[]> {
  const all = await Promise.allSettled([double(), question(), greeting()]);
  return all.map((each) => (each.status === "fulfilled" ? each.value : String(each.reason)));
}

const before = await outcomes();
for (const file of files) closeSync(file);
let after = await outcomes();
// The program is started again after a pause.
while (after[2] !== 202) {
  await clock.sleep(50);
  after = await outcomes();
}
console.log(JSON.stringify({ before, after }));
pool.close();
index.close();
await upstream.close();
