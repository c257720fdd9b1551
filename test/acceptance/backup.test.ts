import { once } from "node:events";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { requestsTo } from "../../src/testing/request.ts";
import { user } from "../cli/support/tool.ts";
import { OWNER_KEY } from "../support/app.ts";
import { type ServeProcess, startServe } from "../support/serve.ts";
import { createDatabase } from "../support/services/shared-postgres.ts";
import { STORES, temporaryDirectory } from "../support/store.ts";

const CALLERS = 20;
const UNLIMITED = { requestsPerMinute: 1_000_000, requestsPerHour: 100_000_000, requestsPerDay: 100_000_000 };

/** Returns the flags that name a new store of a kind, and those that name one of the other kind. */
async function placesOf(kind: (typeof STORES)[number]): Promise<[string[], string[]]> {
  const place = async (is: boolean) =>
    is ? ["--database", await createDatabase()] : ["--data", temporaryDirectory()];
  return [await place(kind === "PostgreSQL"), await place(kind !== "PostgreSQL")];
}

async function total(server: ServeProcess): Promise<number> {
  return (await requestsTo(server.url, OWNER_KEY)("GET", "/api/v1/usage")).body.totals.api_calls;
}

/** Counts uses until the server is gone. Returns the numbers that were acknowledged and sent. */
function countUntilGone(url: string) {
  const count = { acknowledged: 0, sent: 0 };
  const request = requestsTo(url, OWNER_KEY);
  const callers = Array.from({ length: CALLERS }, async () => {
    for (;;) {
      count.sent++;
      const { status } = await request("POST", "/api/v1/track", { body: { type: "api_calls" } });
      expect(status).toBe(200);
      count.acknowledged++;
    }
  });
  return { count, over: Promise.allSettled(callers) };
}

describe.each(STORES)("tool backup of a server over %s under load", (kind) => {
  it("contains every acknowledged use although the server is killed, and restores into the other kind of store", async () => {
    const [place, elsewhere] = await placesOf(kind);
    const { tool, home } = user();
    const server = await startServe([...place, "--plan", "enterprise"]);
    const { body } = await requestsTo(server.url, OWNER_KEY)("GET", "/api/v1/account");
    await requestsTo(server.url, OWNER_KEY)("PATCH", `/api/v1/accounts/${body.account.id}`, {
      body: { limits: UNLIMITED },
    });
    const { count, over } = countUntilGone(server.url);
    await expect.poll(() => count.acknowledged).toBeGreaterThan(50);
    const taken: { file: string; least: number; most: number }[] = [];
    for (const [index, kill] of [false, true].entries()) {
      const file = join(home, `${index}.backup`);
      const least = count.acknowledged;
      const backup = tool("backup", file, ...place, "--json");
      // Kills the server while the backup is written, or shortly before or after.
      if (kill) setTimeout(() => server.child.kill("SIGKILL"), 150);
      const { code, json, stderr } = await backup;
      expect(code, stderr).toBe(0);
      expect(json).toMatchObject({ file, documents: expect.any(Number), bytes: statSync(file).size });
      expect(statSync(file).mode & 0o777).toBe(0o600);
      taken.push({ file, least, most: count.sent });
    }
    await over;
    expect(readdirSync(home).filter((name) => name.includes("unfinished"))).toEqual([]);
    for (const { file, least, most } of taken) {
      const restored = await tool("restore", file, ...elsewhere, "--force", "--json");
      expect(restored.code, restored.stderr).toBe(0);
      const again = await startServe(elsewhere);
      const counted = await total(again);
      expect(counted).toBeGreaterThanOrEqual(least);
      expect(counted).toBeLessThanOrEqual(most);
      expect(await again.end("SIGTERM")).toBe(0);
    }
  });
});

