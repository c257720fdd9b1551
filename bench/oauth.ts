import { Client } from "undici";
import { type Flow, type Flows, flowsOfOidcProvider, flowsOfToolplane, type Held } from "./oauth/flows.ts";
import { cpuMicroseconds } from "./servers/cpu.ts";
import { median, type Server, startServer, startToolplane } from "./servers/start.ts";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const SIGNING_IN = 64;
/** Of each step in turn: few, since oidc-provider's memory adapter forgets all but the last 1,000 things. */
const AT_A_TIME = 2;

interface Contender {
  name: string;
  server: Server;
  flowsOf: (url: string) => Promise<Flows>;
}

/** What one round took, of wall time and of the server's processor time, by step: milliseconds of a flow. */
interface Round {
  flows: number;
  wallMs: number;
  cpuMs: Map<string, number>;
}

/**
 * Whole sign-ins a second, of devices (RFC 8628) and of applications by code and PKCE with pushed requests (RFC 9126),
 * beside oidc-provider with its memory adapter, which gives an ID token with a signature or, asked for no `openid`,
 * none; and what each step costs the server's processor. Ours is durable: each step is on the disk before it is
 * answered.
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

async function measure(
  title: string,
  contenders: Contender[],
  flowOf: (flows: Flows) => Flow,
): Promise<void> {
  const rounds = contenders.map((): Round[] => []);
  // The first is a warm-up.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [index, { server, flowsOf }] of contenders.entries()) {
      const measured = await inRound(server, flowOf(await flowsOf(server.url)));
      if (round > 0) rounds[index]?.push(measured);
    }
  }
  console.log(`\n${title}, ${SIGNING_IN} at once`);
  const base = figuresOf(rounds[0] ?? []);
  for (const [index, { name }] of contenders.entries()) {
    const { rate, cpu, steps } = figuresOf(rounds[index] ?? []);
    const times = `${(rate / base.rate).toFixed(2)} x as many, ${(base.cpu / cpu).toFixed(2)} x as cheap`;
    console.log(`  ${name.padEnd(14)} ${rate.toFixed(0).padStart(6)} flows/s  ${times}`);
    const parts = steps.map(([step, us]) => `${step} ${us.toFixed(0)}`).join(" + ");
    console.log(`${" ".repeat(17)}${cpu.toFixed(0).padStart(6)} µs of processor time a flow: ${parts}`);
  }
}

function figuresOf(rounds: readonly Round[]) {
  const steps = [...(rounds[0]?.cpuMs.keys() ?? [])].map((step) => {
    const each = rounds.map(({ cpuMs, flows }) => (1000 * (cpuMs.get(step) ?? 0)) / flows);
    return [step, median(each)] as const;
  });
  return {
    rate: median(rounds.map(({ flows, wallMs }) => (1000 * flows) / wallMs)),
    cpu: steps.reduce((sum, [, us]) => sum + us, 0),
    steps,
  };
}

/** All take one step before any takes the next, so that what it costs can be told apart. */
async function inRound({ url, pid }: Server, flow: Flow): Promise<Round> {
  const clients = Array.from({ length: SIGNING_IN }, () => new Client(url));
  const round: Round = { flows: 0, wallMs: 0, cpuMs: new Map() };
  const begun = performance.now();
  while (performance.now() - begun < 1000 * SECONDS) {
    const held = clients.map((): Held[] => Array.from({ length: AT_A_TIME }, () => ({})));
    for (const [name, step] of Object.entries(flow)) {
      const before = cpuMicroseconds(pid) ?? Number.NaN;
      await Promise.all(
        clients.map(async (client, index) => {
          for (const each of held[index] ?? []) await step(client, each);
        }),
      );
      const after = cpuMicroseconds(pid) ?? Number.NaN;
      round.cpuMs.set(name, (round.cpuMs.get(name) ?? 0) + (after - before) / 1000);
    }
    round.flows += SIGNING_IN * AT_A_TIME;
  }
  round.wallMs = performance.now() - begun;
  await Promise.all(clients.map((client) => client.close()));
  return round;
}
