import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunningServer } from "../../server/starting/start-server.ts";
import { untilAborted } from "../../system/abort.ts";
import type { Clock } from "../../system/clock.ts";
import type { ServerConfig } from "../../system/config.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { inset } from "../terminal/inset.ts";
import { Interrupted } from "../terminal/interruption.ts";
import { duration } from "../ui/format.ts";
import { table } from "../ui/table.ts";
import { ACCOUNTS } from "./demo-life/cast.ts";
import { DAYS, type Lived, live, startOf } from "./demo-life/life.ts";
import { type PastClock, pastClock } from "./demo-life/past-clock.ts";
import { receivers } from "./demo-life/receivers.ts";

const [OPERATORS] = ACCOUNTS;

/** A generated history, the server that shows it, and the password of all users who can sign in. */
export interface Life extends Lived {
  server: RunningServer;
  password: string;
}

/** Serves a generated history until interrupted, and prints how to look at it (`tool demo --keep`). */
export async function demoKept(context: Context, { port = 0 }: { port?: number }): Promise<number> {
  const { io, clock, progress, random, options } = context;
  const startedAt = clock.monotonic();
  const directory = mkdtempSync(join(tmpdir(), "toolplane-demo-"));
  const given = { clock, random, directory, port, signal: io.interrupted };
  const shown = await progress.during(`Living through ${DAYS} days`, serveLife(given)).catch((error) => {
    rmSync(directory, { recursive: true, force: true });
    throw io.interrupted.aborted ? new Interrupted() : error;
  });
  try {
    tell(context, { ...shown, directory, took: clock.monotonic() - startedAt });
    await untilAborted(io.interrupted);
    if (!options.json) io.out.line(inset(`Stopped. The data is still in ${directory}.`, io.out));
  } finally {
    await shown.server.close();
  }
  return io.interrupted.reason === "SIGINT" ? EXIT.interrupted : EXIT.done;
}

/**
 * Fills an empty directory with the history of three accounts, and serves it. For local use only: all users have the
 * same password.
 */
export async function serveLife({
  clock,
  random,
  directory,
  port = 0,
  signal,
}: Pick<Context, "clock" | "random"> & {
  directory: string;
  port?: number;
  signal: AbortSignal;
}): Promise<Life> {
  const now = clock.now();
  const start = startOf(now);
  const past = pastClock(clock, start);
  const password = Buffer.from(random.bytes(12)).toString("base64url");
  const config = configOf(directory, port);
  const filling = await toBeFilled(config, past, start);
  let lived: Lived;
  try {
    await filling.listen(config);
    lived = await live({ server: filling, clock: past, random, now, password, signal });
  } finally {
    await filling.close();
  }
  const server = await startOn({ ...config, port: Number(new URL(filling.url).port) }, clock);
  return { ...lived, server, password };
}

/** Assembles the server that the history is made on. Its store is not durable, since a partial history is discarded. */
async function toBeFilled({ dataDirectory, plan, owner }: ServerConfig, clock: PastClock, start: number) {
  const [{ assembleServer }, { openUnsafeStore }] = await Promise.all([
    import("../../server/starting/assemble.ts"),
    import("../../store/open.ts"),
  ]);
  return assembleServer({
    clock,
    log: "silent",
    store: (options) => openUnsafeStore(dataDirectory, options),
    plan,
    owner,
    // The demo sets the clients' addresses as a proxy would.
    trustProxy: "1",
    sendToWebhooks: receivers(clock, start),
    warmsUp: false,
  });
}

function configOf(directory: string, port: number): ServerConfig {
  return {
    host: "127.0.0.1",
    port,
    dataDirectory: directory,
    plan: OPERATORS.plan,
    allowRemote: false,
    logLevel: "silent",
    owner: { email: `${OPERATORS.people[0]?.name}@${OPERATORS.domain}` },
  };
}

async function startOn(config: ServerConfig, clock: Clock): Promise<RunningServer> {
  const [{ startServer }, { createLog }] = await Promise.all([
    import("../../server/starting/start-server.ts"),
    import("../../system/log.ts"),
  ]);
  return startServer({ clock, log: createLog("silent"), config });
}

function tell(
  { io: { out }, options }: Context,
  { server: { url }, ways, accounts, password, directory, took }: Life & { directory: string; took: number },
): void {
  const again = `tool serve --data ${directory} --port ${new URL(url).port}`;
  if (options.json) {
    out.json({
      ok: true,
      durationMs: Math.round(took),
      url,
      accounts,
      ways,
      password,
      data: directory,
      again,
    });
    return;
  }
  const { style, marks } = out;
  const lines = [
    `${marks.done} ${DAYS} days of ${accounts.length} accounts in ${duration(took)}, on ${style.cyan(url)}`,
    "",
    style.bold("Sign in by a link: each works once, within 15 minutes"),
    ...table(
      [{ title: "As" }, { title: "Link" }],
      ways.map(({ as, link }) => [as, link]),
      out,
    ),
    "",
    style.bold(`Later, with the password ${password}`),
    ...ways.map(({ email }) => `  ${email}`),
    "",
    `Stop it with Ctrl-C. Its data stays in ${directory}; start it again with`,
    `  ${style.cyan(again)}`,
  ];
  for (const line of lines) out.line(inset(line, out));
}
