import { planNameOf, planWithEnd } from "../../client/plan-names.ts";
import type { RouteInput, RouteOutput } from "../../client/routes.ts";
import { endInWords, iso } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import { DAY_MS } from "../../system/durations.ts";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { instantOf, pairsOf, wholeNumber } from "../options.ts";
import { collect } from "../pages.ts";
import { relativeTime } from "../ui/format.ts";
import { table } from "../ui/table.ts";

type Changes = RouteInput<"PATCH /api/v1/accounts/{accountId}">;
type Account = RouteOutput<"PATCH /api/v1/accounts/{accountId}">["account"];

interface Ending {
  until?: string;
  then?: string;
}

interface ChangeOptions extends Ending {
  name?: string;
  plan?: string;
  perMinute?: number;
  perHour?: number;
  perDay?: number;
  burst?: number;
  usesPerMonth?: Record<string, number>;
  planLimits?: boolean;
}

const requests = wholeNumber(1, 1_000_000_000);
const UNTIL = "Until the end of 2026-12-15 (UTC), 2026-12-15T09:30:00Z, or 24h, 14d";
const THEN = "The plan that follows";
const uses = pairsOf(wholeNumber(0, 1_000_000_000_000));

export const define: Define = (command, run) => {
  command
    .command("list")
    .description("List all accounts of this instance.")
    .option("--limit <n>", "At most this many", wholeNumber(1, 10_000), 50)
    .addHelpText("after", examples("tool accounts list"))
    .action(run(list));
  command
    .command("create <name>")
    .description("Add an account and print the link that lets its first owner in.")
    .requiredOption("--owner <email>", "The first owner")
    .requiredOption("--plan <plan>", "free, pro, team, enterprise")
    .option("--until <time>", UNTIL)
    .option("--then <plan>", THEN)
    .addHelpText(
      "after",
      examples(
        "tool accounts create Acme --owner ada@example.com --plan pro",
        "tool accounts create Acme --owner ada@example.com --plan pro --until 14d --then free",
      ),
    )
    .action(run(create));
  command
    .command("set <accountId>")
    .description("Change an account's name, plan or limits.")
    .option("--name <name>", "What people call it")
    .option("--plan <plan>", "free, pro, team, enterprise")
    .option("--until <time>", `${UNTIL}; never, or --plan alone, lets it go on`)
    .option("--then <plan>", THEN)
    .option("--per-minute <n>", "Requests a minute; at once, twice as many unless --burst is given", requests)
    .option("--per-hour <n>", "Requests an hour", requests)
    .option("--per-day <n>", "Requests a day", requests)
    .option("--burst <n>", "Requests at once", requests)
    .option("--uses-per-month <type=n>", "Uses of a type in a calendar month; may be repeated", uses)
    .option("--plan-limits", "Give up custom limits for those of the plan")
    .addHelpText(
      "after",
      examples(
        "tool accounts set acc_01jd0000000000000000000000 --plan team",
        "tool accounts set acc_01jd0000000000000000000000 --until 2027-01-31 --then free",
        "tool accounts set acc_01jd0000000000000000000000 --plan enterprise --per-minute 5000",
        "tool accounts set acc_01jd0000000000000000000000 --uses-per-month mcp_calls=20000",
      ),
    )
    .action(run(set));
  command
    .command("suspend <accountId>")
    .description("Refuse an account's keys and devices, until it is resumed.")
    .addHelpText("after", examples("tool accounts suspend acc_01jd0000000000000000000000"))
    .action(run((context: Context, id: string) => update(context, id, { suspended: true })));
  command
    .command("resume <accountId>")
    .description("Let a suspended account work again.")
    .addHelpText("after", examples("tool accounts resume acc_01jd0000000000000000000000"))
    .action(run((context: Context, id: string) => update(context, id, { suspended: false })));
  command
    .command("link <accountId>")
    .description("Print a one-time sign-in link for somebody who can no longer sign in.")
    .option("--user <user>", "Whom it is for, by address or id; the account's first owner unless given")
    .addHelpText(
      "after",
      examples(
        "tool accounts link acc_01jd0000000000000000000000",
        "tool accounts link acc_01jd0000000000000000000000 --user ada@example.com",
      ),
    )
    .action(run(link));
};

async function list({ client, clock, io }: Context, { limit }: { limit: number }): Promise<Outcome> {
  const page = await collect(limit, (query, call) => client.call("GET /api/v1/accounts", query, call));
  return {
    document: page,
    lines: table(
      [
        { title: "Name", shrink: true },
        { title: "Id" },
        { title: "Plan" },
        { title: "Until", minor: true },
        { title: "State" },
        { title: "Limits", minor: true },
        { title: "Made", minor: true },
      ],
      page.items.map((account) => [
        account.name,
        account.id,
        planNameOf(account),
        account.nextPlan ? endInWords(Date.parse(account.nextPlan.at)) : "",
        stateOf(account),
        account.limits ? "custom" : "the plan's",
        relativeTime(account.createdAt, clock.now()),
      ]),
      io.out,
    ),
  };
}

