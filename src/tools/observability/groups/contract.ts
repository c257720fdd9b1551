import * as z from "zod";
import { named, refinementRules } from "../../../contract/components.ts";
import { At, endpoint, isPrintable, listOf, pageBehind } from "../../../contract/endpoint.ts";
import { RestoredStack } from "../source-maps/contract.ts";

export const SOURCES = ["server", "client"] as const;
export type Source = (typeof SOURCES)[number];

export const STATES = ["open", "resolved", "ignored"] as const;
export type State = (typeof STATES)[number];

export const SORTS = ["lastSeen", "firstSeen", "count"] as const;
export type Sort = (typeof SORTS)[number];

/** Hours and days that counts are kept for. */
export const HOURS = 14 * 24;
export const DAYS = 90;
export const DAYS_IN_LISTS = 14;
/** Last occurrences kept of a group. */
export const MAX_OCCURRENCES = 10;
const MAX_AT_ONCE = 100;

const Count = z.int().nonnegative();

const Series = z.object({
  from: At.describe("When the first of them begins, in UTC"),
  counts: z.array(Count),
});

const Release = z.object({ name: z.string(), count: z.int().positive(), firstSeenAt: At, lastSeenAt: At });

const Decision = z.object({
  by: z.string().describe("The user who resolved or ignored it"),
  at: At,
  inNextRelease: z.boolean().optional(),
  untilCount: z.int().optional(),
  until: At.optional(),
});

export const ErrorGroup = z.object({
  fingerprint: z.string(),
  type: z.string(),
  message: z.string(),
  count: z.int().positive(),
  firstSeenAt: At,
  lastSeenAt: At,
  source: z.enum(SOURCES),
  state: z.enum(STATES),
  regressedAt: At.optional().describe("When it was last seen again after it had been resolved"),
  decision: Decision.optional().describe("Of what is resolved or ignored"),
  route: z
    .string()
    .optional()
    .describe(
      "Where it happened: the transaction or route that the program names, else its innermost own call",
    ),
  releases: z.array(Release).optional().describe("The first it was seen in, and the last nine"),
  environments: z.array(z.string()).optional(),
  usersAffected: Count.optional().describe("An estimate, of hashes of what the SDK says of users"),
  daily: Series.describe(`The last ${DAYS_IN_LISTS} days`),
  stack: z.string().optional(),
  traceId: z.string().optional(),
});
export type ErrorGroup = z.infer<typeof ErrorGroup>;

const Occurrence = z.object({
  at: At,
  eventId: z.string().optional(),
  release: z.string().optional(),
  environment: z.string().optional(),
  traceId: z.string().optional(),
  tags: z.record(z.string(), z.string()).optional(),
});

const ErrorDetails = ErrorGroup.extend({
  daily: Series.describe(`The last ${DAYS} days`),
  hourly: Series.describe("The last 14 days by the hour"),
  occurrences: z.array(Occurrence).describe(`The last ${MAX_OCCURRENCES}, the newest first`),
  restored: RestoredStack.optional().describe("By source maps that were uploaded"),
});
export type ErrorDetails = z.infer<typeof ErrorDetails>;

named({ ErrorGroup, ErrorDetails });

const Fingerprint = z.string().regex(/^err_[0-9a-f]{24}$/, "must be the fingerprint of an error: err_…");

const fingerprints = z
  .array(Fingerprint)
  .min(1, "must name an error")
  .max(MAX_AT_ONCE, `must name at most ${MAX_AT_ONCE} errors`)
  .describe(`Of up to ${MAX_AT_ONCE} errors: all are changed, or none`);

const Word = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine(isPrintable, "must not hold control characters")
  .register(refinementRules, { rule: "Trimmed; without control characters and lone surrogates." });

export const Instant = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], {
    error: "must be a date or an ISO 8601 time with an offset",
  })
  .transform((text) => Date.parse(text));

const Changed = z.object({ items: z.array(ErrorGroup) });
const EXAMPLE = { fingerprints: ["err_20b7219673d2ef29dd72139e"] };
const ROOT = "/api/v1/tools/observability/errors";

export const groupsContract = {
  errors: endpoint({
    name: "observability.errors",
    method: "GET",
    path: ROOT,
    summary: "List recent errors, grouped, most recently seen first",
    description: `What clients reported to this project's DSN, and where this server failed to answer a request of the project.
Secrets are masked. An error is forgotten 30 days after it was last seen, 90 if it is resolved or ignored; a
project keeps 1,000. With the scope \`operator\`: also errors of requests without a caller, and the stacks of
the server's own errors.`,
    scope: "read",
    input: z.strictObject({
      since: Instant.optional().describe("Errors seen at this instant or later"),
      state: z.enum(STATES).optional(),
      query: Word.optional().describe("Words that type, message and route hold together, in any case"),
      release: Word.optional().describe("Seen in this release"),
      environment: Word.optional().describe("Seen in this environment"),
      sort: z.enum(SORTS).default("lastSeen").describe("What is latest, or most often, comes first"),
      ...pageBehind(/^\d{16}\/err_[0-9a-f]{24}\/\d+$/),
    }),
    output: listOf(ErrorGroup),
  }),

  showError: endpoint({
    name: "observability.showError",
    method: "GET",
    path: `${ROOT}/{fingerprint}`,
    summary: "Show an error with its trend, releases and last occurrences",
    scope: "read",
    errors: ["not_found"],
    input: z.strictObject({ fingerprint: Fingerprint }),
    output: z.object({ error: ErrorDetails }),
  }),

  resolveErrors: endpoint({
    name: "observability.resolveErrors",
    method: "POST",
    path: `${ROOT}/resolve`,
    summary: "Resolve errors",
    description: `One that happens again is open again, with \`regressedAt\`: at once, or with \`inNextRelease\` when it happens
in a release that the project's programs had not named until then. \`inNextRelease\` is 422 for errors that were
seen without a release.`,
    scope: "write",
    errors: ["not_found", "unprocessable"],
    idempotent: true,
    example: EXAMPLE,
    input: z.strictObject({ fingerprints, inNextRelease: z.boolean().optional() }),
    output: Changed,
  }),

  ignoreErrors: endpoint({
    name: "observability.ignoreErrors",
    method: "POST",
    path: `${ROOT}/ignore`,
    summary: "Ignore errors, for good, until they happen more often, or for a time",
    description: "They go on being counted.",
    rules: ["`until` is in the future."],
    scope: "write",
    errors: ["not_found"],
    idempotent: true,
    example: { ...EXAMPLE, more: 100 },
    input: z.strictObject({
      fingerprints,
      more: z
        .int()
        .min(1)
        .max(1_000_000_000)
        .optional()
        .describe("Until they have happened this many more times"),
      until: Instant.optional(),
    }),
    output: Changed,
  }),

  reopenErrors: endpoint({
    name: "observability.reopenErrors",
    method: "POST",
    path: `${ROOT}/reopen`,
    summary: "Open errors again that were resolved or ignored",
    scope: "write",
    errors: ["not_found"],
    idempotent: true,
    example: EXAMPLE,
    input: z.strictObject({ fingerprints }),
    output: Changed,
  }),

  deleteError: endpoint({
    name: "observability.deleteError",
    method: "DELETE",
    path: `${ROOT}/{fingerprint}`,
    summary: "Delete an error and what is known of it",
    description: "If it happens again, it is new.",
    scope: "write",
    errors: ["not_found"],
    input: z.strictObject({ fingerprint: Fingerprint }),
    output: z.object({ deleted: z.string() }),
  }),
};
