import { Option } from "commander";
import type { RouteOutput } from "../../client/routes.ts";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { timeSpan, wholeNumber } from "../options.ts";
import { collect } from "../pages.ts";
import { relativeTime } from "../ui/format.ts";
import { table } from "../ui/table.ts";
import { webhookIdOf } from "./webhook-id.ts";

type Shown = RouteOutput<"GET /api/v1/webhooks/{webhookId}/deliveries/{alertId}">;
type Attempt = Shown["attempts"][number];

const STATES = ["waiting", "delivered", "failed"] as const;

/** Defines the commands that show deliveries of a webhook and send to it. */
export const defineDeliveries: Define = (command, run) => {
  command
    .command("test <webhook>")
    .description("Send a webhook.test, and say what came of it.")
    .addOption(patience())
    .addHelpText("after", examples("tool webhooks test https://a.example/hook"))
    .action(run(test));
  command
    .command("deliveries <webhook> [alert]")
    .description("List what was sent to a webhook, newest first; with an alert's id, all of one delivery.")
    .addOption(new Option("--state <state>", "Only those").choices(STATES))
    .option("--type <type>", "Only alerts of this type, such as limit.reached")
    .option("--limit <n>", "At most this many", wholeNumber(1, 1000), 20)
    .addHelpText(
      "after",
      examples(
        "tool webhooks deliveries https://a.example/hook --state failed",
        "tool webhooks deliveries https://a.example/hook alt_01jd0000000000000000000000",
      ),
    )
    .action(run(deliveries));
  command
    .command("redeliver <webhook> <alert>")
    .description("Send an alert again, and say what came of it.")
    .addOption(patience())
    .addHelpText(
      "after",
      examples("tool webhooks redeliver https://a.example/hook alt_01jd0000000000000000000000"),
    )
    .action(run(redeliver));
};

const LOOK_MS = 500;

interface Patience {
  /** In seconds. */
  timeout: number;
}

/** Returns the option `--timeout`. Its default is longer than a receiver may take to answer. */
function patience(): Option {
  return new Option("--timeout <time>", "How long to wait for the outcome: 5s, 1m")
    .argParser(timeSpan(1, 3600, "5s or 1m, an hour at most"))
    .default(20, "20s");
}

async function test(context: Context, named: string, { timeout }: Patience): Promise<Outcome> {
  const webhookId = await webhookIdOf(context.client, named);
  const { delivery } = await context.client.call("POST /api/v1/webhooks/{webhookId}/test", { webhookId });
  return settled(context, { webhookId, alertId: delivery.alertId }, 0, timeout);
}

async function redeliver(
  context: Context,
  named: string,
  alertId: string,
  { timeout }: Patience,
): Promise<Outcome> {
  const webhookId = await webhookIdOf(context.client, named);
  const path = { webhookId, alertId };
  const before = await context.client.call("GET /api/v1/webhooks/{webhookId}/deliveries/{alertId}", path);
  await context.client.call("POST /api/v1/webhooks/{webhookId}/deliveries/{alertId}/redeliver", path);
  return settled(context, { webhookId, alertId }, before.delivery.attempts, timeout);
}

/** Waits for the requested attempt. The answer is negative unless the alert was delivered. */
async function settled(
  { client, clock, io }: Context,
  delivery: { webhookId: string; alertId: string },
  attemptsBefore: number,
  timeout: number,
): Promise<Outcome> {
  const until = clock.monotonic() + timeout * 1000;
  let shown: Shown;
  do {
    shown = await client.call("GET /api/v1/webhooks/{webhookId}/deliveries/{alertId}", delivery);
    if (shown.delivery.attempts > attemptsBefore) break;
    await clock.sleep(LOOK_MS);
  } while (clock.monotonic() < until);
  const last = shown.attempts.at(-1);
  const isDelivered = shown.delivery.state === "delivered";
  const { marks } = io.out;
  const mark = isDelivered ? marks.done : marks.attention;
  const what = last && shown.delivery.attempts > attemptsBefore ? outcomeOf(last) : "it waits for its turn";
  return {
    document: shown,
    lines: [
      `${mark} ${shown.delivery.type} ${delivery.alertId}: ${isDelivered ? "delivered" : "not delivered"}, ${what}.`,
    ],
    exitCode: isDelivered ? EXIT.done : EXIT.negative,
  };
}

interface ListOptions {
  limit: number;
  state?: (typeof STATES)[number];
  type?: string;
}

async function deliveries(
  context: Context,
  named: string,
  alertId: string | undefined,
  { limit, ...filter }: ListOptions,
): Promise<Outcome> {
  const { client, clock, io } = context;
  const webhookId = await webhookIdOf(client, named);
  if (alertId !== undefined) return show(context, webhookId, alertId);
  const page = await collect(limit, (part, call) =>
    client.call("GET /api/v1/webhooks/{webhookId}/deliveries", { webhookId, ...part, ...filter }, call),
  );
  const columns = [
    { title: "Alert" },
    { title: "Type" },
    { title: "State" },
    { title: "Raised", minor: true },
    { title: "Attempts", minor: true },
    { title: "Last", shrink: true },
  ];
  const rows = page.items.map(({ alertId, type, state, createdAt, attempts, lastAttempt }) => [
    alertId,
    type,
    state,
    relativeTime(createdAt, clock.now()),
    String(attempts),
    lastAttempt ? outcomeOf(lastAttempt) : "",
  ]);
  return { document: page, lines: rows.length === 0 ? ["No deliveries."] : table(columns, rows, io.out) };
}

async function show({ client, io }: Context, webhookId: string, alertId: string): Promise<Outcome> {
  const shown = await client.call("GET /api/v1/webhooks/{webhookId}/deliveries/{alertId}", {
    webhookId,
    alertId,
  });
  const { delivery, body, attempts } = shown;
  return {
    document: shown,
    lines: [
      io.out.style.bold(`${delivery.type} ${alertId}: ${delivery.state}`),
      "",
      body,
      "",
      ...attempts.map((each) => `${each.at}  ${outcomeOf(each)}${each.answer ? `: ${each.answer}` : ""}`),
    ],
  };
}

function outcomeOf({ status, error, ms }: Attempt): string {
  return status === undefined ? `no answer: ${error ?? "unknown"}` : `answered ${status} in ${ms} ms`;
}
