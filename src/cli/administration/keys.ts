import { Option } from "commander";
import type { RouteOutput } from "../../client/routes.ts";
import type { Scope } from "../../contract/caller.ts";
import { iso } from "../../system/clock.ts";
import { DAY_MS } from "../../system/durations.ts";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { wholeNumber, words } from "../options.ts";
import { collect } from "../pages.ts";
import { relativeTime } from "../ui/format.ts";
import { fields, table } from "../ui/table.ts";
import { defineChanges } from "./key-changes.ts";
import { keyIdOf, OF_ACCOUNT, type OfAccount } from "./key-named.ts";

type Shown = RouteOutput<"GET /api/v1/keys/{keyId}">;

const SORTS = ["createdAt", "name", "lastUsedAt", "expiresAt"] as const;

export const define: Define = (command, run) => {
  command
    .command("create <name>")
    .description("Make an API key. Its secret is shown only once.")
    .addOption(
      new Option("--scopes <scopes>", "read, write, admin, operator")
        .argParser(words)
        .default(["read", "write"], "read write"),
    )
    .option("--only-project <id>", "Bind the key to one project")
    .option("--only-tools <tools>", "Bind it to endpoints, MCP tools or upstream/tool; name* for many", words)
    .option("--only-from <addresses>", "Bind it to addresses and ranges such as 203.0.113.0/24", words)
    .option("--expires-in-days <n>", "Let the key expire after this many days", wholeNumber(1, 3650))
    .addHelpText(
      "after",
      examples(
        "tool keys create ci",
        "tool keys create deploy --scopes write --only-project shop --expires-in-days 90",
        "tool keys create meter --only-tools usage.track --only-from 203.0.113.0/24",
        "tool keys create ci --json | jq -r .secret",
      ),
    )
    .action(run(create));
  command
    .command("list")
    .description("List the account's API keys, never their secrets.")
    .option("--query <text>", "Part of the name, id, project or of the secret's beginning")
    .option("--user <userId>", "Only of this user")
    .addOption(
      new Option("--sort <order>", "In this order; with a - before it, reversed").choices([
        ...SORTS,
        ...SORTS.map((sort) => `-${sort}`),
      ]),
    )
    .option(...OF_ACCOUNT)
    .option("--limit <n>", "At most this many", wholeNumber(1, 10_000), 50)
    .addHelpText("after", examples("tool keys list", "tool keys list --query deploy --sort -lastUsedAt"))
    .action(run(list));
  command
    .command("show <key>")
    .description("Show an API key, by its id or name: who made it, its last use, what it is bound to.")
    .option(...OF_ACCOUNT)
    .addHelpText("after", examples("tool keys show ci"))
    .action(run(show));
  defineChanges(command, run);
  command
    .command("revoke <key>")
    .description("Revoke an API key, by its id or name, at once.")
    .option(...OF_ACCOUNT)
    .addHelpText(
      "after",
      examples(
        "tool keys revoke ci",
        "tool keys revoke key_01jd0000000000000000000000",
        "tool keys revoke ci --account acc_01jd0000000000000000000000",
      ),
    )
    .action(run(revoke));
};

interface CreateOptions {
  scopes: string[];
  onlyProject?: string;
  onlyTools?: string[];
  onlyFrom?: string[];
  expiresInDays?: number;
}

async function create(
  { client, clock, io }: Context,
  name: string,
  options: CreateOptions,
): Promise<Outcome> {
  const { scopes, onlyProject, onlyTools, onlyFrom, expiresInDays } = options;
  const made = await client.call("POST /api/v1/keys", {
    name,
    // The server rejects unknown scopes and lists the valid ones.
    scopes: scopes as Scope[],
    projectId: onlyProject,
    tools: onlyTools,
    addresses: onlyFrom,
    expiresAt: expiresInDays === undefined ? undefined : iso(clock.now() + expiresInDays * DAY_MS),
  });
  const { style, marks } = io.out;
  return {
    document: made,
    lines: [
      `${marks.done} API key ${style.bold(made.key.name)} made (${made.key.scopes.join(" ")}). Keep its secret: it is not shown again.`,
      "",
      style.cyan(made.secret),
    ],
  };
}

