import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { OWNER, OWNER_KEY } from "./servers/start.ts";

const HEAP_MIB = Number(process.env.BENCH_HEAP_MIB ?? 1024);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 120);
const ACCOUNTS = Number(process.env.BENCH_ACCOUNTS ?? 4);
/** Concurrent imports of each account. */
const AT_ONCE = Number(process.env.BENCH_AT_ONCE ?? 2);
const IMPORT_MIB = Number(process.env.BENCH_IMPORT_MIB ?? 60);
const GRAPH = "/api/v1/tools/knowledge-graph";
const MEMORY = "/api/v1/tools/agent-memory";

/** biome-ignore lint/suspicious/noExplicitAny: answers are read without their types */
type Json = any;

interface Running {
  url: string;
  process: ChildProcess;
}

/**
 * Lets accounts of the largest plans import as much as they can into a server with a small heap. The server
 * has to refuse in time, stay up, still serve reads and deletes, and fit into its heap after a restart.
 */
export async function run(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "toolplane-bench-"));
  let server = await start(directory);
  try {
    const keys = await Promise.all(
      Array.from({ length: ACCOUNTS }, (_, index) => makeAccount(server.url, index)),
    );
    const seen = { answers: new Map<string, number>(), health: [] as number[], rss: 0, heap: 0 };
    const end = Date.now() + SECONDS * 1000;
    await Promise.all([
      watch(server, end, seen),
      ...keys.flatMap((key, account) =>
        Array.from({ length: AT_ONCE }, (_, lane) =>
          importUntil(end, server.url, key, account * AT_ONCE + lane, seen.answers),
        ),
      ),
    ]);
    if (server.process.exitCode !== null || server.process.signalCode !== null)
      throw new Error("the server died");
    console.log(`\n${ACCOUNTS} accounts import for ${SECONDS} s into a heap of ${HEAP_MIB} MiB`);
    for (const [answer, count] of [...seen.answers].sort())
      console.log(`  ${String(count).padStart(5)}  ${answer}`);
    const slowest = Math.max(...seen.health);
    console.log(
      `  RSS at most ${seen.rss} MiB, heap at most ${seen.heap} MiB, /health at worst ${slowest.toFixed(0)} ms`,
    );
    await readAndDelete(server.url, keys[0] as string);
    await stop(server);
    const before = performance.now();
    server = await start(directory);
    const loadedIn = performance.now() - before;
    await sleep(10_000);
    const [heap, rss] = [await heapOf(server.url), rssOf(server)];
    const share = Math.round((100 * heap) / HEAP_MIB);
    console.log(
      `  restart in ${(loadedIn / 1000).toFixed(1)} s; idle: heap ${heap} MiB (${share} %), RSS ${rss} MiB`,
    );
    if (heap > 0.6 * HEAP_MIB) throw new Error("it idles above 60 % of its heap");
  } finally {
    server.process.kill("SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  }
}

async function start(directory: string): Promise<Running> {
  const tool = join(import.meta.dirname, "../bin/tool.js");
  const args = [`--max-old-space-size=${HEAP_MIB}`, tool, "serve", "--port", "0", "--data", directory];
  const child = spawn(process.execPath, [...args, "--log-level", "warn"], {
    env: { ...process.env, NODE_ENV: "production", TOOL_OWNER_API_KEY: OWNER_KEY },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout as NonNullable<typeof child.stdout> })) {
    const url = /https?:\/\/[\w.:-]+/.exec(line)?.[0];
    if (url) {
      child.stdout?.resume();
      return { url, process: child };
    }
  }
  throw new Error("the server did not start");
}

async function stop({ process }: Running): Promise<void> {
  process.kill("SIGTERM");
  await once(process, "exit");
}

/** Creates an account whose limits let it import without pause, and returns an access token of its owner. */
async function makeAccount(url: string, index: number): Promise<string> {
  const plan = index % 2 === 0 ? "team" : "enterprise";
  const body = { name: plan, ownerEmail: `owner${index}@example.test`, plan };
  const made = await ask(url, "POST", "/api/v1/accounts", body);
  const { id } = made.account;
  const limits = { requestsPerMinute: 1e6, requestsPerHour: 1e8, requestsPerDay: 1e9 };
  await ask(url, "PATCH", `/api/v1/accounts/${id}`, { limits });
  return signInByLink(url, made.signInLink);
}