describe("tool backup and tool restore", () => {
  it("work through pipes, name files by time, and refuse to overwrite data or restore a truncated file", async () => {
    const directory = temporaryDirectory();
    const { tool, toolIn, start, home } = user({ TOOL_OWNER_API_KEY: OWNER_KEY });
    const server = await startServe(["--data", directory]);
    const named = await toolIn(home)("backup", "--data", directory);
    expect(named.stdout).toMatch(/toolplane-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup: \d+ documents/);
    const [file = ""] = readdirSync(home).filter((name) => name.endsWith(".backup"));
    const verified = await toolIn(home)("backup", "verify", file, "--json");
    expect(verified.json).toMatchObject({ file, documents: expect.any(Number) });
    expect((await toolIn(home)("backup", file, "--data", directory)).stderr).toContain("exists already");
    const nowhere = await toolIn(home)("backup", join(home, "none", "a.backup"), "--data", directory);
    expect([nowhere.code, nowhere.stderr]).toEqual([
      2,
      expect.stringContaining(`mkdir -p ${join(home, "none")}`),
    ]);

    const piped = start(["backup", "-", "--data", directory]);
    const pieces: Buffer[] = [];
    piped.child.stdout.removeAllListeners("data").setEncoding("binary" as never);
    piped.child.stdout.on("data", (piece: string) => pieces.push(Buffer.from(piece, "binary")));
    expect((await piped.finished).code).toBe(0);
    const target = temporaryDirectory();
    const restore = start(["restore", "-", "--data", target]);
    restore.child.stdin.end(Buffer.concat(pieces));
    const restored = await restore.finished;
    expect(restored.code, restored.stderr).toBe(0);

    expect((await tool("restore", join(home, file), "--data", target)).stderr).toContain(
      "holds data already",
    );
    expect((await tool("restore", join(home, file), "--data", directory, "--force")).stderr).toContain(
      "in use",
    );
    const cut = join(home, "cut.backup");
    writeFileSync(cut, readFileSync(join(home, file)).subarray(0, -9));
    const before = readdirSync(target).sort();
    const failed = await tool("restore", cut, "--data", target, "--force");
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain("no whole backup");
    expect(readdirSync(target).sort()).toEqual(before);
    expect((await tool("backup", "verify", cut)).code).toBe(1);
    const forced = await tool("restore", join(home, file), "--data", target, "--force", "--json");
    expect(readdirSync(forced.json.setAside).sort()).toEqual(before);
    expect(await server.end("SIGTERM")).toBe(0);
  });
});

describe("tool backup at Ctrl-C", () => {
  it("leaves no file behind", async () => {
    const { start, home } = user();
    const file = join(home, "a.backup");
    const database = `postgres://127.0.0.1:${await silentPort()}/plane`;
    const { child, finished } = start(["backup", file, "--database", database]);
    await expect.poll(() => readdirSync(home)).toContain("a.backup.unfinished");
    child.kill("SIGINT");
    expect((await finished).code).toBe(130);
    expect(readdirSync(home).filter((name) => name.includes("backup"))).toEqual([]);
  });
});

describe.each(STORES)("tool restore --force at Ctrl-C, over %s", (kind) => {
  it("puts back what was there", async () => {
    const [place] = await placesOf(kind);
    const { tool, start, home } = user();
    const file = join(home, "a.backup");
    const server = await startServe(place);
    await requestsTo(server.url, OWNER_KEY)("POST", "/api/v1/track", { body: { type: "api_calls" } });
    expect((await tool("backup", file, ...place)).code).toBe(0);
    await requestsTo(server.url, OWNER_KEY)("POST", "/api/v1/track", { body: { type: "api_calls" } });
    expect(await server.end("SIGTERM")).toBe(0);

    const { child, finished } = start(["restore", "-", ...place, "--force"]);
    child.stdin.write(readFileSync(file).subarray(0, -9));
    await expect.poll(() => isSetAside(place)).toBe(true);
    child.kill("SIGINT");
    const { code, stderr } = await finished;
    expect([code, stderr]).toEqual([130, expect.stringContaining("what was there is back")]);
    expect(await isSetAside(place)).toBe(false);
    expect(await total(await startServe(place))).toBe(2);
  });
});

