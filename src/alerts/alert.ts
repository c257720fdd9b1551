import * as z from "zod";
import { At } from "../contract/endpoint.ts";
import type { Transaction } from "../store/store.ts";

const Text = z.string();
const Window = {
  window: z.enum(["minute", "hour", "day", "month"]),
  usageType: Text.optional().describe("Whose uses a month's are; the others are of requests"),
  limit: z.int().describe("What the window holds; of the minute the burst, which comes back evenly"),
  used: z.int(),
  resetsAt: At,
};
const ErrorGroup = {
  projectId: Text,
  group: Text.describe("The fingerprint of the group"),
  source: Text.describe("`server`, or the program that reported it"),
  errorType: Text,
  message: Text.describe("At most 500 characters"),
};
const Upstream = { upstream: Text, title: Text };
const OfAccount = {
  account: z
    .object({ id: Text, name: Text, plan: Text, nextPlan: z.object({ plan: Text, at: At }).optional() })
    .describe("As it is from then on; `accountId` is the operator's"),
  ownerEmail: Text.optional().describe(
    "Of who signed up, was named as its owner, or became it; absent of who has none, as with a passkey",
  ),
  changed: z.array(Text).optional().describe("Of `account.updated`: `name`, `plan`, `nextPlan`, `limits`"),
  deletedAfter: At.optional().describe("Of `account.closed`: until then an owner can keep it"),
};

const RESETS_AT = "2026-03-01T13:00:00.000Z";
const EXAMPLE_WINDOW = { window: "hour" as const, limit: 1000, resetsAt: RESETS_AT };
const EXAMPLE_GROUP = {
  projectId: "default",
  group: "err_0123456789abcdef01234567",
  source: "sentry",
  errorType: "TypeError",
  message: "cart is undefined",
};

const EXAMPLE_ACCOUNT = {
  account: { id: "acc_01jd0000000000000000000000", name: "Example Ltd", plan: "free" },
};

/** The types of alerts: when each is raised, its data, and an example. The delivered data also has `accountId`. */
export const ALERTS = {
  "limit.warning": {
    when: "80 % of a window of the account's requests, or of a month's uses, are used: once for each hour, day or month, and of a month anew for each limit; for the minute's bucket once an hour at most",
    data: z.object(Window),
    example: { ...EXAMPLE_WINDOW, used: 800 },
  },
  "limit.reached": {
    when: "A window is used up, and requests are answered with 429 (of a month: calls of MCP tools are refused): just as often",
    data: z.object(Window),
    example: { ...EXAMPLE_WINDOW, used: 1000 },
  },
  "plan.ending": {
    when: "Another plan follows the account's in three days, as an operator or a trial has set it; not of one that is set later than that",
    data: z.object({
      plan: Text,
      planName: Text.describe("What people call it"),
      nextPlan: z.object({ plan: Text, planName: Text, at: At.describe("When it begins") }),
    }),
    example: {
      plan: "pro",
      planName: "Pro",
      nextPlan: { plan: "free", planName: "Free", at: "2026-03-04T12:00:00.000Z" },
    },
  },
  "key.refused": {
    when: "An API key was used that no longer works, or not from there: once an hour for each key",
    data: z.object({
      keyId: Text,
      name: Text,
      reason: z
        .enum(["revoked", "suspended", "expired", "replaced", "outside_addresses"])
        .describe(
          "`revoked`: also with the user whose it was. `replaced`: the secret before a rotation, past its overlap",
        ),
      address: Text.describe("Where it was used from"),
    }),
    example: {
      keyId: "key_01jd0000000000000000000000",
      name: "ci",
      reason: "revoked" as const,
      address: "203.0.113.7",
    },
  },
  "error_group.new": {
    when: "An error came that is unlike all others of its project",
    data: z.object(ErrorGroup),
    example: EXAMPLE_GROUP,
  },
  "error_group.regressed": {
    when: "A resolved error came back",
    data: z.object(ErrorGroup),
    example: EXAMPLE_GROUP,
  },
  "error_group.unignored": {
    when: "An error came again that was ignored up to a count or a time, now reached",
    data: z.object(ErrorGroup),
    example: EXAMPLE_GROUP,
  },
  "anomaly.found": {
    when: "An analysis found an anomaly in a metric: once for each of its metrics, for the 20 strangest at most",
    data: z.object({
      projectId: Text,
      metric: Text,
      anomalyId: Text.describe("The strangest of them"),
      kind: Text,
      explanation: Text,
      found: z.int().describe("How many there are of the metric in this analysis"),
    }),
    example: {
      projectId: "default",
      metric: "build_seconds",
      anomalyId: "ano_01jd0000000000000000000000",
      kind: "spike",
      explanation: "build_seconds was 160, where 100 to 104 is usual.",
      found: 1,
    },
  },
  "upstream.down": {
    when: "An MCP server behind this one failed five calls of the account in succession, and is left alone for a while",
    data: z.object(Upstream),
    example: { upstream: "files", title: "Files" },
  },
  "upstream.up": {
    when: "It answers the account again",
    data: z.object(Upstream),
    example: { upstream: "files", title: "Files" },
  },
  "webhook.disabled": {
    when: "A webhook was turned off, since it failed for five days or answered 410. The others are told",
    data: z.object({ webhookId: Text, url: Text, reason: z.enum(["failing", "gone"]) }),
    example: {
      webhookId: "whk_01jd0000000000000000000000",
      url: "https://hooks.example.com/toolplane",
      reason: "failing" as const,
    },
  },
  "alerts.held_back": {
    when: "More than 100 alerts of one type came in an hour, or of one about accounts 1,000, or 20 about one account, which `about` names: the rest of that hour's are not sent",
    data: z.object({
      heldBack: Text.describe("The type"),
      about: Text.optional().describe("The id of the account; others' are sent"),
      until: At,
    }),
    example: { heldBack: "error_group.new", until: RESETS_AT },
  },
  "account.signed_up": {
    when: "Somebody signed up, and has an account",
    data: z.object(OfAccount),
    example: { ...EXAMPLE_ACCOUNT, ownerEmail: "ada@example.com" },
  },
  "account.created": {
    when: "An operator made an account",
    data: z.object(OfAccount),
    example: { ...EXAMPLE_ACCOUNT, ownerEmail: "ada@example.com" },
  },
  "account.updated": {
    when: "The name, plan, next plan or limits of an account were changed",
    data: z.object(OfAccount),
    example: { ...EXAMPLE_ACCOUNT, changed: ["plan"] },
  },
  "account.plan_ending": {
    when: "Another plan follows an account's in three days, unless it was set later than that",
    data: z.object(OfAccount),
    example: {
      account: { ...EXAMPLE_ACCOUNT.account, nextPlan: { plan: "team", at: "2026-03-04T12:00:00.000Z" } },
    },
  },
  "account.transferred": {
    when: "An account got another owner",
    data: z.object(OfAccount),
    example: { ...EXAMPLE_ACCOUNT, ownerEmail: "ada@example.com" },
  },
  "account.suspended": {
    when: "An operator stopped an account",
    data: z.object(OfAccount),
    example: EXAMPLE_ACCOUNT,
  },
  "account.resumed": {
    when: "It is answered again",
    data: z.object(OfAccount),
    example: EXAMPLE_ACCOUNT,
  },
  "account.closed": {
    when: "An owner closed an account: it is deleted after 30 days",
    data: z.object(OfAccount),
    example: { ...EXAMPLE_ACCOUNT, deletedAfter: "2026-03-31T12:34:56.789Z" },
  },
  "account.kept": {
    when: "An owner kept it after all",
    data: z.object(OfAccount),
    example: EXAMPLE_ACCOUNT,
  },
  "account.deleted": {
    when: "It is deleted",
    data: z.object(OfAccount),
    example: EXAMPLE_ACCOUNT,
  },
  "webhook.test": {
    when: "Somebody asked for it. It goes to that webhook alone, whatever its types",
    data: z.object({ webhookId: Text }),
    example: { webhookId: "whk_01jd0000000000000000000000" },
  },
} as const satisfies Record<string, { when: string; data: z.ZodObject; example: object }>;

