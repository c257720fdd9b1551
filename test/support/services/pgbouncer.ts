import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../../../src/system/package.ts";
import { freePort } from "../free-port.ts";
import { PATHS } from "../programs.ts";
import { answers } from "./postgres.ts";

export interface Pooler {
  /** Returns the URL of the same database through the pooler. */
  through(url: string): string;
  stop(): Promise<void>;
}

const PASSWORD = "of-the-pooler";

/** Starts Debian's PgBouncer with the configuration in `deploy/`, in front of the server at `url`. */
export async function startPgbouncer(url: string): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), "toolplane-pgbouncer-"));
  chmodSync(folder, 0o755);
  const file = join(folder, "pgbouncer.ini");
  const users = join(folder, "userlist.txt");
  writeFileSync(users, `"postgres" "${PASSWORD}"\n`);
  const port = await freePort();
  writeFileSync(file, iniFor(url, { port, users }));
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const child: ChildProcess = spawn("pgbouncer", ["-q", ...user, file], {
    env: PATHS.env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(child, "exit");
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said = `${said}${text}`.slice(-4000);
  });
  const through = (direct: string) => {
    const { pathname } = new URL(direct);
    return `postgres://postgres:${PASSWORD}@127.0.0.1:${port}${pathname}`;
  };
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  while (!(await answers(through(url)))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start: ${said}`);
    await new Promise((wake) => setTimeout(wake, 20));
  }
  return {
    through,
    async stop() {
      child.kill("SIGKILL");
      await ended;
      process.removeListener("exit", kill);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function iniFor(url: string, { port, users }: { port: number; users: string }): string {
  const { hostname, port: target } = new URL(url);
  const replaced: Record<string, string> = {
    "toolplane = host=db.internal port=5432": `* = host=${hostname} port=${target}`,
    "listen_port = 6432": `listen_port = ${port}`,
    "/etc/pgbouncer/userlist.txt\n": `${users}\n`,
    "max_client_conn = 200": "max_client_conn = 2000",
  };
  let text = readFileSync(join(packageRoot, "deploy/pgbouncer/pgbouncer.ini"), "utf8");
  for (const [found, other] of Object.entries(replaced)) {
    if (!text.includes(found)) throw new Error(`pgbouncer.ini does not say ${found}`);
    text = text.replace(found, other);
  }
  return text;
}
