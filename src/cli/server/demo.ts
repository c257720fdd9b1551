import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { wholeNumber } from "../options.ts";
import { inset } from "../terminal/inset.ts";
import { Interrupted } from "../terminal/interruption.ts";
import { duration } from "../ui/format.ts";
import { journey, type Step } from "./demo-journey.ts";

export const define: Define = (command, run) => {
  command
    .option("--keep", "Serve sixty days of three accounts, to look at, until Ctrl-C; keep the data")
    .option("--port <n>", "With --keep: the port to listen on; 0 takes a free one", wholeNumber(0, 65_535), 0)
    .option("--mcp", "Show an MCP server of others get a login, a plan and a meter (docs/mcp.md)")
    .addHelpText("after", examples("tool demo", "tool demo --mcp", "tool demo --keep", "tool demo --json"))
    .action(run(demo));
};

const MCP_TITLE = "An MCP server of others gets a login, a plan and a meter";

async function demo(
  context: Context,
  { keep = false, mcp = false, port }: { keep?: boolean; mcp?: boolean; port: number },
): Promise<Outcome | number> {
  if (keep && !mcp) {
    const { demoKept } = await import("./demo-kept.ts");
    return demoKept(context, { port });
  }
  const { io, clock, progress, options } = context;
  const { style, marks, symbols } = io.out;
  const say = (line = "") => {
    if (options.json) return;
    progress.erase();
    io.out.line(inset(line, io.out));
  };
  const startedAt = clock.monotonic();
  const directory = mkdtempSync(join(tmpdir(), "toolplane-demo-"));
  const told: { name: string; command: string; result: unknown }[] = [];
  const tell = async ({ title, command, name, work }: Step) => {
    say();
    say(`${style.bold(title)}  ${style.dim(`${symbols.pointer} ${command}`)}`);
    const { lines, result } = await progress.during(
      title,
      work((line) => say(`  ${line}`)),
    );
    for (const line of lines) say(`  ${line}`);
    told.push({ name, command, result });
    if (io.interrupted.aborted) throw new Interrupted();
  };
  let server: Awaited<ReturnType<typeof start>> | undefined;
  const { mcpJourney, writePlans } = await import("./demo-mcp.ts");
  say(style.bold(mcp ? MCP_TITLE : "The whole journey, against a server of its own over HTTP"));
  try {
    const ownerKey = context.random.bytes(32).toString("hex");
    await tell({
      name: "serve",
      title: "A control plane",
      command: `tool serve --port 0 --data ${directory}`,
      work: async () => {
        const settings = mcp ? { plan: "free", plansFile: await writePlans(directory) } : { plan: "pro" };
        server = await start(context, directory, { ownerKey, ...settings });
        return {
          lines: [`${marks.done} listens on ${style.cyan(server.url)}`],
          result: { url: server.url },
        };
      },
    });
    if (!server) throw new Error("The server has not started.");
    const reached = { baseUrl: server.url, ownerKey, directory };
    for (const step of mcp ? mcpJourney(context, reached) : journey(context, reached)) await tell(step);
  } finally {
    await server?.close();
    if (!keep) rmSync(directory, { recursive: true, force: true });
  }
  const took = clock.monotonic() - startedAt;
  const kept = keep
    ? {
        data: `kept in ${directory}`,
        next: `Go on with it: ${style.cyan(`tool serve --data ${dataOf(directory)}`)}`,
      }
    : { data: "deleted", next: `Go on with one of your own: ${style.cyan("tool serve")}` };
  return {
    document: { ok: true, durationMs: Math.round(took), steps: told, ...(keep && { data: directory }) },
    lines: [
      "",
      `${marks.done} Done in ${duration(took)}. The server is stopped and its data is ${kept.data}.`,
      `  ${kept.next}`,
    ],
  };
}

/** Returns the directory of the server's own data, beside the clients' data. */
function dataOf(directory: string): string {
  return join(directory, "server");
}

async function start(
  { clock }: Context,
  directory: string,
  { ownerKey, ...settings }: { ownerKey: string; plan: string; plansFile?: string },
) {
  const [{ startServer }, { createLog }] = await Promise.all([
    import("../../server/starting/start-server.ts"),
    import("../../system/log.ts"),
  ]);
  return startServer({
    clock,
    log: createLog("silent"),
    config: {
      host: "127.0.0.1",
      port: 0,
      dataDirectory: dataOf(directory),
      ...settings,
      allowRemote: false,
      logLevel: "silent",
      owner: { email: "ada@localhost", apiKey: ownerKey },
    },
  });
}
