import type { RouteInput } from "../../client/routes.ts";
import type { Scope } from "../../contract/caller.ts";
import { iso } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import { DAY_MS, DAY_S } from "../../system/durations.ts";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { timeSpan, wholeNumber, words } from "../options.ts";
import { relativeTime } from "../ui/format.ts";
import { type Key, keyIdOf, OF_ACCOUNT, type OfAccount } from "./key-named.ts";

type Change = Omit<RouteInput<"PATCH /api/v1/keys/{keyId}">, "keyId">;

const MAX_OVERLAP_S = 30 * DAY_S;
const overlap = timeSpan(0, MAX_OVERLAP_S, "30m, 24h or 7d, 30 days at most");

/** Defines the commands that change a key. */
export const defineChanges: Define = (command, run) => {
  command
    .command("rename <key> <name>")
    .description("Give an API key another name.")
    .addHelpText("after", examples("tool keys rename ci deploy"))
    .action(run((context: Context, key: string, name: string) => change(context, key, { name })));
  command
    .command("suspend <key>")
    .description("Refuse an API key from now on, until it is resumed.")
    .option(...OF_ACCOUNT)
    .addHelpText(
      "after",
      examples("tool keys suspend ci", "tool keys suspend ci --account acc_01jd0000000000000000000000"),
    )
    .action(
      run((context: Context, key: string, of: OfAccount) => change(context, key, { suspended: true }, of)),
    );
  command
    .command("resume <key>")
    .description("Let a suspended API key work again.")
    .option(...OF_ACCOUNT)
    .addHelpText("after", examples("tool keys resume ci"))
    .action(
      run((context: Context, key: string, of: OfAccount) => change(context, key, { suspended: false }, of)),
    );
  command
    .command("rotate <key>")
    .description("Give an API key another secret, which is shown only once.")
    .option("--overlap <time>", "How long the old one works: 30m, 24h, 7d, 30 days at most", overlap, 0)
    .addHelpText("after", examples("tool keys rotate ci --overlap 24h", "tool keys rotate ci"))
    .action(run(rotate));
  command
    .command("expire <key>")
    .description("Set when an API key expires, if ever.")
    .option("--in-days <n>", "This many days from now", wholeNumber(1, 3650))
    .option("--never", "Let it never expire")
    .addHelpText("after", examples("tool keys expire ci --in-days 90", "tool keys expire ci --never"))
    .action(run(expire));
  command
    .command("bind <key>")
    .description("Change what an API key may do, and what it is bound to; what is left out stays.")
    .option("--scopes <scopes>", "read, write, admin, operator", words)
    .option("--project <id>", "To one project")
    .option("--any-project", "To none")
    .option("--tools <tools>", "To endpoints, MCP tools or upstream/tool; name* for many", words)
    .option("--all-tools", "To none")
    .option("--from <addresses>", "To addresses and ranges such as 203.0.113.0/24", words)
    .option("--anywhere", "To none")
    .addHelpText(
      "after",
      examples(
        "tool keys bind ci --tools usage.track --from 203.0.113.0/24,2001:db8::/32",
        "tool keys bind ci --anywhere --all-tools",
      ),
    )
    .action(run(bind));
};

async function change(context: Context, named: string, given: Change, of: OfAccount = {}): Promise<Outcome> {
  const { client, clock, io } = context;
  const keyId = await keyIdOf(client, named, of);
  const changed = await client.call("PATCH /api/v1/keys/{keyId}", { keyId, ...given, accountId: of.account });
  const { style, marks } = io.out;
  return {
    document: changed,
    lines: [`${marks.done} API key ${style.bold(changed.key.name)}: ${inWords(changed.key, clock.now())}.`],
  };
}

function inWords({ scopes, projectId, tools, addresses, expiresAt, suspendedAt }: Key, now: number): string {
  return [
    ...(suspendedAt === undefined ? [] : ["suspended"]),
    scopes.join(" "),
    ...(projectId === undefined ? [] : [`project ${projectId} alone`]),
    ...(tools ? [`${tools.join(" ")} alone`] : []),
    ...(addresses ? [`from ${addresses.join(" ")} alone`] : []),
    expiresAt === undefined ? "never expires" : `expires ${relativeTime(expiresAt, now)}`,
  ].join(", ");
}

async function rotate(
  { client, clock, io }: Context,
  named: string,
  { overlap: overlapSeconds }: { overlap: number },
): Promise<Outcome> {
  const keyId = await keyIdOf(client, named);
  const rotated = await client.call("POST /api/v1/keys/{keyId}/rotate", { keyId, overlapSeconds });
  const { style, marks } = io.out;
  const { previous, name } = rotated.key;
  const old = previous
    ? `The old one ends ${relativeTime(previous.endsAt, clock.now())}.`
    : "The old one no longer works.";
  return {
    document: rotated,
    lines: [
      `${marks.done} API key ${style.bold(name)} has a new secret. Keep it: it is not shown again. ${old}`,
      "",
      style.cyan(rotated.secret),
    ],
  };
}

async function expire(
  context: Context,
  named: string,
  { inDays, never }: { inDays?: number; never?: true },
): Promise<Outcome> {
  if ((inDays === undefined) === (never === undefined)) {
    throw new UsageError("Say when the key expires.", "Give --in-days 90, or --never.");
  }
  const expiresAt = inDays === undefined ? null : iso(context.clock.now() + inDays * DAY_MS);
  return change(context, named, { expiresAt });
}

interface BindOptions {
  scopes?: string[];
  project?: string;
  anyProject?: true;
  tools?: string[];
  allTools?: true;
  from?: string[];
  anywhere?: true;
}

async function bind(context: Context, named: string, options: BindOptions): Promise<Outcome> {
  const { scopes, project, anyProject, tools, allTools, from, anywhere } = options;
  const given = defined({
    // The server rejects unknown scopes and lists the valid ones.
    scopes: scopes as Scope[] | undefined,
    projectId: oneOf(project, anyProject, "--project and --any-project"),
    tools: oneOf(tools, allTools, "--tools and --all-tools"),
    addresses: oneOf(from, anywhere, "--from and --anywhere"),
  });
  if (Object.keys(given).length === 0) {
    throw new UsageError("Nothing to change.", "Give --tools, --from, --project or --scopes.");
  }
  return change(context, named, given);
}

/** Returns the value, null to remove the one there is, or undefined to leave it. */
function oneOf<T>(value: T | undefined, none: true | undefined, both: string): T | null | undefined {
  if (value !== undefined && none) throw new UsageError(`${both} exclude each other.`);
  return none ? null : value;
}
