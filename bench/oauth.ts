import { Client } from "undici";
import { type Flow, type Flows, flowsOfOidcProvider, flowsOfToolplane, type Held } from "./oauth/flows.ts";
import { cpuMicroseconds } from "./servers/cpu.ts";
import { type Server, startServer, startToolplane } from "./servers/start.ts";

/** Seconds of sign-ins that are measured for each contender. Their turns alternate. */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 15);
const SIGNING_IN = 64;
/** Sign-ins of each client before another contender has its turn. */
const IN_A_ROW = 8;
/** Sign-ins of each client in `takeSteps`: few, since oidc-provider's memory adapter keeps only 1,000 entries. */
const AT_A_TIME = 2;
/** Turns that are not measured. */
const WARM_UP = 15;

export interface Contender {
  name: string;
  server: Server;
  flowsOf: (url: string) => Promise<Flows>;
}

/** The cost of the sign-ins so far: wall time, and the server's processor time by step. */
interface Taken {
  flows: number;
  wallMs: number;
  /** Sign-ins whose steps were measured one by one, for `cpuUs`. They are not in `flows`. */
  stepped: number;
  cpuUs: Map<string, number>;
}

const nothing = (): Taken => ({ flows: 0, wallMs: 0, stepped: 0, cpuUs: new Map() });

/**
 * Measures whole sign-ins a second, of devices (RFC 8628) and of applications by code and PKCE with pushed requests
 * (RFC 9126), and the processor time of each step. They are compared with oidc-provider on its memory adapter, once
 * with a signed ID token and once without `openid`. Toolplane is durable: each step is on disk before it is answered.
 */
export async function run(): Promise<void> {
  const provider = await startServer("oidc-provider", "oidc-provider.ts");
  const ours = await startToolplane();
  const contenders: Contender[] = [
    {
      name: "oidc-provider",
      server: provider,
      flowsOf: (url) => flowsOfOidcProvider(url, "openid offline_access"),
    },
    { name: "no ID token", server: provider, flowsOf: (url) => flowsOfOidcProvider(url, "read write") },
    { name: "Toolplane", server: ours, flowsOf: flowsOfToolplane },
  ];
  try {
    await measure("Device flows", contenders, ({ devices }) => devices);
    await measure("Codes with PKCE", contenders, ({ codes }) => codes);
  } finally {
    for (const server of [provider, ours]) server.stop();
  }
}

export async function measure(
  title: string,
  contenders: readonly Contender[],
  flowOf: (flows: Flows) => Flow,
): Promise<void> {
  const runners = await Promise.all(
    contenders.map(async ({ name, server, flowsOf }) => ({
      name,
      server,
      // A browser signs in for each turn: the memory adapter has evicted its session meanwhile.
      signIn: async () => flowOf(await flowsOf(server.url)),
      clients: Array.from({ length: SIGNING_IN }, () => new Client(server.url)),
      taken: nothing(),
    })),
  );
  const leastMs = () => Math.min(...runners.map(({ taken }) => taken.wallMs));
  for (let turn = 0; turn < WARM_UP || leastMs() < 1000 * SECONDS; turn++) {
    for (const runner of runners) {
      if (turn === WARM_UP) runner.taken = nothing();
      await runFlows(runner, await runner.signIn());
      await takeSteps(runner, await runner.signIn());
    }
  }
  console.log(`\n${title}, ${SIGNING_IN} at once`);
  const base = figuresOf(runners[0]?.taken as Taken);
  for (const { name, taken, clients } of runners) {
    const { rate, cpu, steps } = figuresOf(taken);
    const times = `${(rate / base.rate).toFixed(2)} x as many, ${(base.cpu / cpu).toFixed(2)} x as cheap`;
    console.log(`  ${name.padEnd(14)} ${rate.toFixed(0).padStart(6)} flows/s  ${times}`);
    const parts = steps.map(([step, us]) => `${step} ${us.toFixed(0)}`).join(" + ");
    console.log(`${" ".repeat(17)}${cpu.toFixed(0).padStart(6)} µs of processor time a flow: ${parts}`);
    await Promise.all(clients.map((client) => client.close()));
  }
}

function figuresOf({ flows, wallMs, stepped, cpuUs }: Taken) {
  const steps = [...cpuUs].map(([step, us]) => [step, us / stepped] as const);
  return {
    rate: (1000 * flows) / wallMs,
    cpu: steps.reduce((sum, [, us]) => sum + us, 0),
    steps,
  };
}

interface Runner {
  server: Server;
  clients: readonly Client[];
  taken: Taken;
}

/** Runs whole flows on all clients at once, each as fast as its steps are answered. */
async function runFlows({ clients, taken }: Runner, flow: Flow): Promise<void> {
  const begun = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      for (let round = 0; round < IN_A_ROW; round++) {
        const held: Held = {};
        for (const step of Object.values(flow)) await step(client, held);
      }
    }),
  );
  taken.wallMs += performance.now() - begun;
  taken.flows += clients.length * IN_A_ROW;
}

/** Runs one step on all clients before the next, so that the processor time of each step can be measured. */
async function takeSteps({ server: { pid }, clients, taken }: Runner, flow: Flow): Promise<void> {
  const held = clients.map((): Held[] => Array.from({ length: AT_A_TIME }, () => ({})));
  for (const [name, step] of Object.entries(flow)) {
    const before = cpuMicroseconds(pid) ?? Number.NaN;
    await Promise.all(
      clients.map(async (client, index) => {
        for (const each of held[index] ?? []) await step(client, each);
      }),
    );
    const after = cpuMicroseconds(pid) ?? Number.NaN;
    taken.cpuUs.set(name, (taken.cpuUs.get(name) ?? 0) + after - before);
  }
  taken.stepped += clients.length * AT_A_TIME;
}