export type AlertType = keyof typeof ALERTS;

const ALERT_TYPES = Object.keys(ALERTS) as AlertType[];

/** The types about accounts of the server, each named like the action in the audit log that it is raised for. */
export type AccountAlertType = Extract<AlertType, `account.${string}`>;

export function isAboutAccounts(type: string): type is AccountAlertType {
  return type.startsWith("account.") && Object.hasOwn(ALERTS, type);
}

/** The types about an account's own affairs: what its webhooks get unless they name others, and what is mailed. */
export const OWN_TYPES = ALERT_TYPES.filter((type) => type !== "webhook.test" && !isAboutAccounts(type));
/** Raised in the operator's account, for webhooks that an operator lets have them. */
export const ACCOUNT_TYPES = ALERT_TYPES.filter(isAboutAccounts);

/** An event that the people of an account should know about. */
export type Alert = {
  [Type in AlertType]: {
    type: Type;
    accountId: string;
    /** The thing it is about. Alerts of one subject are delivered in order. */
    subject: string;
    data: z.input<(typeof ALERTS)[Type]["data"]>;
    /** Only the first of the account's alerts with this key is raised until a time, in milliseconds since the epoch. */
    once?: { key: string; until: number };
    /** Raised only on a change: the last `to` raised for this `of` must differ, and must equal `from` if given. */
    change?: { of: string; to: string; from?: string };
  };
}[AlertType];

/** Takes alerts from the code that detects their cause. Delivery happens elsewhere. */
export interface AlertSink {
  /** Raises an alert. Returns at once: nothing waits for this or fails because of it. */
  raise(alert: Alert): void;
  /** Raises an alert as part of a transaction: it is raised if and only if that commits. */
  raiseIn(tx: Transaction, alert: Alert): Promise<void>;
}

const MAX_TEXT_LENGTH = 500;

/** Shortens a text to the length that an alert may hold. */
export function shortened(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH - 1).toWellFormed()}…`;
}
