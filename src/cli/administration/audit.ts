import { Option } from "commander";
import type { RouteInput, RouteOutput } from "../../client/routes.ts";
import { iso } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import { shellWord } from "../../system/processes/shell-word.ts";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { instantOf, wholeNumber } from "../options.ts";
import { collect } from "../pages.ts";
import { relativeTime } from "../ui/format.ts";
import type { Symbols } from "../ui/style.ts";
import { table } from "../ui/table.ts";
import { userIdOf } from "./users.ts";

type Question = RouteInput<"GET /api/v1/audit-log">;
type Entry = RouteOutput<"GET /api/v1/audit-log">["items"][number];

interface ListOptions extends Pick<Question, "action" | "target" | "outcome" | "query" | "since" | "until"> {
  limit: number;
  actor?: string;
  account?: string;
}

export const define: Define = (command, run) => {
  command
    .command("list")
    .description("List who changed what in the account, newest first.")
    .option("--action <action>", "Exactly, such as key.created")
    .option("--actor <user>", "Who did it: an e-mail address or id")
    .option("--target <id>", "What it was done to, by id")
    .addOption(new Option("--outcome <outcome>", "How it ended").choices(["done", "refused"]))
    .option("--since <time>", "From then on: 2026-11-01, 2026-11-01T09:00Z, or 90m, 24h, 7d")
    .option("--until <time>", "Before then")
    .option("--query <text>", "Part of a name, an id, an address or an action")
    .option("--account <id>", "Of another account, instance or all: for the operator")
    .option("--limit <n>", "At most this many", wholeNumber(1, 100_000), 50)
    .addHelpText(
      "after",
      examples(
        "tool audit list --since 2026-11-01 --action key.created",
        "tool audit list --outcome refused --since 24h --json",
        "tool audit list --actor ada@example.com --limit 1000",
      ),
    )
    .action(run(list));
};

async function list(context: Context, options: ListOptions): Promise<Outcome> {
  const { client, clock, io, progress } = context;
  const { limit, actor, account, action, target, outcome, query } = options;
  const [since, until] = (["since", "until"] as const).map((name) => {
    const given = options[name];
    return given === undefined ? undefined : instantOf(`--${name}`, given, clock.now(), -1);
  });
  const userId = actor === undefined ? undefined : await userIdOf(client, actor, byName(actor, account));
  const asked = defined({ actor: userId, accountId: account, action, target, outcome, query, since, until });
  const page = await progress.during(
    "Searching",
    collect(limit, (part, call) => client.call("GET /api/v1/audit-log", { ...asked, ...part }, call)),
  );
  const { items, nextCursor } = page;
  const isNarrowed = Object.keys(asked).length > 0;
  const more = nextCursor === undefined ? [] : ["", "There are more, or may be: see --limit, --since."];
  const rows = items.map((entry) => [
    relativeTime(entry.at, clock.now()),
    entry.outcome === "done" ? entry.action : `${entry.action} (refused)`,
    entry.target.name ?? entry.target.id,
    actorText(entry),
    changeText(entry, io.out.symbols),
    entry.actor.address,
  ]);
  const columns = [
    { title: "When" },
    { title: "Action" },
    { title: "Of", shrink: true },
    { title: "By", shrink: true },
    { title: "Change", shrink: true, minor: true },
    { title: "From", minor: true },
  ];
  return {
    document: page,
    lines: [
      ...(items.length === 0
        ? [isNarrowed ? "No such entry. See the latest: tool audit list" : "Nothing was changed yet."].concat(
            action === undefined ? [] : await unknown(action),
          )
        : table(columns, rows, io.out)),
      ...more,
    ],
  };
}

/** Says which actions were meant by one that this version does not know. A server of a later one may have it. */
async function unknown(action: string): Promise<string[]> {
  const { AUDIT_ACTIONS } = await import("./audit-actions.ts");
  const { didYouMean } = await import("../../contract/near-names.ts");
  const names: readonly string[] = AUDIT_ACTIONS;
  return names.includes(action)
    ? []
    : [`No action is known as ${action}. ${didYouMean(action, names)}`.trim()];
}

/** What to do about an address that is no user's: entries keep the name of who was removed. */
function byName(actor: string, account: string | undefined): string {
  const of = account === undefined ? [] : ["--account", account];
  const command = ["tool", "audit", "list", "--query", actor, ...of].map(shellWord).join(" ");
  return `Of who was removed, or is in another account alone: ${command}`;
}

function actorText({ actor: { name, userId, credential, requestId } }: Entry): string {
  const who = name ?? userId ?? (requestId === "" ? "the server" : "nobody signed in");
  return credential?.kind === "api_key" ? `${who} with ${credential.id}` : who;
}

/** Returns a text such as `role member → admin`. What was deleted has no `after`, and is shown as it was. */
function changeText({ before = {}, after }: Entry, { unicode }: Symbols): string {
  const arrow = unicode ? "→" : "->";
  const names = [...new Set([...Object.keys(before), ...Object.keys(after ?? {})])];
  return names
    .map((name) => {
      const was = name in before ? [text(name, before[name])] : [];
      const is = after ? [name in after ? text(name, after[name]) : "none"] : [];
      return `${name} ${[...was, ...is].join(` ${arrow} `)}`;
    })
    .join(", ");
}

/** Times are logged in milliseconds, under names such as `expiresAt`. */
function text(name: string, value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" && name.endsWith("At"))
    return `${iso(value).slice(0, 16).replace("T", " ")} UTC`;
  return JSON.stringify(value) ?? "-";
}
