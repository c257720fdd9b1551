import * as z from "zod";
import { SCOPES } from "../../contract/caller.ts";
import { named } from "../../contract/components.ts";
import { PROBLEMS, type ProblemCode } from "../../contract/problem.ts";
import { Edit } from "../../tools/pair/session-contract.ts";

const codes = Object.keys(PROBLEMS) as ProblemCode[];

const Fault = z.object({
  path: z.string().describe("In dots and indexes (`events.3.count`); empty for the whole"),
  message: z.string(),
});

const MEMBERS = {
  type: z.string().meta({ format: "uri" }).describe("Leads to what this `error` means"),
  title: z.string(),
  status: z.int(),
  detail: z.string().describe("What is wrong here, and how to fix it"),
  instance: z.string().describe("The request's id, as in X-Request-Id"),
};

/** Any problem (RFC 9457). */
const Problem = z
  .looseObject({
    ...MEMBERS,
    error: z.enum(codes).describe("Branch on this"),
    errors: z.array(Fault).optional(),
  })
  .describe("What went wrong (RFC 9457)");

const Count = z.int().nonnegative();
const Side = z.object({
  sequence: Count.optional().describe("Of the change that was there first"),
  author: z.string(),
  edits: z.array(Edit),
  touched: Count.describe("The index of the edit that collides"),
});

const UpgradeUrl = z.url().optional().describe("Where to get a larger plan, if the plans file says so");

/** The members of problems besides those of RFC 9457 and `errors`. */
const EXTRAS: { readonly [Code in ProblemCode]?: z.ZodRawShape } = {
  insufficient_scope: { scope: z.enum(SCOPES).describe("The one that is missing") },
  rate_limited: {
    window: z.string().describe("What is used up"),
    retryAfterSeconds: z.number().optional(),
    upgradeUrl: UpgradeUrl,
  },
  conflict: {
    path: z.string().optional().describe("Of two changes: the file of both"),
    baseRevision: Count.optional(),
    theirs: Side.optional(),
    yours: Side.optional(),
  },
  invalid_state: {
    state: z.string().optional().describe("The state that it is in"),
    oldestRevision: Count.optional().describe("The oldest that can be gone on from"),
  },
  dependency_cycle: { cycle: z.array(z.string()).describe("Ids, each of which depends on the next") },
  unknown_dependency: { task: z.string(), dependency: z.string() },
  unprocessable: {
    line: z.int().optional().describe("Of the diff, from 1"),
    task: z.string().optional(),
    resource: z.string().optional(),
    units: Count.optional(),
    capacity: Count.optional(),
    pinnedTokens: Count.optional(),
    budgetTokens: Count.optional(),
  },
  quota_exceeded: {
    bound: z.string().describe("The bound that is reached"),
    limit: z.number().optional().describe("What it is"),
    used: z.number().optional().describe("What of it is used"),
    upgradeUrl: UpgradeUrl,
  },
};

const schemas = new Map(
  codes.map((code) => {
    const { status, title } = PROBLEMS[code];
    const extras = { ...EXTRAS[code], errors: z.array(Fault).optional() };
    const members = { ...MEMBERS, status: z.literal(status), error: z.literal(code), ...extras };
    return [code, z.object(members).describe(title)] as const;
  }),
);

named({
  Problem,
  Fault,
  ...Object.fromEntries([...schemas].map(([code, schema]) => [`${pascal(code)}Problem`, schema])),
});

/** Converts a name to Pascal case: `not_found`, `knowledge-graph.addEntity` → `NotFound`, `KnowledgeGraphAddEntity`. */
export function pascal(name: string): string {
  return name
    .split(/[._-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

/** The schema of any problem, then one for each `error`. */
export const PROBLEM_SCHEMAS: readonly z.ZodType[] = [Problem, ...schemas.values()];
