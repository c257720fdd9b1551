import * as z from "zod";
import { SCOPES } from "../contract/caller.ts";
import { named } from "../contract/components.ts";
import { At, endpoint, Instant, listOf, pageBehind, ShownName, UserId } from "../contract/endpoint.ts";
import { recordOf } from "../contract/record.ts";
import { keysContract } from "./credentials/keys-contract.ts";
import { devicesContract } from "./devices/contract.ts";
import { exportContract } from "./export/contract.ts";
import { PlanName, Project, projectsContract } from "./projects/contract.ts";
import { Email, InvitationLink, SignInLink, UserRole, usersContract } from "./users/contract.ts";

export { Email } from "./users/contract.ts";

const Scopes = z.array(z.enum(SCOPES));
const Requests = z
  .int("must be a whole number")
  .min(1, "must be at least 1")
  .max(1_000_000_000, "must be at most 1,000,000,000");

const Uses = z
  .int("must be a whole number")
  .min(0, "must be at least 0")
  .max(1e12, "must be at most 1,000,000,000,000");

const Bound = z
  .int("must be a whole number")
  .min(1, "must be at least 1")
  .max(2 ** 50, "must be at most 2^50")
  .optional();

const Limits = z
  .strictObject({
    requestsPerMinute: Requests.optional(),
    requestsPerHour: Requests.optional(),
    requestsPerDay: Requests.optional(),
    burst: Requests.optional().describe("At least requestsPerMinute; twice it where only that is set"),
    usesPerMonth: recordOf(z.string().max(64), Uses)
      .optional()
      .describe("Uses in a calendar month (UTC), by usage type"),
    endpoints: recordOf(z.string().max(64), Requests)
      .optional()
      .describe("Requests a minute, by endpoint name"),
    storageBytes: Bound.describe("Of its documents as JSON text, in all projects together"),
    documents: Bound,
    computeSecondsPerMinute: Bound.describe("Of worker threads"),
    jobsInFlight: Bound.describe("Requests that compute or wait for their turn to, at once"),
    streams: Bound.describe("Open event streams of one credential"),
  })
  .describe("What is absent comes from the plan");

const Plans = {
  plan: z.string(),
  planName: z.string().describe("What people call the plan"),
  nextPlan: z
    .object({ plan: z.string(), planName: z.string(), at: At })
    .optional()
    .describe("The plan that follows, such as after a trial, and when"),
};

const FollowingPlan = z
  .strictObject({ plan: PlanName, at: Instant })
  .describe("The plan that follows, and when");

const Account = z.object({
  id: z.string(),
  name: z.string(),
  ...Plans,
  limits: Limits.optional(),
  createdAt: At,
  suspendedAt: At.optional().describe("Since when its keys and devices are answered no more"),
  deletedAfter: At.optional().describe("Of an account that an owner closed: until then it can be kept"),
});

const NEXT_PLAN_RULES = [
  "`nextPlan.plan` is one of the catalogue's, and not the account's own.",
  "`nextPlan.at` lies in the future.",
];

named({ Account, Project, AccountLimits: Limits });

export const accountsContract = {
  showAccount: endpoint({
    name: "account.show",
    method: "GET",
    path: "/api/v1/account",
    summary: "Show who this credential belongs to and what it may do",
    scope: "read",
    errors: ["not_found"],
    lane: "control",
    input: z.strictObject({}),
    output: z.object({
      account: z.object({ id: z.string(), name: z.string() }),
      ...Plans,
      user: z.object({ id: z.string(), email: z.string(), role: UserRole }),
      project: Project,
      credential: z.object({
        kind: z.enum(["access_token", "api_key", "owner_key", "session"]),
        id: z.string(),
        scopes: Scopes,
        expiresAt: At.optional(),
        projectId: z.string().optional().describe("The one project that a bound key may name"),
        tools: z.array(z.string()).optional().describe("All that a bound key works for"),
      }),
    }),
  }),

  ...usersContract,

  ...exportContract,

  ...keysContract,
  ...devicesContract,

  ...projectsContract,

  listAccounts: endpoint({
    name: "accounts.list",
    method: "GET",
    path: "/api/v1/accounts",
    summary: "List all accounts of this instance",
    scope: "operator",
    lane: "control",
    input: z.strictObject(pageBehind(/^acc_\w+$/)),
    output: listOf(Account),
  }),
  createAccount: endpoint({
    name: "accounts.create",
    method: "POST",
    path: "/api/v1/accounts",
    summary: "Add an account and invite its first owner",
    scope: "operator",
    errors: ["conflict"],
    lane: "control",
    status: 201,
    example: { name: "Example Ltd", ownerEmail: "ada@example.com", plan: "team" },
    rules: NEXT_PLAN_RULES,
    input: z.strictObject({
      name: ShownName,
      ownerEmail: Email,
      plan: PlanName,
      nextPlan: FollowingPlan.optional(),
    }),
    output: z.object({ account: Account, signInLink: InvitationLink.optional() }),
  }),
  updateAccount: endpoint({
    name: "accounts.update",
    method: "PATCH",
    path: "/api/v1/accounts/{accountId}",
    summary: "Change an account's name, plan or limits, or suspend it",
    description: `To a suspended account everything is \`forbidden\` but the control lane, until it is resumed
(\`"suspended": false\`): errors that programs report, and what its pages of the console ask, too. Its people still open the
console, and invite nobody. \`nextPlan\` is what follows the plan, such as after a trial or at the end of what was paid for:
it begins by itself, within a minute of \`at\`. A \`plan\` without it takes away what was set before, and so does null.
\`limits\` takes the place of all custom limits that were; \`{}\` gives the plan's back.`,
    scope: "operator",
    errors: ["not_found", "conflict"],
    rules: [
      "`limits.burst` is at least `limits.requestsPerMinute`, or the plan's and the next plan's where that is left out.",
      "`limits.endpoints` has the names of endpoints, such as `usage.track`.",
      "`limits.usesPerMonth` has the names of usage types, such as `mcp_calls`.",
      "`plan` is one of the catalogue's.",
      ...NEXT_PLAN_RULES,
    ],
    example: { accountId: "acc_example", limits: { requestsPerMinute: 500, burst: 1000 } },
    lane: "control",
    input: z.strictObject({
      accountId: UserId,
      name: ShownName.optional(),
      plan: PlanName.optional(),
      nextPlan: FollowingPlan.nullable().optional(),
      limits: Limits.optional(),
      suspended: z.boolean().optional(),
    }),
    output: z.object({ account: Account }),
  }),
  createSignInLink: endpoint({
    name: "accounts.signInLink",
    method: "POST",
    path: "/api/v1/accounts/{accountId}/sign-in-link",
    summary: "Make a one-time sign-in link for a user of an account",
    description: "For the account's first owner unless `userId` or `email` names another user.",
    scope: "operator",
    errors: ["not_found"],
    lane: "control",
    status: 201,
    example: { accountId: "acc_example", userId: "usr_example" },
    input: z.strictObject({ accountId: UserId, userId: UserId.optional(), email: Email.optional() }),
    rules: ["`userId` or `email`, not both."],
    output: z.object({ signInLink: SignInLink }),
  }),
};
