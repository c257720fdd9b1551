import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import autocannon from "autocannon";
import { median, quantile } from "../data/times.ts";
import { OWNER, type Server, startToolplane } from "../servers/start.ts";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const ROOT = "/api/v1/tools/observability";
const KINDS = 1000;
const READS = 300;

/**
 * Measures what tracing costs a small request: without it, with every request traced, and with one in a
 * hundred. Then measures how many error reports a second are stored, and how long a list of 1,000 kinds takes.
 */
export async function run(): Promise<void> {
  const receiver = createServer((req, res) => {
    req.resume().on("end", () => res.end("{}"));
  });
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  const endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
  const sampled = {
    ...traced,
    OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "0.01",
  };
  const servers = [
    await startToolplane("not traced"),
    await startToolplane("traced", traced),
    await startToolplane("1 in 100", sampled),
  ];
  try {
    await compareTracing(servers);
    await measureReports(servers[0] as Server);
  } finally {
    for (const server of servers) server.stop();
    receiver.close().closeAllConnections();
  }
}

/** Compares CPU time, which other load on the machine changes less than the rate. */
async function compareTracing(servers: readonly Server[]): Promise<void> {
  const costs = new Map<string, number[]>(servers.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, url } of servers) {
      const path = "/api/v1/entitlements/resolve";
      const before = await cpuSeconds(url);
      const result = await autocannon({
        url: url + path,
        headers: OWNER,
        connections: 32,
        duration: SECONDS,
      });
      if (result.non2xx > 0) throw new Error(`${name}: ${result.non2xx} answers were not 2xx`);
      costs.get(name)?.push((1e6 * ((await cpuSeconds(url)) - before)) / result.requests.total);
    }
  }
  console.log("GET /api/v1/entitlements/resolve, 32 connections");
  for (const [name, measured] of costs) {
    console.log(`  ${name.padEnd(11)} ${median(measured).toFixed(0).padStart(4)} µs of CPU each`);
  }
}

async function cpuSeconds(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`, { headers: OWNER })).text();
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]);
}

async function measureReports({ url }: Server): Promise<void> {
  const config = await fetch(`${url}${ROOT}/config`, { headers: OWNER });
  const { errorTracking } = (await config.json()) as { errorTracking: { dsn: string } };
  const { username: key, pathname } = new URL(errorTracking.dsn);
  const path = `${url}/api${pathname}/envelope/?sentry_key=${key}`;
  for (let kind = 0; kind < KINDS; kind++) await fetch(path, { method: "POST", body: envelopeOf(kind) });
  const times: number[] = [];
  for (let read = 0; read < READS; read++) {
    const before = performance.now();
    const response = await fetch(`${url}${ROOT}/errors?limit=50`, { headers: OWNER });
    await response.arrayBuffer();
    times.push(performance.now() - before);
  }
  console.log(
    `GET ${ROOT}/errors, 50 of ${KINDS} kinds\n  ${median(times).toFixed(1)} ms, p95 ${quantile(times, 0.95).toFixed(1)} ms`,
  );
  for (const [what, body] of [
    ["one kind of error", envelopeOf(7)],
    ["an event of 100 kB", envelopeOf(8, 100_000)],
  ] as const) {
    const result = await autocannon({ url: path, method: "POST", body, connections: 32, duration: SECONDS });
    if (result.non2xx > 0) throw new Error(`${result.non2xx} reports were not taken`);
    const rate = Math.round(result.requests.average).toLocaleString("en");
    console.log(
      `POST /api/{number}/envelope/, ${what}, 32 connections\n  ${rate} a second, p99 ${result.latency.p99} ms`,
    );
  }
}

/** Returns an envelope as an SDK sends it: an exception with thirty stack frames. */
function envelopeOf(kind: number, bytes = 0): string {
  const letters = String(kind).replace(/\d/g, (digit) => "qwertzuiop"[Number(digit)] ?? "");
  const frames = Array.from({ length: 30 }, (_, index) => ({
    function: `call${index}`,
    filename: `/srv/shop/src/part${index}.js`,
    lineno: index,
    colno: 7,
    in_app: index > 10,
  }));
  const exception = { values: [{ type: "TypeError", value: `no ${letters} of 17`, stacktrace: { frames } }] };
  const event = { exception, platform: "node", extra: { padding: "x".repeat(bytes) } };
  return `{"event_id":"0123456789abcdef0123456789abcdef"}\n{"type":"event"}\n${JSON.stringify(event)}\n`;
}
