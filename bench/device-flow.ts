import { Client } from "undici";
import { median, OWNER, type Server, startServer, startToolplane } from "./servers/start.ts";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const DEVICES = 64;
const GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

interface Flow {
  code: string;
  token: string;
  scope: string;
  approve(client: Client, userCode: string): Promise<void>;
}

const FLOWS: Record<string, Flow> = {
  Toolplane: {
    code: "/auth/device/code",
    token: "/auth/device/token",
    scope: "read write",
    async approve(client, userCode) {
      await call(client, `/api/v1/device-authorizations/${userCode}`, OWNER, '{"decision":"approve"}');
    },
  },
  "oidc-provider": {
    code: "/device/auth",
    token: "/token",
    scope: "openid offline_access",
    async approve(client, userCode) {
      await call(client, `/approve/${userCode}`, {}, "");
    },
  },
};

/**
 * Whole device flows a second (code, approval, token), beside oidc-provider with its memory adapter.
 * Ours is durable: each step is on the disk before it is answered.
 */
export async function run(): Promise<void> {
  const servers = [await startServer("oidc-provider", "oidc-provider.ts"), await startToolplane()];
  const rates = new Map<string, number[]>(servers.map(({ name }) => [name, []]));
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (const server of servers) rates.get(server.name)?.push(await flowsPerSecond(server));
    }
  } finally {
    for (const server of servers) server.stop();
  }
  const base = median(rates.get("oidc-provider") ?? []);
  console.log(`\nDevice flows, ${DEVICES} devices at once`);
  for (const { name } of servers) {
    const rate = median(rates.get(name) ?? []);
    console.log(
      `  ${name.padEnd(14)} ${rate.toFixed(0).padStart(6)} flows/s  ${(rate / base).toFixed(2)} x oidc-provider`,
    );
  }
}

async function flowsPerSecond({ name, url }: Server): Promise<number> {
  const flow = FLOWS[name] as Flow;
  const until = performance.now() + SECONDS * 1000;
  let flows = 0;
  const devices = Array.from({ length: DEVICES }, async () => {
    const client = new Client(url);
    while (performance.now() < until) {
      const begun = await call(
        client,
        flow.code,
        FORM,
        new URLSearchParams({ client_id: "tool-cli", scope: flow.scope }),
      );
      await flow.approve(client, begun.user_code as string);
      const tokens = await call(
        client,
        flow.token,
        FORM,
        new URLSearchParams({
          grant_type: GRANT,
          client_id: "tool-cli",
          device_code: begun.device_code as string,
        }),
      );
      if (!tokens.access_token || !tokens.refresh_token) throw new Error(`${name} gave no pair of tokens`);
      flows++;
    }
    await client.close();
  });
  await Promise.all(devices);
  return flows / SECONDS;
}

async function call(
  client: Client,
  path: string,
  headers: Record<string, string>,
  body: URLSearchParams | string,
): Promise<Record<string, unknown>> {
  const answer = await client.request({ method: "POST", path, headers, body: String(body) });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
  return JSON.parse(text);
}