/** Signs a device in over the pages, as a person would, and returns its access token. */
async function signInByLink(url: string, link: string): Promise<string> {
  const jar = new Map<string, string>();
  const visit = async (path: string, form?: Record<string, string>) => {
    const response = await fetch(new URL(path, url), {
      redirect: "manual",
      headers: {
        Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(form && { "Content-Type": "application/x-www-form-urlencoded", Origin: url }),
      },
      ...(form && { method: "POST", body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (cookie.split(";")[0] ?? "").split(/=(.*)/s);
      jar.set(name, value);
    }
    return response.text();
  };
  const fields = (html: string) =>
    Object.fromEntries(
      [...html.matchAll(/<input[^>]*>/g)].flatMap(([tag]) => {
        const name = /name="([^"]*)"/.exec(tag)?.[1];
        return name ? [[name, /value="([^"]*)"/.exec(tag)?.[1] ?? ""]] : [];
      }),
    );
  const page = await visit(link);
  await visit(/<form[^>]*action="([^"]*)"/.exec(page)?.[1] ?? "/sign-in", fields(page));
  const code: Json = (await (
    await fetch(`${url}/auth/device/code`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ client_id: "tool-cli", scope: "read write admin" }),
    })
  ).json()) as Json;
  const confirm = await visit(`/device?user_code=${code.user_code}`);
  await visit("/device", { ...fields(confirm), user_code: code.user_code, decision: "approve" });
  const token: Json = (await (
    await fetch(`${url}/auth/device/token`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ device_code: code.device_code }),
    })
  ).json()) as Json;
  if (!token.access_token) throw new Error(`no token: ${JSON.stringify(token)}`);
  return token.access_token;
}

/** Returns an import of large or small documents, in one-byte or two-byte text, in turn. */
function importOf(round: number, lane: number): { path: string; body: string } {
  const kind = (round + lane) % 4;
  const bytes = IMPORT_MIB * 2 ** 20;
  const mark = `${lane}-${round}`;
  if (kind === 3) {
    const memories = Array.from({ length: 100 }, (_, index) => ({
      content: Array.from({ length: 60 }, (_, word) => `w${round}x${lane}y${index}z${word}`).join(" "),
    }));
    return { path: `${MEMORY}/store-many`, body: JSON.stringify({ memories }) };
  }
  const count = kind === 1 ? 50_000 : Math.floor(bytes / 16_000);
  const each = Math.floor(bytes / count) - 120;
  const text = (kind === 2 ? "…" : "x") + "x".repeat(Math.min(each, 15_000));
  const entities = Array.from({ length: count }, (_, index) => ({
    id: `${mark}-${index}`,
    type: "file",
    name: `file ${index}`,
    properties: { text },
  }));
  return { path: `${GRAPH}/import`, body: JSON.stringify({ entities }) };
}

async function importUntil(
  end: number,
  url: string,
  key: string,
  lane: number,
  answers: Map<string, number>,
): Promise<void> {
  for (let round = 0; Date.now() < end; round++) {
    const { path, body } = importOf(round, lane);
    const answer = await fetch(url + path, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${key}`,
        "Content-Type": "application/json",
        "X-Project-Id": `p${lane % 3}`,
      },
      body,
    }).then(
      async (response) => {
        const document = (await response.json()) as { error?: string; bound?: string };
        return [response.status, document.error, document.bound].filter(Boolean).join(" ");
      },
      (error: Error) => `no answer: ${(error.cause as Error | undefined)?.message ?? error.message}`,
    );
    answers.set(answer, (answers.get(answer) ?? 0) + 1);
    if (!/^2/.test(answer)) await sleep(200);
  }
}

async function watch(
  server: Running,
  end: number,
  seen: { health: number[]; rss: number; heap: number },
): Promise<void> {
  while (Date.now() < end && server.process.exitCode === null && server.process.signalCode === null) {
    const before = performance.now();
    await fetch(`${server.url}/health`).then(
      (response) => response.text(),
      () => {},
    );
    seen.health.push(performance.now() - before);
    seen.rss = Math.max(seen.rss, rssOf(server));
    seen.heap = Math.max(seen.heap, await heapOf(server.url));
    await sleep(100);
  }
}

async function readAndDelete(url: string, key: string): Promise<void> {
  const headers = { Authorization: `Bearer ${key}` };
  const bounds: Json = (await (await fetch(`${url}/api/v1/usage/bounds`, { headers })).json()) as Json;
  const found = await fetch(`${url}${GRAPH}/path?from=0-0-0&to=0-0-1`, {
    headers: { ...headers, "X-Project-Id": "p0" },
  });
  const gone = await fetch(`${url}${GRAPH}/entity/0-0-2`, {
    method: "DELETE",
    headers: { ...headers, "X-Project-Id": "p0" },
  });
  console.log(`  bounds ${JSON.stringify(bounds.bounds?.storageBytes)} ${JSON.stringify(bounds.server)}`);
  console.log(`  then reads with ${found.status} and deletes with ${gone.status}`);
}

async function ask(url: string, method: string, path: string, body: unknown) {
  const response = await fetch(url + path, { method, headers: OWNER, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return response.json() as Promise<Json>;
}

async function heapOf(url: string): Promise<number> {
  const text = await fetch(`${url}/metrics`, { headers: OWNER }).then(
    (response) => response.text(),
    () => "",
  );
  return Math.round(Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(text)?.[1] ?? 0) / 2 ** 20);
}

function rssOf({ process: { pid } }: Running): number {
  try {
    const kibibytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Math.round(Number(kibibytes ?? 0) / 1024);
  } catch {
    return 0;
  }
}
