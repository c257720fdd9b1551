import * as z from "zod";
import { named, refinementRules } from "../../../contract/components.ts";
import { At, endpoint, Page, UserId } from "../../../contract/endpoint.ts";
import { Granularity, Total, USAGE_TYPES, UsageType } from "../vocabulary.ts";

const Counts = z.partialRecord(UsageType, Total);

const INSTANT = "must be a date or an ISO 8601 time with an offset, from 1970 to 9998";

const Instant = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], { error: INSTANT })
  .refine((text) => text >= "1970" && text < "9999", INSTANT)
  .register(refinementRules, { rule: "From 1970 to 9998." });

const Refused = Total.describe("Requests that a limit refused; they count as nothing else");
const Id = z.string().nullable();

export const UsageGroup = z.object({
  account: Id.optional(),
  accountName: z.string().optional(),
  project: Id.optional(),
  projectName: z.string().optional(),
  key: Id.describe("A key, or the sign-in of a device or browser").optional(),
  keyName: z.string().optional(),
  keyGone: z.literal(true).optional().describe("It was revoked, or its sign-in has ended"),
  user: Id.optional(),
  userName: z.string().optional(),
  userGone: z.literal(true).optional().describe("They were removed, or have left"),
  tool: Id.optional(),
  counts: z.record(UsageType, Total),
  total: Total.describe("The sum of `counts`"),
  refused: Refused,
});
export type UsageGroup = z.infer<typeof UsageGroup>;

const DIMENSION = "(account|project|key|user|tool)";

named({ UsageGroup });

export const showUsage = endpoint({
  name: "usage.show",
  method: "GET",
  path: "/api/v1/usage",
  summary: "Show what was counted",
  description: `Whole hours, days or months in UTC: \`from\` is moved down to the start of its bucket, \`to\`
(exclusive) up. Unless given, \`to\` is the end of the present bucket, and \`from\` 24 hours, 30 days or 12 months
before. The series holds every bucket, at most 10,000; \`totals\` are its sums.

With \`groupBy\` it is the account's usage, of all projects unless \`projectId\` names one, added up by account,
project, key, user, tool or several of them, the groups with most first. The groups' sums are exactly the totals: what
is not known of a use is \`null\` (no tool was named; it was counted before usage was told apart by who caused it,
or that is no longer kept: by hour it is for 90 days, by day and month for two years). Also \`refused\`: what rate
limits refused, by key, user and endpoint, of no project; counted within a second or two, so that a crash may lose that
much. Where an account has no room for further counters its refusals are nobody's. With the scope \`admin\` it is the
whole account, otherwise the user's own; operators name another in \`accountId\`, or \`all\`. A key that is bound
to a project sees that one.

\`format=csv\`, or \`Accept: text/csv\`, and \`format=json\` answer with all groups at once, without pages. In CSV
a cell that a spreadsheet would take for a formula begins with an apostrophe. At most 100,000 groups from 500,000
counters; whole months take the fewest.`,
  scope: "read",
  rules: [
    "`from` is before `to`.",
    "From one to the other there are at most 10,000 buckets.",
    "`accountId`, `keyId`, `userId`, `tool`, `format`, `limit`, `cursor` and the type `refused` need `groupBy`.",
  ],
  lane: "control",
  errors: ["overloaded", "not_found"],
  formats: { "text/csv": "`format=csv` or `Accept: text/csv`, with `groupBy`" },
  input: z.strictObject({
    from: Instant.optional(),
    to: Instant.optional(),
    granularity: Granularity.default("day"),
    type: z
      .enum([...USAGE_TYPES, "refused"])
      .optional()
      .describe("Counts this type alone"),
    projectId: UserId.optional(),
    groupBy: z
      .string()
      .max(100)
      .regex(
        new RegExp(`^${DIMENSION}(,${DIMENSION})*$`),
        "must list account, project, key, user or tool, with commas between them",
      )
      .optional()
      .describe("Such as `key,tool`"),
    accountId: UserId.optional().describe("For operators: another account's, or `all`"),
    keyId: UserId.optional(),
    userId: UserId.optional(),
    tool: UserId.optional(),
    format: z
      .enum(["json", "csv"])
      .optional()
      .describe("All groups at once, as a file. While use goes on, groups change places between pages"),
    limit: z.coerce.number<number>().int().min(1).max(200).optional().describe("50 unless given"),
    cursor: Page.cursor,
  }),
  output: z.object({
    from: At,
    to: At,
    granularity: Granularity,
    projectId: z.string().nullable().describe("Null of several projects together"),
    totals: z.record(UsageType, Total).describe("With `groupBy` of all groups, whatever the page"),
    series: z.array(z.object({ at: At, counts: Counts })).describe("Empty with `groupBy`"),
    refused: Refused.optional(),
    groups: z.array(UsageGroup).describe("Those with most first").optional(),
    groupCount: Total.optional(),
    nextCursor: z.string().optional(),
  }),
});