describe.each(STORES)("tool data move from %s", (kind) => {
  it("moves the store of a running server without losing an acknowledged write", async () => {
    const [place, elsewhere] = await placesOf(kind);
    const { tool } = user();
    const server = await startServe(place);
    const request = requestsTo(server.url, OWNER_KEY);
    const track = () => request("POST", "/api/v1/track", { body: { type: "api_calls" } });
    let acknowledged = 0;
    let refusal: Awaited<ReturnType<typeof track>> | undefined;
    const counting = (async () => {
      while (!refusal) {
        const answer = await track();
        if (answer.status === 200) acknowledged++;
        else refusal = answer;
      }
    })();
    await expect.poll(() => acknowledged).toBeGreaterThan(5);
    const to = elsewhere[1] as string;
    const moved = await tool("data", "move", ...place, "--to", to);
    expect(moved.code, moved.stderr).toBe(0);
    await counting;
    expect(refusal).toMatchObject({ status: 503, body: { error: "store_unavailable" } });
    await expect.poll(async () => (await track()).body.detail).toContain("it was moved to");
    expect((await request("GET", "/api/v1/usage")).status).toBe(200);
    expect(await server.end("SIGTERM")).toBe(0);
    const again = await startServe(elsewhere);
    expect(await total(again)).toBe(acknowledged);
    expect((await tool("data", "writable", ...place)).code).toBe(0);
    const back = await startServe(place);
    expect(await total(back)).toBe(acknowledged);
  });

  it("undoes the move at Ctrl-C, and the server accepts writes again", async () => {
    const [place] = await placesOf(kind);
    const server = await startServe(place);
    const track = () =>
      requestsTo(server.url, OWNER_KEY)("POST", "/api/v1/track", { body: { type: "api_calls" } });
    const to = await fallingSilent(await createDatabase());
    const moving = user().start(["data", "move", ...place, "--to", to]);
    await expect.poll(async () => (await track()).status).toBe(503);
    moving.child.kill("SIGINT");
    const { code, stderr } = await moving.finished;
    expect([code, stderr]).toEqual([130, expect.stringContaining("is written to again")]);
    await expect.poll(async () => (await track()).status).toBe(200);
  });
});

describe.each(STORES)("tool data read-only on %s", (kind) => {
  it("undoes the request at Ctrl-C, even if the server would grant it only afterwards", async () => {
    const [place] = await placesOf(kind);
    const server = await startServe(place);
    const request = requestsTo(server.url, OWNER_KEY);
    const track = async () =>
      (await request("POST", "/api/v1/track", { body: { type: "api_calls" } })).status;
    expect(await track()).toBe(200);
    const hold = await (kind === "PostgreSQL"
      ? holdTable(place[1] as string)
      : suspend(server, place[1] as string));
    const stopping = user().start(["data", "read-only", ...place]);
    await hold.untilAsked();
    stopping.child.kill("SIGINT");
    // Nothing shows that the command has noticed, which takes a moment where the processor is busy.
    await sleep(1000);
    await hold.release();
    const { code, stdout } = await stopping.finished;
    expect([code, stdout]).toEqual([130, ""]);
    await expect.poll(track).toBe(200);
    expect((await user().tool("data", "read-only", ...place)).code).toBe(0);
    await expect.poll(track).toBe(503);
  });
});

/** Returns the URL of a database that answers its first caller, and no other. */
async function fallingSilent(database: string): Promise<string> {
  const url = new URL(database);
  const { hostname: host, port } = url;
  let callers = 0;
  const sockets = new Set<Socket>();
  const proxy = createServer((caller) => {
    sockets.add(caller.on("error", () => {}));
    if (callers++ > 0) return;
    const real = connect({ host, port: Number(port) }).on("error", () => {});
    sockets.add(real);
    caller.pipe(real).pipe(caller);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return url.href;
}

/** Returns the port of a database that accepts and never answers. */
async function silentPort(): Promise<number> {
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  onTestFinished(() => void silent.close());
  return (silent.address() as AddressInfo).port;
}

/** Returns whether what was in a store is moved aside. */
async function isSetAside([flag, where = ""]: string[]): Promise<boolean> {
  if (flag === "--data") return readdirSync(where).some((name) => name.startsWith("before-"));
  const client = new Client({ connectionString: where });
  await client.connect();
  const found = await client.query("SELECT FROM pg_namespace WHERE nspname LIKE 'toolplane_before_%'");
  await client.end();
  return found.rowCount === 1;
}

/** Suspends a server, so that it cannot grant requests that are made in its directory. */
async function suspend({ child }: ServeProcess, directory: string) {
  child.kill("SIGSTOP");
  return {
    untilAsked: () => expect.poll(() => readdirSync(directory)).toContain("read-only.asked"),
    release: async () => void child.kill("SIGCONT"),
  };
}

/** Opens a transaction that holds a write lock, for which others must wait. */
async function holdTable(url: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("BEGIN; LOCK TABLE toolplane._counters IN ROW EXCLUSIVE MODE");
  const waiting = async () =>
    (
      await client.query(
        "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'toolplane._counters'::regclass",
      )
    ).rowCount;
  return {
    untilAsked: () => expect.poll(waiting).toBe(1),
    release: async () => {
      await client.query("COMMIT");
      await client.end();
    },
  };
}
