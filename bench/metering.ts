import type { Output } from "../src/contract/endpoint.ts";
import type { meteringContract } from "../src/metering/contract.ts";
import { generator } from "./data/made-up.ts";
import { readText } from "./data/rows.ts";
import { OWNER, startToolplane } from "./servers/start.ts";

const DATA = "09-metering";
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
/** The largest `count` that an event may have. */
const MOST = 100;

interface Truth {
  n: number;
  total_generated: number;
  windows: { hour: { start: number; events: number; generated: number }[] };
}

interface TelemetryEvent {
  event: string;
  id: string;
  count: number;
  timestamp: string;
}

/**
 * Replays a real trace of requests, moved to the last week. Each event is delivered one to three times,
 * shuffled, in concurrent batches, some of which are sent twice. The hourly counters must then equal those
 * of the truth file: `api.call` counts requests, `agent.invoked` generated tokens.
 */
export async function run(): Promise<void> {
  const trace = readText(DATA, "azure_llm_code.csv");
  const truth = readText(DATA, "azure_llm_code_truth.json");
  if (trace === undefined || truth === undefined) return;

  const server = await startToolplane();
  try {
    await replay(server.url, trace, JSON.parse(truth));
  } finally {
    server.stop();
  }
}

async function replay(url: string, trace: string, truth: Truth): Promise<void> {
  const [firstHour] = truth.windows.hour as [Truth["windows"]["hour"][0]];
  const shift = Math.floor((Date.now() - 6 * DAY - firstHour.start) / HOUR) * HOUR;
  const events = trace
    .trim()
    .split("\n")
    .slice(1)
    .flatMap((line, index) => eventsOf(line, index, shift));
  const batches = deliveriesOf(events);

  const start = performance.now();
  const sum = { accepted: 0, duplicates: 0, rejected: 0, replays: 0 };
  const senders = Array.from({ length: 16 }, async () => {
    for (let batch = batches.pop(); batch; batch = batches.pop()) {
      const response = await fetch(`${url}/api/v1/events/batch`, {
        method: "POST",
        headers: OWNER,
        body: JSON.stringify(batch),
      });
      const body = (await response.json()) as Output<typeof meteringContract.recordBatch>;
      if (response.headers.has("Idempotent-Replayed")) sum.replays++;
      else for (const key of ["accepted", "duplicates", "rejected"] as const) sum[key] += body[key];
    }
  });
  await Promise.all(senders);
  const seconds = (performance.now() - start) / 1000;
  const delivered = sum.accepted + sum.duplicates + sum.rejected;
  console.log(`${delivered} deliveries of ${events.length} events in ${seconds.toFixed(1)} s:`, sum);

  for (const { start, events: requests, generated } of truth.windows.hour) {
    const [from, to] = [isoTime(start + shift), isoTime(start + shift + HOUR)];
    const { totals } = await usage(`?granularity=hour&from=${from}&to=${to}`);
    report(`requests at ${from}`, totals.api_calls, requests);
    report(`tokens at ${from}`, totals.agents_invoked, generated);
  }
  const { totals } = await usage("");
  report("requests in 30 days", totals.api_calls, truth.n);
  report("tokens in 30 days", totals.agents_invoked, truth.total_generated);

  async function usage(query: string): Promise<Output<typeof meteringContract.showUsage>> {
    const response = await fetch(`${url}/api/v1/usage${query}`, { headers: OWNER });
    return (await response.json()) as Output<typeof meteringContract.showUsage>;
  }
}

function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** Returns the events of a line `epoch_ms,context_tokens,generated_tokens`: its request, then those of its tokens. */
function eventsOf(line: string, index: number, shift: number): TelemetryEvent[] {
  const [at = 0, , generated = 0] = line.split(",").map(Number);
  const timestamp = isoTime(at + shift);
  const request = { event: "api.call", id: `request-${index}`, count: 1, timestamp };
  const parts = Array.from({ length: Math.ceil(generated / MOST) }, (_, part) => ({
    event: "agent.invoked",
    id: `tokens-${index}-${part}`,
    count: Math.min(MOST, generated - part * MOST),
    timestamp,
  }));
  return [request, ...parts];
}

function deliveriesOf(events: TelemetryEvent[]): { batch: { id: string }; events: TelemetryEvent[] }[] {
  const copies = shuffled(
    events.flatMap((event, index) => Array<TelemetryEvent>(1 + (index % 3)).fill(event)),
  );
  const batches = [];
  for (let size = 1, at = 0; at < copies.length; at += size, size = (size * 7 + 13) % 1000 || 1) {
    const batch = { batch: { id: `batch-${at}` }, events: copies.slice(at, at + size) };
    batches.push(batch, ...(at % 2 ? [batch] : []));
  }
  return shuffled(batches);
}

/** Shuffles by Fisher and Yates. */
function shuffled<T>(items: readonly T[]): T[] {
  const result = [...items];
  const random = generator(42);
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [result[last], result[other]] = [result[other] as T, result[last] as T];
  }
  return result;
}

function report(what: string, counted: number, truth: number): void {
  console.log(`${counted === truth ? "exact" : "WRONG"}  ${what}: ${counted} (truth ${truth})`);
  if (counted !== truth) process.exitCode = 1;
}
