import { Option } from "commander";
import type { RouteInput, RouteOutput } from "../../client/routes.ts";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { wholeNumber } from "../options.ts";
import { collect } from "../pages.ts";
import { relativeTime } from "../ui/format.ts";
import { table } from "../ui/table.ts";

type Role = RouteInput<"POST /api/v1/users">["role"];
type User = RouteOutput<"POST /api/v1/users">["user"];

const ROLES = ["viewer", "member", "admin", "owner"] as const satisfies readonly Role[];
const STATUSES = ["invited", "active", "suspended"] as const satisfies readonly User["status"][];

export const define: Define = (command, run) => {
  command
    .command("invite <email>")
    .alias("add")
    .description("Invite somebody and print the link that lets them in within seven days.")
    .addOption(new Option("--role <role>", "What they will be").choices(ROLES).default("member"))
    .addHelpText(
      "after",
      examples("tool users invite ada@example.com", "tool users invite ada@example.com --role admin"),
    )
    .action(run(invite));
  command
    .command("list")
    .description("List the account's users, and who is invited.")
    .option("--query <text>", "Part of the e-mail address")
    .addOption(new Option("--status <status>", "Only of this status").choices(STATUSES))
    .option("--limit <n>", "At most this many", wholeNumber(1, 10_000), 50)
    .addHelpText("after", examples("tool users list", "tool users list --status invited"))
    .action(run(list));
  command
    .command("renew <user>")
    .description("Print a new invitation link, good for seven days; the one before stops working.")
    .addHelpText("after", examples("tool users renew ada@example.com"))
    .action(run(renew));
  command
    .command("role <user>")
    .description("Change what a user may do; keys and devices that could do more end at once.")
    .addOption(new Option("--to <role>", "The new role").choices(ROLES).makeOptionMandatory())
    .addHelpText("after", examples("tool users role ada@example.com --to viewer"))
    .action(run(role));
  command
    .command("suspend <user>")
    .description("End a user's tokens, keys and sessions, and keep them out.")
    .addHelpText("after", examples("tool users suspend ada@example.com"))
    .action(run((context: Context, user: string) => setSuspended(context, user, true)));
  command
    .command("resume <user>")
    .description("Let a suspended user in again.")
    .addHelpText("after", examples("tool users resume ada@example.com"))
    .action(run((context: Context, user: string) => setSuspended(context, user, false)));
  command
    .command("link <user>")
    .description("Print a one-time sign-in link for a user who forgot their password.")
    .addHelpText("after", examples("tool users link ada@example.com"))
    .action(run(link));
  command
    .command("remove <user>")
    .description("Remove a user, or withdraw an invitation; ends the user's tokens, keys and sessions.")
    .addHelpText(
      "after",
      examples("tool users remove ada@example.com", "tool users remove usr_01jd0000000000000000000000"),
    )
    .action(run(remove));
};

async function invite({ client, io }: Context, email: string, { role }: { role: Role }): Promise<Outcome> {
  const invited = await client.call("POST /api/v1/users", { email, role });
  return {
    document: invited,
    lines: linkLines(io, `${io.out.style.bold(invited.user.email)} invited as ${role}.`, invited.signInLink),
  };
}

async function list(
  { client, clock, io }: Context,
  { limit, query, status }: { limit: number; query?: string; status?: User["status"] },
): Promise<Outcome> {
  const page = await collect(limit, (part, call) =>
    client.call("GET /api/v1/users", { ...part, query, status }, call),
  );
  return {
    document: page,
    lines:
      page.items.length === 0
        ? [
            query === undefined && status === undefined
              ? "No users."
              : "No such user. See them all: tool users list",
          ]
        : table(
            [
              { title: "E-mail", shrink: true },
              { title: "Id", minor: true },
              { title: "Role" },
              { title: "Status" },
              { title: "Since", minor: true },
            ],
            page.items.map((user) => [
              user.email,
              user.id,
              user.operator ? `${user.role}, operator` : user.role,
              statusText(user, clock.now()),
              relativeTime(user.createdAt, clock.now()),
            ]),
            io.out,
          ),
  };
}

function statusText({ status, invitedUntil }: User, now: number): string {
  if (status !== "invited" || invitedUntil === undefined) return status;
  const until = Date.parse(invitedUntil);
  return until > now ? `invited, link ends ${relativeTime(until, now)}` : "invited, link ended";
}

async function renew({ client, io }: Context, who: string): Promise<Outcome> {
  const userId = await userIdOf(client, who);
  const renewed = await client.call("POST /api/v1/users/{userId}/invitation", { userId });
  const text = `Invitation of ${renewed.user.email} renewed.`;
  return { document: renewed, lines: linkLines(io, text, renewed.signInLink) };
}

async function role({ client, io }: Context, who: string, { to }: { to: Role }): Promise<Outcome> {
  const userId = await userIdOf(client, who);
  const changed = await client.call("PATCH /api/v1/users/{userId}", { userId, role: to });
  return { document: changed, lines: [`${io.out.marks.done} ${changed.user.email} is ${to} now.`] };
}

async function setSuspended({ client, io }: Context, who: string, suspended: boolean): Promise<Outcome> {
  const userId = await userIdOf(client, who);
  const changed = await client.call("PATCH /api/v1/users/{userId}", { userId, suspended });
  const text = suspended ? "is suspended: signed out everywhere, and kept out." : "may sign in again.";
  return { document: changed, lines: [`${io.out.marks.done} ${changed.user.email} ${text}`] };
}

async function link({ client, io }: Context, who: string): Promise<Outcome> {
  const userId = await userIdOf(client, who);
  const made = await client.call("POST /api/v1/users/{userId}/sign-in-link", { userId });
  return {
    document: made,
    lines:
      made.signInLink === undefined
        ? [`${io.out.marks.done} A link that signs in once, within 15 minutes, was mailed to them.`]
        : ["This link signs in once, within 15 minutes:", "", io.out.style.cyan(made.signInLink)],
  };
}

async function remove({ client, io }: Context, who: string): Promise<Outcome> {
  const userId = await userIdOf(client, who);
  await client.call("DELETE /api/v1/users/{userId}", { userId });
  return { document: { removed: true, userId }, lines: [`${io.out.marks.done} User ${who} removed.`] };
}

/** Returns the id of a user who is given by e-mail address or id. If there is no such user, `next` says what to do. */
export async function userIdOf(
  client: Context["client"],
  who: string,
  next = "See who it has: tool users list",
): Promise<string> {
  if (!who.includes("@")) return who;
  const { items } = await collect(200, (page) => client.call("GET /api/v1/users", { ...page, query: who }));
  const found = items.find(({ email }) => email.toLowerCase() === who.toLowerCase());
  if (found) return found.id;
  throw new UsageError(`This account has no user ${who}.`, next);
}

function linkLines(io: Context["io"], text: string, url: string | undefined): string[] {
  if (url === undefined)
    return [
      `${io.out.marks.done} ${text} A link goes to them by mail, and works for seven days. If none arrives: tool users renew.`,
    ];
  return [
    `${io.out.marks.done} ${text} This link lets one person in, within seven days:`,
    "",
    io.out.style.cyan(url),
  ];
}
