import { Option } from "commander";
import type { Scope } from "../../contract/caller.ts";
import { iso } from "../../system/clock.ts";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { wholeNumber, words } from "../options.ts";
import { collect } from "../pages.ts";
import { relativeTime } from "../ui/format.ts";
import { table } from "../ui/table.ts";

const DAY_MS = 86_400_000;

export const define: Define = (command, run) => {
  command
    .command("create <name>")
    .description("Make an API key. Its secret is shown this once.")
    .addOption(
      new Option("--scopes <scopes>", "read, write, admin, operator")
        .argParser(words)
        .default(["read", "write"], "read write"),
    )
    .option("--only-project <id>", "Bind the key to one project")
    .option("--expires-in-days <n>", "Let the key end by itself", wholeNumber(1, 3650))
    .addHelpText(
      "after",
      examples(
        "tool keys create ci",
        "tool keys create deploy --scopes write --only-project shop --expires-in-days 90",
        "tool keys create ci --json | jq -r .secret",
      ),
    )
    .action(run(create));
  command
    .command("list")
    .description("List the account's API keys, never their secrets.")
    .option("--limit <n>", "At most so many", wholeNumber(1, 10_000), 50)
    .addHelpText("after", examples("tool keys list"))
    .action(run(list));
  command
    .command("revoke <keyId>")
    .description("Revoke an API key, at once.")
    .addHelpText("after", examples("tool keys revoke key_01jd0000000000000000000000"))
    .action(run(revoke));
};

async function create(
  { client, clock, io }: Context,
  name: string,
  options: { scopes: string[]; onlyProject?: string; expiresInDays?: number },
): Promise<Outcome> {
  const made = await client.call("POST /api/v1/keys", {
    name,
    // The server names the scopes that there are, should one be none.
    scopes: options.scopes as Scope[],
    ...(options.onlyProject === undefined ? {} : { projectId: options.onlyProject }),
    ...(options.expiresInDays === undefined
      ? {}
      : { expiresAt: iso(clock.now() + options.expiresInDays * DAY_MS) }),
  });
  const { style, symbols } = io.out;
  return {
    document: made,
    lines: [
      `${style.green(symbols.done)} API key ${style.bold(made.key.name)} made (${made.key.scopes.join(" ")}). Keep its secret: it is not shown again.`,
      "",
      style.cyan(made.secret),
    ],
  };
}

async function list({ client, clock, io }: Context, { limit }: { limit: number }): Promise<Outcome> {
  const page = await collect(limit, (query) => client.call("GET /api/v1/keys", query));
  const ago = (at: string | undefined, otherwise: string) =>
    at === undefined ? otherwise : relativeTime(Date.parse(at), clock.now());
  return {
    document: page,
    lines:
      page.items.length === 0
        ? ["No API keys. Make one: tool keys create ci"]
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
              ago(key.lastUsedAt, "never"),
              ago(key.expiresAt, "never"),
            ]),
            io.out,
          ),
  };
}

async function revoke({ client, io }: Context, keyId: string): Promise<Outcome> {
  await client.call("DELETE /api/v1/keys/{keyId}", { keyId });
  return {
    document: { revoked: true, keyId },
    lines: [`${io.out.style.green(io.out.symbols.done)} API key ${keyId} revoked.`],
  };
}