interface ListOptions extends OfAccount {
  limit: number;
  query?: string;
  user?: string;
  sort?: (typeof SORTS)[number] | `-${(typeof SORTS)[number]}`;
}

async function list(
  { client, clock, io }: Context,
  { limit, query, user, sort, account }: ListOptions,
): Promise<Outcome> {
  const asked = { accountId: account, query, userId: user, sort };
  const page = await collect(limit, (part, call) =>
    client.call("GET /api/v1/keys", { ...part, ...asked }, call),
  );
  const ago = (at: string | undefined) => (at === undefined ? "never" : relativeTime(at, clock.now()));
  const none =
    query === undefined && user === undefined
      ? account === undefined
        ? "No API keys. Make one: tool keys create ci"
        : `${account} has no API keys. Its own people make them.`
      : `No such key. See them all: tool keys list${account === undefined ? "" : ` --account ${account}`}`;
  return {
    document: page,
    lines:
      page.items.length === 0
        ? [none]
        : table(
            [
              { title: "Name", shrink: true },
              { title: "Id" },
              { title: "Secret", minor: true },
              { title: "Scopes" },
              { title: "Project", minor: true },
              { title: "Used", minor: true },
              { title: "Expires" },
            ],
            page.items.map((key) => [
              key.name,
              key.id,
              `${key.prefix}${io.out.symbols.ellipsis}`,
              key.scopes.join(" "),
              key.projectId ?? "all",
              ago(key.lastUsedAt),
              key.suspendedAt === undefined ? ago(key.expiresAt) : "suspended",
            ]),
            io.out,
          ),
  };
}

async function show({ client, clock, io }: Context, named: string, of: OfAccount): Promise<Outcome> {
  const keyId = await keyIdOf(client, named, of);
  const shown = await client.call("GET /api/v1/keys/{keyId}", { keyId, accountId: of.account });
  const { key } = shown;
  return {
    document: shown,
    lines: [io.out.style.bold(key.name), "", ...fields(factsOf(shown, clock.now()), io.out)],
  };
}

function factsOf({ key, usedIn30Days }: Shown, now: number): [name: string, value: string][] {
  const ago = (at: string) => relativeTime(at, now);
  const { lastUsedAt, lastUsedAddress, rotatedAt, previous, expiresAt } = key;
  const from = lastUsedAddress === undefined ? "" : ` from ${lastUsedAddress}`;
  return [
    ["Id", key.id],
    ["Secret", `begins with ${key.prefix}`],
    ...(previous
      ? [["Old secret", `begins with ${previous.prefix}, ends ${ago(previous.endsAt)}`] as [string, string]]
      : []),
    ["Made", `${ago(key.createdAt)} by ${key.createdBy}`],
    ...(rotatedAt === undefined ? [] : [["Rotated", ago(rotatedAt)] as [string, string]]),
    ["Used", lastUsedAt === undefined ? "never" : ago(lastUsedAt) + from],
    ...(usedIn30Days === undefined ? [] : [["Counted", `${usedIn30Days} in 30 days`] as [string, string]]),
    ...(key.suspendedAt === undefined ? [] : [["Suspended", ago(key.suspendedAt)] as [string, string]]),
    ["Expires", expiresAt === undefined ? "never" : ago(expiresAt)],
    ["Scopes", key.scopes.join(" ")],
    ["Project", key.projectId ?? "any"],
    ["Tools", key.tools?.join(" ") ?? "all"],
    ["From", key.addresses?.join(" ") ?? "anywhere"],
  ];
}

async function revoke({ client, io }: Context, named: string, of: OfAccount): Promise<Outcome> {
  const keyId = await keyIdOf(client, named, of);
  await client.call("DELETE /api/v1/keys/{keyId}", { keyId, accountId: of.account });
  return {
    document: { revoked: true, keyId },
    lines: [`${io.out.marks.done} API key ${named} revoked.`],
  };
}
