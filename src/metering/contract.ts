import * as z from "zod";
import { named } from "../contract/components.ts";
import { At, endpoint, listOf, UserId } from "../contract/endpoint.ts";
import { FreeForm } from "../contract/free-form.ts";
import { signingKeysContract } from "./signing-keys/contract.ts";
import { showUsage } from "./usage/reports/report-contract.ts";
import { Count, DeliveredEvent, EVENT_NAMES } from "./usage/telemetry-event.ts";
import { Granularity, Total, UsageType, UsesPerMonth } from "./usage/vocabulary.ts";

export { GRANULARITIES, Granularity, USAGE_TYPES, UsageType } from "./usage/vocabulary.ts";

const Counts = z.partialRecord(UsageType, Total);

const MonthlyUses = z
  .object({
    type: UsageType,
    limit: z.int(),
    used: Total.describe("May be more than `limit`: what programs report is counted all the same"),
    resetAt: At.describe("When the next month begins"),
  })
  .describe("Of the account, in all its projects");

const BoundUse = z.object({ limit: z.int(), used: z.number().nonnegative() });

/** The policy that the command line follows. The catalogue has the values. */
export const Policy = z.strictObject({
  profile: z.string().min(1),
  telemetry: z.strictObject({
    enabled: z.boolean(),
    flushAt: z.int().min(1).max(1000).describe("Events that make the client send a batch"),
    flushIntervalSeconds: z.int().positive(),
    maxQueueEvents: z.int().positive().describe("Above it the oldest are dropped"),
  }),
  offlineGraceSeconds: z
    .int()
    .nonnegative()
    .describe("How long after `expiresAt` the document serves offline"),
  onUnreachable: z
    .enum(["cached", "deny"])
    .describe("What gates answer when neither service nor grace is left"),
  minimumCliVersion: z.string().regex(/^\d+\.\d+\.\d+$/, "must be a version such as 1.2.3"),
});
export type Policy = z.infer<typeof Policy>;

export const Area = z.enum(["technical", "business", "enterprise"]);
export type Area = z.infer<typeof Area>;

const Claims = {
  plan: z.string().describe("The account's plan, which sets its limits"),
  nextPlan: z
    .object({ plan: z.string(), at: At })
    .optional()
    .describe("The plan that follows, such as after a trial, and when"),
  tier: z
    .string()
    .describe("Whose gates apply: the project's plan where it has one, the account's otherwise"),
  plans: z
    .record(z.string(), z.string())
    .describe("What people call each plan of the catalogue, by its id, from the smallest to the largest"),
  account: z.object({ id: z.string(), name: z.string() }),
  project: z.object({ id: z.string() }).nullable().describe("Null where the request names none"),
  features: z.array(z.string()).describe("Gates; `agents.*` covers every gate below it"),
  gates: z
    .record(z.string(), z.string())
    .describe("Every gate of the catalogue and the least tier that has it, in the order of the tiers"),
  agents: z.object({
    required: z.record(z.string(), z.string()).describe("Gated agents and the tier each needs"),
    denied: z.array(z.string()).describe("Agents that these features do not allow"),
  }),
  limits: z.object({
    requestsPerMinute: z.int(),
    requestsPerHour: z.int(),
    requestsPerDay: z.int(),
    burst: z.int(),
    usesPerMonth: UsesPerMonth.optional().describe(
      "Most uses in a calendar month (UTC), of types that have a limit",
    ),
  }),
  policy: Policy,
  upgradeUrl: z.url().optional().describe("Where people get a larger plan, if the plans file says so"),
  resolvedAt: At,
  expiresAt: At,
};

export const Entitlements = z.object({
  ...Claims,
  signature: z.string().describe("Compact JWS (EdDSA); a client trusts only what it decodes from it"),
});
export type Entitlements = z.infer<typeof Entitlements>;

/** The payload of `signature`: the other members of the document, its issuer and its credential. */
export const SignedEntitlements = z.object({
  iss: z.string(),
  credential: z.object({ id: z.string() }),
  ...Claims,
});
export type SignedEntitlements = z.infer<typeof SignedEntitlements>;

const BatchResult = z.object({
  index: z.int(),
  status: z.enum(["accepted", "ignored", "duplicate", "rejected"]),
  type: UsageType.optional(),
  error: z.string().optional(),
});

const SIGNED = `The document is resolved and signed once for five minutes; it is signed anew, with another
\`ETag\`, after half of that or when anything in it changes. The key is in \`/.well-known/jwks.json\`.`;

const Agent = z.object({
  id: z.string(),
  name: z.string(),
  area: Area,
  requiredTier: z.string(),
  allowed: z.boolean(),
});

named({
  UsageType,
  Granularity,
  Policy,
  Area,
  Agent,
  Entitlements,
  MonthlyUses,
  BatchResult,
});

