import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "./data/times.ts";
import { OWNER, startToolplane } from "./servers/start.ts";

const CONNECTIONS = Number(process.env.BENCH_CONNECTIONS ?? 10_000);
/** Connections opened at a time: few enough not to overflow the listen backlog. */
const BATCH = 250;
const SAMPLES = 300;
/** Shorter than the server's timeout for idle connections. */
const HOLD_MS = 10_000;

/**
 * Measures the latency of `/track` beside ten thousand connections that idle after one request, and the
 * memory that each of them costs the server.
 */
export async function run(): Promise<void> {
  const descriptors = openFilesLimit();
  if (descriptors < CONNECTIONS + 200) {
    throw new Error(
      `${CONNECTIONS} connections need more open files than ${descriptors}: ulimit -n ${CONNECTIONS + 1000}`,
    );
  }
  const server = await startToolplane();
  const sockets: Socket[] = [];
  try {
    const { port } = new URL(server.url);
    // The first requests of a server are slower.
    await latencies(server.url);
    const alone = await latencies(server.url);
    const before = await resident(server.url);
    let closed = 0;
    while (sockets.length < CONNECTIONS) {
      const opened = await Promise.all(Array.from({ length: BATCH }, () => open(Number(port))));
      for (const socket of opened) socket.once("close", () => closed++);
      sockets.push(...opened);
    }
    const after = await resident(server.url);
    const beside = await latencies(server.url);
    await sleep(HOLD_MS);
    const held = await resident(server.url);
    const each = (bytes: number) => `${((bytes - before) / CONNECTIONS / 1024).toFixed(1)} KiB each`;
    console.log(`\n${CONNECTIONS.toLocaleString("en")} idle connections`);
    console.log(
      `  RSS      ${mib(before)} before, ${mib(after)} with them (${each(after)}), ${mib(held)} after ${HOLD_MS / 1000} s`,
    );
    console.log(
      `  /track   median ${median(alone).toFixed(2)} ms alone, ${median(beside).toFixed(2)} ms beside them`,
    );
    if (closed > 0) throw new Error(`${closed} connections were closed meanwhile`);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.stop();
  }
}

/** Opens a connection that has received one answer and stays open. */
async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await once(socket, "data");
  return socket;
}

/** Returns the milliseconds that each of `SAMPLES` consecutive `/track` requests took. */
async function latencies(url: string): Promise<number[]> {
  const taken: number[] = [];
  for (let count = 0; count < SAMPLES; count++) {
    const startedAt = performance.now();
    const answer = await fetch(`${url}/api/v1/track`, {
      method: "POST",
      headers: OWNER,
      body: '{"type":"api_calls"}',
    });
    if (answer.status !== 200) throw new Error(`/track answered ${answer.status}`);
    await answer.arrayBuffer();
    taken.push(performance.now() - startedAt);
  }
  return taken;
}

/** Returns the server's resident memory in bytes, from its own metrics. */
async function resident(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]);
}

/** Returns the limit of open files of this process and its children: infinite without /proc. */
function openFilesLimit(): number {
  const limits = existsSync("/proc/self/limits") ? readFileSync("/proc/self/limits", "utf8") : "";
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
}

function mib(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
}
