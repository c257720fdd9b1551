import { mkdtempSync, rmSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unlimitedPlans } from "../test/hardness/fuzz/unlimited-plans.ts";
import { startInProcess } from "./servers/in-process.ts";
import { chooseLoad } from "./servers/load.ts";
import { OWNER } from "./servers/start.ts";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);

interface Node {
  id: number;
  callFrame: { functionName: string; url: string };
  children?: number[];
}

/**
 * The part of the server that a stack is attributed to: that of its innermost frame outside Node that matches one of
 * these, or of its frames in Node if no other matches. The first match wins.
 */
const PARTS: [part: string, frame: RegExp][] = [
  ["answering", /src\/server\/pipeline\/answer\.ts$/],
  ["the journal and its groups", /src\/store\/json-file\/journal\//],
  ["transactions and documents", /src\/store\//],
  ["who asks: the key, its hash, its account", /src\/accounts\/|pipeline\/authenticate\.ts$|src\/oauth\//],
  ["limits", /enforce-limits\.ts$|src\/metering\/(rate-limit|windows|limit-alerts)\.ts$/],
  ["counting the use", /src\/metering\//],
  ["checking the body", /node_modules\/zod\/|json-body\.ts$|src\/contract\//],
  ["metrics and logs", /src\/server\/telemetry\/|src\/system\/log\.ts$|node_modules\/pino\//],
  ["the way of a request", /src\/server\/|src\/system\//],
  ["Node: reading and parsing HTTP, timers, promises", /^node:/],
];

/** Profiles a server while it answers `/track`, and prints the microseconds of processor time a request, by part. */
export async function run(): Promise<void> {
  const { name, load } = await chooseLoad();
  if (name !== "wrk") throw new Error("this needs wrk: what sends requests must not be profiled as well");
  const directory = mkdtempSync(join(tmpdir(), "toolplane-bench-"));
  const server = await startInProcess({ plansFile: unlimitedPlans(directory) });
  const session = new Session();
  session.connect();
  try {
    const request = {
      method: "POST" as const,
      url: `${server.url}/api/v1/track`,
      headers: OWNER,
      body: JSON.stringify({ type: "api_calls" }),
    };
    const options = { connections: 64, seconds: SECONDS };
    await load(request, { ...options, seconds: 2 });
    await session.post("Profiler.enable");
    await session.post("Profiler.setSamplingInterval", { interval: 200 });
    await session.post("Profiler.start");
    const { requestsPerSecond } = await load(request, options);
    const { profile } = await session.post("Profiler.stop");
    const requests = requestsPerSecond * SECONDS;
    const parts = partsOf(profile as never);
    const busy = [...parts].reduce((sum, [part, time]) => sum + (part === IDLE ? 0 : time), 0);
    console.log(`${Math.round(requestsPerSecond)} requests a second, 64 connections, under the profiler`);
    for (const [part, time] of [...parts].sort(([, a], [, b]) => b - a)) {
      const share = part === IDLE ? "" : `${Math.round((100 * time) / busy)} %`;
      console.log(`${(time / requests).toFixed(1).padStart(6)} µs ${share.padStart(5)}  ${part}`);
    }
    console.log(`${(busy / requests).toFixed(1).padStart(6)} µs of a core for each request`);
  } finally {
    session.disconnect();
    await server.close();
    rmSync(directory, { recursive: true });
  }
}

const IDLE = "idle: waiting for requests, and for the disk";

/** Returns the profiled microseconds of each part. */
function partsOf(profile: { nodes: Node[]; samples: number[]; timeDeltas: number[] }): Map<string, number> {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const found = new Map<string, number>();
  for (const [index, sample] of profile.samples.entries()) {
    const part = partOf(sample);
    found.set(part, (found.get(part) ?? 0) + (profile.timeDeltas[index] ?? 0));
  }
  return found;

  function partOf(sample: number): string {
    const leaf = nodes.get(sample)?.callFrame.functionName;
    if (leaf === "(idle)") return IDLE;
    if (leaf === "(garbage collector)") return "garbage collection";
    let outside: string | undefined;
    for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) {
      const { url } = (nodes.get(id) as Node).callFrame;
      const part = PARTS.find(([, frame]) => frame.test(url))?.[0];
      if (part === undefined) continue;
      if (!url.startsWith("node:")) return part;
      outside = part;
    }
    return outside ?? "the engine";
  }
}