export const meteringContract = {
  track: endpoint({
    name: "usage.track",
    method: "POST",
    path: "/api/v1/track",
    summary: "Record a usage event",
    description: `Answered once the count is durable. A text \`tool\` in \`metadata\`, up to 64 characters long, is
counted as the name of what was used: in a project and day the first hundred names are told apart, all others count as
\`other\`. Whatever else \`metadata\` holds is checked for size and dropped.`,
    scope: "write",
    errors: ["conflict"],
    idempotent: true,
    example: { type: "agents_invoked", count: 1 },
    input: z.strictObject({ type: UsageType, count: Count, metadata: FreeForm.optional() }),
    output: z.object({
      recorded: z.literal(true),
      type: UsageType,
      count: z.int(),
      projectId: z.string(),
      total: z.object({ day: Total, month: Total }).describe("Of this type and project, in UTC"),
      uses: MonthlyUses.optional().describe("Where the account's uses of this type are limited by the month"),
    }),
  }),

  recordBatch: endpoint({
    name: "usage.batch",
    method: "POST",
    path: "/api/v1/events/batch",
    summary: "Record a batch of telemetry events",
    description: `Counted whole or not at all. \`batch.id\` (with \`batch.index\`, where one batch comes in parts)
makes a repeat within 90 days get the first answer; another body under it is \`idempotency_mismatch\`.
The name of an event says what it counts as: ${EVENT_NAMES}. An event of any other name is ignored, a malformed one
rejected alone. A \`tool\` in an event's \`payload\` counts as in \`metadata\` of \`POST /api/v1/track\`: so things of
your own are told apart.`,
    scope: "write",
    errors: ["conflict"],
    idempotent: true,
    status: 202,
    example: { batch: { id: "batch-1" }, events: [{ event: "agent.invoked", id: "event-1" }] },
    input: z.strictObject({
      source: z.string().max(256).optional(),
      batch: z
        .strictObject({
          id: UserId.optional(),
          index: z.int().nonnegative().optional(),
          total: z.int().positive().optional(),
        })
        .optional(),
      events: z.array(DeliveredEvent).min(1).max(1000),
    }),
    output: z.object({
      batchId: z.string(),
      accepted: Total,
      ignored: Total,
      duplicates: Total,
      rejected: Total,
      usage: Counts.describe("What this batch added"),
      results: z.array(BatchResult),
    }),
  }),

  showUsage,

  showBounds: endpoint({
    name: "usage.bounds",
    method: "GET",
    path: "/api/v1/usage/bounds",
    summary: "Show what the account may hold and occupy, and what of it is used",
    description: `\`storageBytes\` and \`documents\` count everything that the account stores, in all its
projects: ids and documents as JSON text in UTF-8, 64 bytes and its id for each counter (of usage: one for each type
in an hour, a day and a month, as many for each key, user and tool that used it, and one of the account in a month), and what has expired until it is swept within a minute or two. Beyond them a request that would store more is \`quota_exceeded\`, while deleting, and replacing
something with what is no larger, always works. \`computeSecondsPerMinute\` and \`jobsInFlight\` are the
account's, on this instance; \`streams\` are the credential's.`,
    scope: "read",
    lane: "control",
    input: z.strictObject({}),
    output: z.object({
      plan: z.string(),
      planName: z.string().describe("What people call the plan"),
      bounds: z.object({
        storageBytes: BoundUse,
        documents: BoundUse,
        computeSecondsPerMinute: BoundUse,
        jobsInFlight: BoundUse,
        streams: BoundUse,
      }),
      windows: z
        .array(
          z.object({
            name: z.enum(["minute", "hour", "day"]),
            limit: z.int(),
            capacity: z
              .int()
              .describe("The most that it holds: more than `limit` where short spikes are let through"),
            remaining: z.int(),
            resetAt: At.describe("When it is whole again"),
          }),
        )
        .describe("Of requests"),
      uses: z.array(MonthlyUses).describe("Of types whose uses in a month are limited"),
      server: z.object({
        takesMore: z
          .boolean()
          .describe("False: whatever grows is refused, whoever sends it, until there is room"),
        memory: z
          .object({ usedBytes: z.int(), limitBytes: z.int() })
          .optional()
          .describe(
            "What is stored in memory, of all accounts: for operators, of a server without a database",
          ),
      }),
    }),
  }),

  resolveEntitlements: endpoint({
    name: "entitlements.resolve",
    method: "GET",
    path: "/api/v1/entitlements/resolve",
    summary: "Resolve plan, gates, limits and policy for this credential",
    description: SIGNED,
    scope: "read",
    etag: true,
    input: z.strictObject({}),
    output: Entitlements,
  }),

  resolveEntitlementsFor: endpoint({
    name: "entitlements.resolveFor",
    method: "POST",
    path: "/api/v1/entitlements/resolve",
    summary: "Resolve plan, gates, limits and policy for a project",
    description: `${SIGNED} \`context\` does not change what the default policy answers.`,
    scope: "read",
    safe: true,
    etag: true,
    example: { projectId: "shop" },
    input: z.strictObject({ projectId: UserId.optional(), context: FreeForm.optional() }),
    output: Entitlements,
  }),

  listAgents: endpoint({
    name: "agents.list",
    method: "GET",
    path: "/api/v1/agents",
    summary: "List the agents and which of them this credential may use",
    scope: "read",
    input: z.strictObject({}),
    output: listOf(Agent),
  }),

  ...signingKeysContract,
};
