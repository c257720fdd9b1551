import { Option } from "commander";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { wholeNumber } from "../options.ts";
import { collect } from "../pages.ts";
import { relativeTime } from "../ui/format.ts";
import { table } from "../ui/table.ts";

export const define: Define = (command, run) => {
  command
    .command("add <email>")
    .description("Add a user to the account and print a link that signs in once.")
    .addOption(
      new Option("--role <role>", "What the user may do").choices(["admin", "member"]).default("member"),
    )
    .addHelpText(
      "after",
      examples("tool users add ada@example.com", "tool users add ada@example.com --role admin"),
    )
    .action(run(add));
  command
    .command("list")
    .description("List the account's users.")
    .option("--limit <n>", "At most so many", wholeNumber(1, 10_000), 50)
    .addHelpText("after", examples("tool users list"))
    .action(run(list));
  command
    .command("remove <userId>")
    .description("Remove a user and end the user's tokens, keys and sessions.")
    .addHelpText("after", examples("tool users remove user_01jd0000000000000000000000"))
    .action(run(remove));
};

async function add(
  { client, io }: Context,
  email: string,
  { role }: { role: "admin" | "member" },
): Promise<Outcome> {
  const added = await client.call("POST /api/v1/users", { email, role });
  const { style, symbols } = io.out;
  return {
    document: added,
    lines: [
      `${style.green(symbols.done)} ${style.bold(added.user.email)} added as ${added.user.role}. This link signs in once, within 15 minutes:`,
      "",
      style.cyan(added.signInLink),
    ],
  };
}

async function list({ client, clock, io }: Context, { limit }: { limit: number }): Promise<Outcome> {
  const page = await collect(limit, (query) => client.call("GET /api/v1/users", query));
  return {
    document: page,
    lines: table(
      [
        { title: "E-mail", shrink: true },
        { title: "Id" },
        { title: "Role" },
        { title: "Added", minor: true },
      ],
      page.items.map((user) => [
        user.email,
        user.id,
        user.operator ? `${user.role}, operator` : user.role,
        relativeTime(Date.parse(user.createdAt), clock.now()),
      ]),
      io.out,
    ),
  };
}

async function remove({ client, io }: Context, userId: string): Promise<Outcome> {
  await client.call("DELETE /api/v1/users/{userId}", { userId });
  return {
    document: { removed: true, userId },
    lines: [`${io.out.style.green(io.out.symbols.done)} User ${userId} removed.`],
  };
}
