import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunningServer } from "../../server/main.ts";
import type { ServerConfig } from "../../system/config.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { inset } from "../terminal/inset.ts";
import { Interrupted, untilInterrupted } from "../terminal/interruption.ts";
import { duration } from "../ui/format.ts";
import { table } from "../ui/table.ts";
import { ACCOUNTS } from "./demo-life/cast.ts";
import { DAYS, type Lived, live, startOf } from "./demo-life/life.ts";
import { pastClock } from "./demo-life/past-clock.ts";

const [OPERATORS] = ACCOUNTS;

/** Fills a directory with the life of three accounts, and serves it until it is interrupted. */
export async function demoKept(context: Context, { port = 0 }: { port?: number }): Promise<number> {
  const { io, clock, progress, random, options } = context;
  const startedAt = clock.monotonic();
  const directory = mkdtempSync(join(tmpdir(), "toolplane-demo-"));
  const password = Buffer.from(random.bytes(12)).toString("base64url");
  let server: RunningServer | undefined;
  try {
    const { url, ...lived } = await progress
      .during(`Living through ${DAYS} days`, fill(context, { directory, port, password }))
      .catch((error) => {
        rmSync(directory, { recursive: true, force: true });
        throw io.interrupted.aborted ? new Interrupted() : error;
      });
    server = await start(configOf(directory, Number(new URL(url).port)), context);
    tell(context, { ...lived, url, password, directory, took: clock.monotonic() - startedAt });
    await untilInterrupted(io.interrupted);
    if (!options.json) io.out.line(inset(`Stopped. The data is still in ${directory}.`, io.out));
  } finally {
    await server?.close();
  }
  return io.interrupted.reason === "SIGINT" ? EXIT.interrupted : EXIT.done;
}

async function fill(
  { clock, random, io }: Context,
  { directory, port, password }: { directory: string; port: number; password: string },
): Promise<Lived & { url: string }> {
  const now = clock.now();
  const past = pastClock(clock, startOf(now));
  // Requests come from people's addresses, by the only proxy there is.
  const config = { ...configOf(directory, port), trustProxy: "1" };
  const server = await start(config, { clock: past });
  try {
    const given = { server, clock: past, random, now, password, signal: io.interrupted };
    return { ...(await live(given)), url: server.url };
  } finally {
    await server.close();
  }
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

async function start(config: ServerConfig, { clock }: Pick<Context, "clock">): Promise<RunningServer> {
  const [{ startServer }, { createLog }] = await Promise.all([
    import("../../server/main.ts"),
    import("../../system/log.ts"),
  ]);
  return startServer({ clock, log: createLog("silent"), config });
}

function tell(
  { io: { out }, options }: Context,
  {
    url,
    ways,
    accounts,
    password,
    directory,
    took,
  }: Lived & {
    url: string;
    password: string;
    directory: string;
    took: number;
  },
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
  const { style, symbols } = out;
  const lines = [
    `${style.green(symbols.done)} ${DAYS} days of ${accounts.length} accounts in ${duration(took)}, on ${style.cyan(url)}`,
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
