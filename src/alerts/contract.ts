import * as z from "zod";
import { named, refinementRules } from "../contract/components.ts";
import { At, endpoint, isPrintable, listOf, pageBehind, UserId } from "../contract/endpoint.ts";
import { DAY_S } from "../system/durations.ts";
import { ACCOUNT_TYPES, type AlertType, OWN_TYPES } from "./alert.ts";
import { DELIVERY_STATES, MAX_SHOWN_ATTEMPTS, MAX_WEBHOOKS } from "./model.ts";

const OwnType = z.enum(OWN_TYPES as [AlertType, ...AlertType[]]);
const TYPES = [...OWN_TYPES, ...ACCOUNT_TYPES];
const Type = z.enum(TYPES as [AlertType, ...AlertType[]]);
const Types = z.array(Type).min(1, "must name one, or be left out for all").max(TYPES.length);

const Url = z
  .string()
  .trim()
  .max(2048, "must have at most 2048 characters")
  .refine(isPrintable, "must not hold control characters")
  .refine((text) => URL.canParse(text), "must be a URL")
  .register(refinementRules, { rule: "An https URL without user, password and fragment." });

const Description = z
  .string()
  .trim()
  .max(256, "must have at most 256 characters")
  .refine(isPrintable, "must not hold control characters")
  .register(refinementRules, { rule: "Trimmed; without control characters." });

const Webhook = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string(),
  types: z
    .array(z.string())
    .optional()
    .describe("The alerts that it gets; all but those about accounts where absent"),
  enabled: z.boolean(),
  disabled: z
    .object({ at: At, reason: z.enum(["failing", "gone"]) })
    .optional()
    .describe("Why the server turned it off: it failed for five days, or answered 410"),
  createdBy: z.string().describe("The id of a user"),
  createdAt: At,
  rotatedAt: At.optional().describe("When it was given its present secret, if that is not its first"),
  previousSecretEndsAt: At.optional().describe(
    "Until then deliveries are signed with the secret before, too",
  ),
  waiting: z.int().describe("Alerts that are not delivered yet"),
  dropped: z.int().describe("Alerts that gave way to newer ones before they were delivered, ever"),
  failingSince: At.optional(),
  lastDeliveredAt: At.optional(),
});

const Attempt = z.object({
  at: At,
  ms: z.int(),
  status: z.int().optional().describe("Of the answer"),
  answer: z.string().optional().describe("Its beginning"),
  error: z.string().optional().describe("Why there was none"),
});

const Delivery = z.object({
  alertId: z.string().describe("The `webhook-id` of its requests"),
  type: z.string(),
  state: z
    .enum(DELIVERY_STATES)
    .describe("`failed`: given up after a day, or since the webhook was turned off"),
  createdAt: At,
  attempts: z.int(),
  nextAttemptAt: At.optional().describe("At the earliest: alerts of one subject wait for each other"),
  lastAttempt: Attempt.optional(),
});

const MailSettings = z.object({
  available: z.boolean().describe("Whether this server sends mail"),
  accountOff: z.array(z.string()).describe("What nobody is mailed"),
  userOff: z.array(z.string()).describe("What the caller's user is not mailed"),
});

named({
  Webhook,
  AlertDelivery: Delivery,
  AlertAttempt: Attempt,
  AlertType: Type,
  OwnAlertType: OwnType,
  AlertMailSettings: MailSettings,
});

const WebhookId = UserId;
const Nothing = z.object({});
const URL_RULE =
  "`url` is an https URL without user, password and fragment, and names no private address; what its name stands for is looked at with each delivery.";
const OPERATOR_RULE =
  "Alerts about accounts of the server (`account.…`) are for operators: a webhook that gets them is made and changed with the scope `operator`.";

