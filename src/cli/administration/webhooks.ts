import { Option } from "commander";
import type { RouteInput, RouteOutput } from "../../client/routes.ts";
import { defined } from "../../system/defined.ts";
import { DAY_S } from "../../system/durations.ts";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { wholeNumber, words } from "../options.ts";
import { collect } from "../pages.ts";
import { relativeTime } from "../ui/format.ts";
import { table } from "../ui/table.ts";
import { defineDeliveries } from "./webhook-deliveries.ts";
import { webhookIdOf } from "./webhook-id.ts";

type Webhook = RouteOutput<"GET /api/v1/webhooks/{webhookId}">["webhook"];
type Types = RouteInput<"POST /api/v1/webhooks">["types"];

const MAX_OVERLAP_DAYS = 30;

export const define: Define = (command, run) => {
  command
    .command("create <url>")
    .description("Have alerts sent to a URL. The secret that they are signed with is shown only once.")
    .option(
      "--types <types>",
      "Only these, such as limit.reached,key.refused; all your own unless given",
      words,
    )
    .option("--description <text>", "What it is for")
    .addHelpText(
      "after",
      examples(
        "tool webhooks create https://a.example/hook",
        "tool webhooks create https://a.example/hook --types limit.reached,key.refused",
        "tool webhooks create https://a.example/crm --types account.signed_up,account.closed",
      ),
    )
    .action(run(create));
  command
    .command("list")
    .description("List the account's webhooks and their state.")
    .addHelpText("after", examples("tool webhooks list"))
    .action(run(list));
  command
    .command("update <webhook>")
    .description("Change a webhook, by its id or URL; what is left out stays.")
    .option("--url <url>", "Send to this URL")
    .option("--types <types>", "Only these", words)
    .option("--all-types", "All but those about accounts of the server")
    .option("--description <text>", "What it is for")
    .addOption(new Option("--on", "Turn it on").conflicts("off"))
    .option("--off", "Turn it off, and give up what waits for it")
    .addHelpText("after", examples("tool webhooks update https://a.example/hook --on"))
    .action(run(update));
  command
    .command("rotate <webhook>")
    .description("Give a webhook another secret, which is shown only once. For a while both sign.")
    .option("--overlap-days <n>", "How long the old one signs as well", wholeNumber(0, MAX_OVERLAP_DAYS), 1)
    .addHelpText("after", examples("tool webhooks rotate https://a.example/hook"))
    .action(run(rotate));
  command
    .command("delete <webhook>")
    .description("Delete a webhook with its deliveries.")
    .addHelpText("after", examples("tool webhooks delete https://a.example/hook"))
    .action(run(remove));
  defineDeliveries(command, run);
};

async function create(
  context: Context,
  url: string,
  { types, description }: { types?: string[]; description?: string },
): Promise<Outcome> {
  const made = await context.client.call("POST /api/v1/webhooks", {
    url,
    // The server rejects unknown types and lists the valid ones.
    types: types as Types,
    description,
  });
  return {
    document: made,
    lines: [
      `${context.io.out.marks.done} Webhook ${made.webhook.id} made. Keep its secret: it is not shown again.`,
      "",
      context.io.out.style.cyan(made.secret),
      "",
      `Try it: tool webhooks test ${made.webhook.id}`,
    ],
  };
}

async function list({ client, clock, io }: Context): Promise<Outcome> {
  const page = await collect(1000, (part) => client.call("GET /api/v1/webhooks", part));
  const columns = [
    { title: "URL", shrink: true },
    { title: "Id" },
    { title: "Alerts", minor: true, shrink: true },
    { title: "Waiting" },
    { title: "State" },
  ];
  const rows = page.items.map((webhook) => [
    webhook.url,
    webhook.id,
    webhook.types?.join(" ") ?? "all",
    String(webhook.waiting),
    stateOf(webhook, clock.now()),
  ]);
  const none = "No webhooks. Make one: tool webhooks create https://a.example/hook";
  return { document: page, lines: rows.length === 0 ? [none] : table(columns, rows, io.out) };
}

function stateOf({ enabled, disabled, failingSince, lastDeliveredAt }: Webhook, now: number): string {
  const ago = (at: string) => relativeTime(at, now);
  if (disabled) return `turned off ${ago(disabled.at)}: ${disabled.reason}`;
  if (!enabled) return "turned off";
  if (failingSince !== undefined) return `failing since ${ago(failingSince)}`;
  return lastDeliveredAt === undefined ? "nothing sent yet" : `delivered ${ago(lastDeliveredAt)}`;
}

interface UpdateOptions {
  url?: string;
  types?: string[];
  allTypes?: boolean;
  description?: string;
  on?: boolean;
  off?: boolean;
}

async function update(context: Context, named: string, options: UpdateOptions): Promise<Outcome> {
  const { url, types, allTypes, description, on, off } = options;
  const change = defined({
    url,
    types: allTypes ? null : (types as Types),
    description,
    enabled: on || off ? on === true : undefined,
  });
  if (Object.keys(change).length === 0) {
    throw new UsageError("There is nothing to change.", "See tool help webhooks update");
  }
  const webhookId = await webhookIdOf(context.client, named);
  const changed = await context.client.call("PATCH /api/v1/webhooks/{webhookId}", { webhookId, ...change });
  const { webhook } = changed;
  const state = webhook.enabled ? "on" : "off";
  return {
    document: changed,
    lines: [
      `${context.io.out.marks.done} Webhook to ${webhook.url}: ${webhook.types?.join(" ") ?? "all alerts"}, ${state}.`,
    ],
  };
}

async function rotate(
  context: Context,
  named: string,
  { overlapDays }: { overlapDays: number },
): Promise<Outcome> {
  const webhookId = await webhookIdOf(context.client, named);
  const rotated = await context.client.call("POST /api/v1/webhooks/{webhookId}/rotate", {
    webhookId,
    overlapSeconds: overlapDays * DAY_S,
  });
  const { previousSecretEndsAt } = rotated.webhook;
  const old =
    previousSecretEndsAt === undefined
      ? "The old one signs nothing more."
      : `The old one signs until ${previousSecretEndsAt}.`;
  return {
    document: rotated,
    lines: [
      `${context.io.out.marks.done} Webhook ${webhookId} has another secret. Keep it: it is not shown again. ${old}`,
      "",
      context.io.out.style.cyan(rotated.secret),
    ],
  };
}

async function remove(context: Context, named: string): Promise<Outcome> {
  const webhookId = await webhookIdOf(context.client, named);
  await context.client.call("DELETE /api/v1/webhooks/{webhookId}", { webhookId });
  return {
    document: { deleted: true, webhookId },
    lines: [`${context.io.out.marks.done} Webhook ${webhookId} deleted.`],
  };
}
