import * as z from "zod";
import { named } from "../contract/components.ts";
import { At, endpoint, listOf, UserId } from "../contract/endpoint.ts";

const Name = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "must be the name of an upstream, such as github");
const Month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, "must be a month such as 2026-11");
const Calls = z.int().nonnegative();

/** Stands for all callers whom somebody may not see. */
export const OTHERS = "others";

const GatedPart = z
  .object({
    kind: z.enum(["tools", "prompts", "resources"]),
    pattern: z.string().describe("A name, or the beginning of names and a `*`"),
    gate: z.string(),
    requiredPlan: z.string().optional().describe("The least plan that has it"),
    requiredPlanName: z.string().optional().describe("What people call that plan"),
    allowed: z.boolean().describe("Whether the plan of this request has it"),
  })
  .describe("What a plan may lack");

const UpstreamState = z
  .enum(["up", "failing", "trying"])
  .describe(
    "`failing`: it is left alone for a while, or is a program that has ended; `trying`: the next request tries it",
  );

const UpstreamSummary = z
  .object({
    name: Name,
    title: z.string(),
    description: z.string().optional(),
    url: z.string().describe("Where clients of MCP reach it, through this server"),
    transport: z.enum(["http", "stdio"]).describe("How this server reaches it"),
    state: UpstreamState,
    gated: z.array(GatedPart),
  })
  .describe("An MCP server behind this one");

const ToolUse = z
  .object({
    tool: z
      .string()
      .describe(
        "`(unlisted)` stands for names that the upstream never listed, and for those beyond its first 500",
      ),
    calls: Calls,
    errors: Calls.describe("Answered with an error"),
    failed: Calls.describe("Not answered as they should have been"),
    cancelled: Calls.describe("Whose client went away"),
    refused: Calls.describe("That the plan did not allow"),
    p95Ms: z
      .int()
      .nullable()
      .describe(
        "Nineteen of twenty took no longer; as precise as the histogram, null where all took more than a minute or none was answered",
      ),
  })
  .describe("Calls of one tool in a month");

const LastFailure = z
  .object({ at: At, because: z.string() })
  .describe("With what it failed last, since this server started");

const UpstreamUse = z.object({
  upstream: UpstreamSummary,
  lastFailure: LastFailure.optional(),
  month: Month,
  callers: z.array(
    z.object({
      tool: z.string(),
      who: z.string().describe(`A key's id, or a user's; \`${OTHERS}\` for all whom the caller may not see`),
      name: z.string().optional().describe("The key's name, or the user's e-mail address, while it is there"),
      calls: Calls,
    }),
  ),
  tools: z.array(ToolUse).optional(),
  accounts: z.array(z.object({ id: z.string(), name: z.string(), calls: Calls })).optional(),
});

named({ GatedPart, UpstreamSummary, ToolUse });

export type UpstreamSummary = z.infer<typeof UpstreamSummary>;
export type UpstreamUse = z.infer<typeof UpstreamUse>;
export type ToolUse = z.infer<typeof ToolUse>;

const OfAccount = UserId.optional().describe("An account's, for operators");
const OPERATORS_ALONE = "`accountId` needs the scope `operator`.";

export const gatewayContract = {
  listUpstreams: endpoint({
    name: "upstreams.list",
    method: "GET",
    path: "/api/v1/upstreams",
    summary: "List the MCP servers behind this one",
    description: "With `accountId`, what is gated is what the plan of that account lacks.",
    rules: [OPERATORS_ALONE],
    scope: "read",
    errors: ["not_found"],
    lane: "control",
    input: z.strictObject({ accountId: OfAccount }),
    output: listOf(UpstreamSummary),
  }),

  showUpstream: endpoint({
    name: "upstreams.show",
    method: "GET",
    path: "/api/v1/upstreams/{upstream}",
    summary: "Show who called which tools of an MCP server behind this one",
    description: `\`callers\` are of the request's project; without the scope \`admin\`, all but the caller are told of together.
\`tools\` and \`accounts\` are of everybody, and for operators alone, as is \`lastFailure\`. With \`accountId\` there are only \`callers\`, of all projects of that account. Counted since the month began, in UTC.`,
    rules: [OPERATORS_ALONE],
    scope: "read",
    errors: ["not_found"],
    lane: "control",
    input: z.strictObject({
      upstream: Name,
      month: Month.optional().describe("The present one unless given"),
      accountId: OfAccount,
    }),
    output: UpstreamUse,
  }),
};