export const alertsContract = {
  listWebhooks: endpoint({
    name: "webhooks.list",
    method: "GET",
    path: "/api/v1/webhooks",
    summary: "List the account's webhooks",
    scope: "admin",
    lane: "control",
    input: z.strictObject(pageBehind(/^whk_\w+$/)),
    output: listOf(Webhook),
  }),
  createWebhook: endpoint({
    name: "webhooks.create",
    method: "POST",
    path: "/api/v1/webhooks",
    summary: "Have alerts sent to a URL",
    description: `The secret is shown this once. Deliveries are signed with it as [Standard Webhooks](https://www.standardwebhooks.com)
says, and sent again for a day where they fail: \`docs/alerts.md\` has all of it. An account has at most ${MAX_WEBHOOKS}.`,
    rules: [URL_RULE, OPERATOR_RULE],
    scope: "admin",
    errors: ["conflict"],
    lane: "control",
    status: 201,
    example: { url: "https://hooks.example.com/toolplane", types: ["limit.reached", "key.refused"] },
    input: z.strictObject({
      url: Url,
      description: Description.default(""),
      types: Types.optional().describe("All but those about accounts (`account.…`) where it is left out"),
    }),
    output: z.object({ webhook: Webhook, secret: z.string() }),
  }),
  showWebhook: endpoint({
    name: "webhooks.show",
    method: "GET",
    path: "/api/v1/webhooks/{webhookId}",
    summary: "Show a webhook, and how it fares",
    scope: "admin",
    errors: ["not_found"],
    lane: "control",
    input: z.strictObject({ webhookId: WebhookId }),
    output: z.object({ webhook: Webhook }),
  }),
  updateWebhook: endpoint({
    name: "webhooks.update",
    method: "PATCH",
    path: "/api/v1/webhooks/{webhookId}",
    summary: "Change a webhook, or turn it off and on",
    description:
      "What is left out stays. What waits for a webhook that is turned off is given up, and can be sent again once it is on.",
    rules: [URL_RULE, OPERATOR_RULE],
    scope: "admin",
    errors: ["not_found"],
    lane: "control",
    example: { webhookId: "whk_example", enabled: false },
    input: z.strictObject({
      webhookId: WebhookId,
      url: Url.optional(),
      description: Description.optional(),
      types: Types.nullable().optional().describe("null: all but those about accounts"),
      enabled: z.boolean().optional(),
    }),
    output: z.object({ webhook: Webhook }),
  }),
  deleteWebhook: endpoint({
    name: "webhooks.delete",
    method: "DELETE",
    path: "/api/v1/webhooks/{webhookId}",
    summary: "Delete a webhook with its deliveries",
    scope: "admin",
    errors: ["not_found"],
    lane: "control",
    status: 204,
    input: z.strictObject({ webhookId: WebhookId }),
    output: Nothing,
  }),
  rotateWebhookSecret: endpoint({
    name: "webhooks.rotate",
    method: "POST",
    path: "/api/v1/webhooks/{webhookId}/rotate",
    summary: "Give a webhook another secret",
    description: `The secret is shown this once. For \`overlapSeconds\` more, a day unless given, deliveries bear a signature of
each; a secret before the last ends now. A repeat under the same \`Idempotency-Key\` gets the same secret: the answer is
kept encrypted under that key, so choose one that nobody guesses, such as a UUID.`,
    scope: "admin",
    errors: ["not_found"],
    lane: "control",
    idempotent: true,
    answersSecret: true,
    example: { webhookId: "whk_example", overlapSeconds: DAY_S },
    input: z.strictObject({
      webhookId: WebhookId,
      overlapSeconds: z
        .int("must be a whole number")
        .min(0, "must be at least 0")
        .max(30 * DAY_S, "must be at most 30 days")
        .default(DAY_S),
    }),
    output: z.object({ webhook: Webhook, secret: z.string() }),
  }),
  testWebhook: endpoint({
    name: "webhooks.test",
    method: "POST",
    path: "/api/v1/webhooks/{webhookId}/test",
    summary: "Send a webhook.test to a webhook",
    description: "It goes the way of every alert: look at its delivery for what came of it.",
    scope: "admin",
    errors: ["not_found", "invalid_state"],
    lane: "control",
    status: 202,
    example: { webhookId: "whk_example" },
    input: z.strictObject({ webhookId: WebhookId }),
    output: z.object({ delivery: Delivery }),
  }),
  listDeliveries: endpoint({
    name: "webhooks.deliveries",
    method: "GET",
    path: "/api/v1/webhooks/{webhookId}/deliveries",
    summary: "List the deliveries of a webhook, newest first",
    description: "They are kept for 30 days, of the last 1,000 alerts of the account.",
    scope: "admin",
    errors: ["not_found"],
    lane: "control",
    input: z.strictObject({
      ...pageBehind(/^alt_\w+$/),
      webhookId: WebhookId,
      state: z.enum(DELIVERY_STATES).optional(),
      type: z.string().max(64).optional().describe("Of the alert, such as `limit.reached`"),
    }),
    output: listOf(Delivery),
  }),
  showDelivery: endpoint({
    name: "webhooks.delivery",
    method: "GET",
    path: "/api/v1/webhooks/{webhookId}/deliveries/{alertId}",
    summary: "Show a delivery: what was sent, and what was answered",
    scope: "admin",
    errors: ["not_found"],
    lane: "control",
    input: z.strictObject({ webhookId: WebhookId, alertId: UserId }),
    output: z.object({
      delivery: Delivery,
      body: z.string().describe("Of the request, to the letter"),
      attempts: z.array(Attempt).describe(`The last ${MAX_SHOWN_ATTEMPTS}, the latest last`),
    }),
  }),
  redeliver: endpoint({
    name: "webhooks.redeliver",
    method: "POST",
    path: "/api/v1/webhooks/{webhookId}/deliveries/{alertId}/redeliver",
    summary: "Send an alert again",
    description:
      "With the same `webhook-id`: whoever keeps to that takes it once. It is tried for a day anew.",
    scope: "admin",
    errors: ["not_found", "invalid_state"],
    lane: "control",
    status: 202,
    example: { webhookId: "whk_example", alertId: "alt_example" },
    input: z.strictObject({ webhookId: WebhookId, alertId: UserId }),
    output: z.object({ delivery: Delivery }),
  }),
  showMailSettings: endpoint({
    name: "alertMail.show",
    method: "GET",
    path: "/api/v1/alert-mail",
    summary: "Show which alerts are not mailed",
    description:
      "Owners and admins whose address is proven are mailed everything else, in at most six letters an hour.",
    scope: "admin",
    lane: "control",
    input: z.strictObject({}),
    output: MailSettings,
  }),
  changeMailSettings: endpoint({
    name: "alertMail.update",
    method: "PATCH",
    path: "/api/v1/alert-mail",
    summary: "Choose which alerts are not mailed, to you or to anybody of the account",
    description: "What is left out stays; an empty list takes back what was chosen.",
    scope: "admin",
    lane: "control",
    example: { userOff: ["limit.warning"] },
    input: z.strictObject({
      accountOff: z.array(OwnType).max(OWN_TYPES.length).optional(),
      userOff: z.array(OwnType).max(OWN_TYPES.length).optional(),
    }),
    output: MailSettings,
  }),
};
