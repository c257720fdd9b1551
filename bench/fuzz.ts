import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createFuzzer } from "../test/hardness/fuzz/fuzz.ts";
import { unlimitedPlans } from "../test/hardness/fuzz/unlimited-plans.ts";
import { OWNER_KEY } from "./servers/start.ts";

const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 1_000_000);
const SEED = Number(process.env.BENCH_SEED ?? 1);
const CONNECTIONS = 16;
const STEPS = 10;
/** Time for compaction to finish. */
const SETTLE_MS = 10_000;
const MIB = 1024 * 1024;

/** Sizes in bytes after a full garbage collection, and the number of requests sent by then. */
interface Reading {
  requests: number;
  heap: number;
  rss: number;
  store: number;
}

/** Runs a full garbage collection on SIGUSR2, so that readings show only memory that is in use. */
const COLLECTOR = `data:text/javascript,process.on("SIGUSR2",()=>gc())`;

/**
 * Sends `tool serve` requests made from its own OpenAPI document, most of them nearly valid. Fails if an
 * answer, the log or the process shows a fault: a 5xx other than 503, a missing limit header, a stack trace,
 * a credential, a crash, or memory that grows beyond what is stored.
 */
export async function run(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "toolplane-fuzz-"));
  const server = await startLogged(directory);
  try {
    const fuzzer = await createFuzzer(server.url, OWNER_KEY, CONNECTIONS);
    const read = async (): Promise<Reading> => {
      server.child.kill("SIGUSR2");
      await sleep(500);
      const metric = await metricsOf(server.url);
      return {
        requests: fuzzer.report.requests,
        heap: metric("nodejs_heap_size_used_bytes"),
        rss: metric("process_resident_memory_bytes"),
        store: metric("toolplane_store_bytes"),
      };
    };
    const readings: Reading[] = [];
    const startedAt = performance.now();
    console.log("  requests      heap       RSS     store");
    for (let step = 0; step < STEPS; step++) {
      await fuzzer.run(Math.ceil(REQUESTS / STEPS), SEED + step * REQUESTS);
      readings.push(await read());
      show(readings.at(-1) as Reading);
    }
    const seconds = (performance.now() - startedAt) / 1000;
    await fuzzer.close();
    await sleep(SETTLE_MS);
    readings.push(await read());
    show(readings.at(-1) as Reading, "settled");
    server.child.kill("SIGTERM");
    const code = await server.ended;
    const { byStatus, complaints, secrets, requests } = fuzzer.report;
    const statuses = [...byStatus].sort(([left], [right]) => left - right);
    console.log(`\n${requests.toLocaleString("en")} requests in ${seconds.toFixed(0)} s, seed ${SEED}`);
    console.log(
      `  ${statuses.map(([status, count]) => `${status}: ${count.toLocaleString("en")}`).join("  ")}`,
    );
    const faults = [...complaints].map(([what, about]) => `an answer ${what}: ${about}`);
    if (code !== 0) faults.push(`the server ended with ${code}`);
    faults.push(...server.faultsInLog(secrets), ...faultsInMemory(readings));
    for (const fault of faults) console.error(`  ✗ ${fault}`);
    if (faults.length > 0) throw new Error(`${faults.length} faults`);
    console.log(`  no fault in any answer, nor in ${server.logLines().toLocaleString("en")} log lines`);
  } finally {
    server.child.kill("SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Memory that caches may take. Beside that, the heap may grow by three times what was stored. */
const CACHES_BYTES = 32 * MIB;

function faultsInMemory(readings: readonly Reading[]): string[] {
  const [early] = readings;
  const settled = readings.at(-1);
  if (!early || !settled) return [];
  const most = early.heap + 3 * (settled.store - early.store) + CACHES_BYTES;
  return settled.heap > most ? [`the heap grew from ${mib(early.heap)} to ${mib(settled.heap)}`] : [];
}

interface LoggedServer {
  url: string;
  child: ChildProcess;
  ended: Promise<number | null>;
  logLines(): number;
  faultsInLog(secrets: ReadonlySet<string>): string[];
}

/** Starts `tool serve` and checks every line of its log. */
async function startLogged(directory: string): Promise<LoggedServer> {
  const tool = join(import.meta.dirname, "../bin/tool.js");
  const flags = ["--port", "0", "--data", join(directory, "data"), "--plans", unlimitedPlans(directory)];
  const child = spawn(
    process.execPath,
    ["--expose-gc", "--import", COLLECTOR, tool, "serve", ...flags, "--log-level", "info"],
    {
      env: { ...process.env, NODE_ENV: "production", TOOL_OWNER_API_KEY: OWNER_KEY },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const ended = once(child, "exit").then(([code]) => code as number | null);
  const suspicious = new Set<string>();
  const credentials = new Set<string>();
  let lines = 0;
  let listening: (url: string) => void = () => {};
  const url = new Promise<string>((resolve) => {
    listening = resolve;
  });
  const watch = (line: string) => {
    lines++;
    const address = /"event":"listening","url":"([^"]+)"/.exec(line)?.[1];
    if (address) listening(address);
    for (const [credential] of line.matchAll(/\bt(?:at|rt|ak|se|sl)_[0-9a-z]{57}/g))
      credentials.add(credential);
    if (line.includes(OWNER_KEY)) credentials.add(OWNER_KEY);
    const odd = /"level":"(error|fatal)"|\n?\s+at .+:\d+:\d+|^(?!\{)/.test(line);
    if (odd && suspicious.size < 10) suspicious.add(line.slice(0, 500));
  };
  for (const stream of [child.stdout, child.stderr]) byLine(stream, watch);
  return {
    url: await Promise.race([
      url,
      ended.then((code) =>
        Promise.reject(new Error(`tool serve ended with ${code}: ${[...suspicious].join("\n")}`)),
      ),
    ]),
    child,
    ended,
    logLines: () => lines,
    faultsInLog: (secrets) => [
      ...[...suspicious].map((line) => `the log has: ${line}`),
      // Strings of a credential's form that the fuzzer made up are not secrets.
      ...[...credentials]
        .filter((secret) => secrets.has(secret))
        .map((secret) => `the log has a credential: ${secret.slice(0, 8)}…`),
    ],
  };
}

/** Splits a stream into lines. Faster than `readline` on millions of lines. */
function byLine(stream: NodeJS.ReadableStream, take: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(line);
  });
}

async function metricsOf(url: string): Promise<(name: string) => number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return (name) => Number(new RegExp(`^${name} (\\S+)`, "m").exec(text)?.[1]);
}

function show({ requests, heap, rss, store }: Reading, note = ""): void {
  const columns = [requests.toLocaleString("en"), mib(heap), mib(rss), mib(store)];
  console.log(`${columns.map((column) => column.padStart(10)).join("")}  ${note}`);
}

function mib(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`;
}