async function create(
  { client, clock, io }: Context,
  name: string,
  { owner, plan, ...ending }: { owner: string; plan: string } & Ending,
): Promise<Outcome> {
  const nextPlan = nextPlanOf(ending, clock.now()) ?? undefined;
  const made = await client.call("POST /api/v1/accounts", {
    name,
    ownerEmail: owner,
    plan,
    ...defined({ nextPlan }),
  });
  const { style, marks } = io.out;
  return {
    document: made,
    lines: [
      `${marks.done} Account ${style.bold(made.account.name)} made (${made.account.id}, plan ${planWithEnd(made.account)}). ` +
        (made.signInLink === undefined
          ? `A link that lets ${owner} in was mailed to them.`
          : `This link lets ${owner} in, within seven days:`),
      ...(made.signInLink === undefined ? [] : ["", style.cyan(made.signInLink)]),
    ],
  };
}

async function set(context: Context, accountId: string, options: ChangeOptions): Promise<Outcome> {
  const changes = changesOf(options, context.clock.now());
  if (Object.keys(changes).length === 0) {
    throw new UsageError("Nothing to change.", "Give --name, --plan or a limit such as --per-minute 5000.");
  }
  const { limits } = changes;
  if (!limits || options.planLimits) return update(context, accountId, changes);
  // The request replaces all limits, so the others are read: by a change of nothing, which answers the account.
  const { account } = await context.client.call("PATCH /api/v1/accounts/{accountId}", { accountId });
  const { burst, usesPerMonth, ...others } = account.limits ?? {};
  // A burst is not less than the minute's requests: it goes with the figure that it was chosen for.
  const kept = options.perMinute === undefined ? defined({ ...others, burst }) : others;
  const uses = usesPerMonth && { usesPerMonth: { ...usesPerMonth, ...limits.usesPerMonth } };
  return update(context, accountId, { ...changes, limits: { ...kept, ...limits, ...uses } });
}

async function update(
  { client, io }: Context,
  accountId: string,
  changes: Omit<Changes, "accountId">,
): Promise<Outcome> {
  const changed = await client.call("PATCH /api/v1/accounts/{accountId}", { accountId, ...changes });
  const { account } = changed;
  const limits = account.limits ? JSON.stringify(account.limits) : "of the plan";
  return {
    document: changed,
    lines: [
      `${io.out.marks.done} Account ${account.name}: plan ${planWithEnd(account)}, limits ${limits}` +
        `${{ active: "", suspended: ", suspended", closed: ", closed by an owner, who can keep it" }[stateOf(account)]}.`,
    ],
  };
}

function stateOf({ suspendedAt, deletedAfter }: Account): "active" | "suspended" | "closed" {
  if (suspendedAt !== undefined) return "suspended";
  return deletedAfter === undefined ? "active" : "closed";
}

/** Returns the plan that follows, null to let the plan go on, or undefined if the options name neither. */
function nextPlanOf({ until, then }: Ending, now: number) {
  if (until === "never" && then === undefined) return null;
  if (until === undefined && then === undefined) return undefined;
  if (until === undefined || until === "never" || then === undefined) {
    throw new UsageError(
      "A plan that ends needs --until and --then.",
      "For example: --until 14d --then free. To let it go on: --until never.",
    );
  }
  return { plan: then, at: endOf(until, now) };
}

/** A day is had until its end, as the console has it: somebody who paid until the 31st has paid for the 31st. */
function endOf(until: string, now: number): string {
  const at = instantOf("--until", until, now, 1);
  return /^\d{4}-\d\d-\d\d$/.test(until) ? iso(Date.parse(at) + DAY_MS - 1) : at;
}

function changesOf(options: ChangeOptions, now: number): Omit<Changes, "accountId"> {
  const limits = defined({
    requestsPerMinute: options.perMinute,
    requestsPerHour: options.perHour,
    requestsPerDay: options.perDay,
    burst: options.burst,
    usesPerMonth: options.usesPerMonth,
  });
  const custom = Object.keys(limits).length > 0;
  if (custom && options.planLimits) {
    throw new UsageError("--plan-limits and a custom limit exclude each other.");
  }
  return defined({
    name: options.name,
    plan: options.plan,
    nextPlan: nextPlanOf(options, now),
    limits: custom || options.planLimits ? limits : undefined,
  });
}

async function link(
  { client, io }: Context,
  accountId: string,
  { user }: { user?: string },
): Promise<Outcome> {
  const made = await client.call("POST /api/v1/accounts/{accountId}/sign-in-link", {
    accountId,
    ...(user === undefined ? {} : { [user.includes("@") ? "email" : "userId"]: user }),
  });
  return {
    document: made,
    lines: ["This link signs in once, within 15 minutes:", "", io.out.style.cyan(made.signInLink)],
  };
}
