import { pipeline } from "node:stream/promises";
import { Option } from "commander";
import { defined } from "../../system/defined.ts";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { eachPage } from "../pages.ts";
import { agreed, confirm } from "../terminal/confirm.ts";
import { userIdOf } from "./users.ts";

export const define: Define = (command, run) => {
  command
    .command("export")
    .description(
      "Print every document of the account and its projects, or what is kept of one person, as JSON lines.",
    )
    .addOption(
      new Option("--account <id>", "Of another account: for the operator").conflicts(["me", "person"]),
    )
    .addOption(new Option("--me", "What is kept of yourself, in this account").conflicts("person"))
    .option("--person <who>", "What is kept of somebody, by address or id, in all accounts: for the operator")
    .addHelpText(
      "after",
      examples(
        "tool account export > account.jsonl",
        "tool account export --me > me.jsonl",
        "tool account export --person ada@example.com > ada.jsonl",
        "tool account export --account acc_01jd0000000000000000000000 > theirs.jsonl",
      ),
    )
    .action(run(exportAll));
  command
    .command("transfer <user>")
    .description("Hand the account over: they own it, you are an admin.")
    .option("--yes", "Do not ask")
    .addHelpText("after", examples("tool account transfer ada@example.com"))
    .action(run(transfer));
  command
    .command("leave")
    .description("Leave the account; ends your tokens, keys and sessions in it.")
    .option("--yes", "Do not ask")
    .addHelpText("after", examples("tool account leave"))
    .action(run(leave));
  command
    .command("close")
    .description("Close the account: it stops working at once, and is deleted after 30 days.")
    .option("--yes", "Do not ask")
    .addHelpText("after", examples("tool account export > account.jsonl", "tool account close"))
    .action(run(close));
  command
    .command("keep")
    .description("Keep an account that was closed.")
    .addHelpText("after", examples("tool account keep"))
    .action(run(keep));
};

interface Sure {
  yes?: true;
}

interface Whose {
  account?: string;
  me?: true;
  person?: string;
}

/** Writes the export page by page, as fast as it is read, since an account may not fit into memory. */
async function exportAll({ client, io }: Context, { account, me, person }: Whose): Promise<Outcome | number> {
  const pages = eachPage((place, options) =>
    me || person !== undefined
      ? client.call("GET /api/v1/people/export", { ...place, ...defined({ person }) }, options)
      : client.call("GET /api/v1/account/export", { ...place, ...defined({ accountId: account }) }, options),
  );
  await pipeline(linesOf(pages), io.out.jsonStream);
  return EXIT.done;
}

async function* linesOf(pages: AsyncIterable<{ items: unknown[] }>): AsyncGenerator<string> {
  for await (const { items } of pages) for (const item of items) yield `${JSON.stringify(item)}\n`;
}

async function transfer(context: Context, who: string, { yes }: Sure): Promise<Outcome> {
  const { client, io } = context;
  const account = await accountOf(context);
  if (!(await sure(context, `Hand the account ${account} over to ${who}?`, yes))) return nothing();
  const changed = await client.call("POST /api/v1/account/transfer", { userId: await userIdOf(client, who) });
  return {
    document: changed,
    lines: [`${io.out.marks.done} ${changed.owner.email} owns ${account} now.`],
  };
}

async function leave(context: Context, { yes }: Sure): Promise<Outcome> {
  const { client, io } = context;
  const account = await accountOf(context);
  if (!(await sure(context, `Leave the account ${account}?`, yes))) return nothing();
  await client.call("POST /api/v1/account/leave", {});
  return {
    document: { left: true },
    lines: [`${io.out.marks.done} You have left ${account}.`],
  };
}

async function close(context: Context, { yes }: Sure): Promise<Outcome> {
  const { client, io } = context;
  const account = await accountOf(context);
  if (!(await sure(context, `Close the account ${account}, and delete it after 30 days?`, yes)))
    return nothing();
  const closed = await client.call("POST /api/v1/account/close", { name: account });
  return {
    document: closed,
    lines: [
      `${io.out.marks.done} ${account} is closed and will be deleted after ${closed.deletedAfter}.`,
      "Until then an owner can keep it: tool account keep",
    ],
  };
}

async function keep({ client, io }: Context): Promise<Outcome> {
  await client.call("POST /api/v1/account/keep", {});
  return {
    document: { kept: true },
    lines: [`${io.out.marks.done} The account is kept.`],
  };
}

async function accountOf({ client, progress }: Context): Promise<string> {
  const { account } = await progress.during("Asking the server", client.call("GET /api/v1/account", {}));
  return account.name;
}

function sure(context: Context, question: string, yes: true | undefined): Promise<boolean> {
  return agreed(context, yes, question, () => confirm(context.io, question));
}

function nothing(): Outcome {
  return { document: { changed: false }, lines: ["Nothing was changed."], exitCode: EXIT.negative };
}
