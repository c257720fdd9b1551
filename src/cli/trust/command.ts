import { realpathSync } from "node:fs";
import { iso } from "../../system/clock.ts";
import type { Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { relativeTime } from "../ui/format.ts";
import { table } from "../ui/table.ts";
import { createTrustedPairs } from "./pairs.ts";

/** Trusts a server, revokes trust, or lists the trusted servers (`tool config trust`). */
export async function trustServer(
  context: Context,
  named: string | undefined,
  { list, revoke }: { list?: boolean; revoke?: boolean },
): Promise<Outcome> {
  if (list) return listTrusted(context);
  return revoke ? revokeTrust(context) : addTrust(context, named);
}

function addTrust({ settings, clock, io }: Context, named: string | undefined): Outcome {
  const { projectServer, baseUrl } = settings;
  const { style, marks } = io.out;
  if (projectServer === undefined) {
    return {
      document: { trusted: false, server: new URL(baseUrl.value).origin, needed: false },
      lines: [`Nothing to trust: no project's file has a say in that ${baseUrl.value} is the server here.`],
    };
  }
  const { directory, server, file } = projectServer;
  if (named !== undefined && originOf(named) !== server) {
    throw new UsageError(`${file} names ${server}, not ${named}.`, "Look at that file before you trust it.");
  }
  createTrustedPairs(settings.directories.config).add({ directory, server, since: iso(clock.now()) });
  return {
    document: { trusted: true, server, directory },
    lines: [
      `${marks.done} ${style.bold(server)} gets your credentials from commands in ${directory}.`,
      style.dim("  Take it back with: tool config trust --revoke"),
    ],
  };
}

function revokeTrust({ settings, io }: Context): Outcome {
  const directory = settings.projectServer?.directory ?? realpathSync(io.workingDirectory);
  const removed = createTrustedPairs(settings.directories.config).remove(directory);
  return {
    document: { directory, revoked: removed.map(({ server }) => server) },
    lines:
      removed.length === 0
        ? [`No server is trusted in ${directory}.`]
        : removed.map(({ server }) => `${io.out.marks.done} ${server} is no longer trusted in ${directory}.`),
  };
}

function listTrusted({ settings, clock, io }: Context): Outcome {
  const items = createTrustedPairs(settings.directories.config).list();
  const rows = items.map(({ server, directory, since }) => [
    server,
    directory,
    relativeTime(since, clock.now()),
  ]);
  const columns = [{ title: "Server", shrink: true }, { title: "In", shrink: true }, { title: "Since" }];
  return {
    document: { items },
    lines:
      rows.length > 0
        ? table(columns, rows, io.out)
        : ["No server that a project names is trusted. Those that you name yourself need no trust."],
  };
}

function originOf(text: string): string | undefined {
  return URL.canParse(text) ? new URL(text).origin : undefined;
}
