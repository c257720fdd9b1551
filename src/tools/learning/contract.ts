import * as z from "zod";
import { named, refinementRules } from "../../contract/components.ts";
import { At, endpoint, isPrintable } from "../../contract/endpoint.ts";
import { mostOf } from "./cell.ts";
import { TYPES } from "./types.ts";

const Count = z.int().nonnegative();
const Percent = z.int().min(0).max(100);
const Type = z.enum(TYPES);
const DIRECTIONS = ["improving", "worsening", "steady", "insufficient_data"] as const;

const MAX_VALUE = 1e15;
const Label = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(32, "must have at most 32 characters")
  .regex(/^[\p{L}\p{N}+#.%/ _-]+$/u, "may hold letters, digits, spaces and + # . % / _ - only")
  .register(refinementRules, { rule: "Letters, digits, spaces and + # . % / _ - only." })
  .transform((label) => label.toLowerCase());

function text(longest: number) {
  return z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(longest, `must have at most ${longest} characters`)
    .refine((value) => isPrintable(value.replace(/[\n\r\t]/g, " ")), "must not hold control characters")
    .register(refinementRules, {
      rule: "Trimmed; without control characters other than tabs and line ends.",
    });
}

const Context = z.strictObject({
  language: Label.optional().describe("The main programming language"),
  size: Label.or(z.number().nonnegative().max(MAX_VALUE))
    .optional()
    .describe("A word of your own, or lines of code: those are counted in powers of ten"),
});

const Cohort = z.object({
  status: z.enum(["ok", "insufficient_data"]),
  language: z.string().optional().describe("Only where the cohort is one of this language"),
  size: z.string().optional().describe("Only where the cohort is one of this size"),
  projects: Count.optional(),
  p50: z.number().optional(),
  p90: z.number().optional(),
});
export type CohortAnswer = z.infer<typeof Cohort>;

const Standing = {
  percentile: Percent.nullable().describe(
    "Share of the others in the cohort with a lower value; null without a cohort",
  ),
  betterThan: Percent.nullable().describe("Share of the others that does worse"),
  sameAs: Percent.nullable().describe("Share of the others whose value is told as the same"),
  cohort: Cohort,
};

const Pattern = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  category: z.string(),
  context: z.object({ language: z.string().optional(), size: z.string().optional() }),
  outcome: z.string().optional(),
  sharedAt: At,
});
export type Pattern = z.infer<typeof Pattern>;

named({ InsightType: Type, LearningContext: Context, Cohort, Pattern });

const ROOT = "/api/v1/tools/learning";
const OPT_IN =
  "Needs `learningOptIn` of the project (`PUT /api/v1/projects/{projectId}`): else 403 `opt_in_required`.";

export const learningContract = {
  benchmark: endpoint({
    name: "learning.benchmark",
    method: "POST",
    path: `${ROOT}/benchmark`,
    summary: "Record a measurement and see where the project stands",
    description: `${OPT_IN} The cohort is the projects with the same type and unit, and the same language and size if enough of
them measure; a project counts with its newest value. Fewer than five projects are told nothing, and nothing
changes until at least five have measured anew.`,
    scope: "write",
    errors: ["opt_in_required"],
    idempotent: true,
    status: 201,
    example: { type: "build_duration", value: 93, unit: "s", context: { language: "TypeScript" } },
    input: z
      .strictObject({
        type: Type,
        value: z.number().nonnegative("must not be negative").max(MAX_VALUE),
        unit: Label.optional().describe(
          "ms, s, min and h (or seconds, minutes, …) are converted into each other, % and share too",
        ),
        context: Context.default({}),
      })
      .superRefine(({ type, value, unit }, context) => {
        const most = mostOf(type, unit);
        if (most === undefined || value <= most) return;
        const message = `must be at most ${most}${unit ? ` ${unit}` : ""}: a ${type} is a share of a whole`;
        context.addIssue({ code: "custom", path: ["value"], message });
      })
      .register(refinementRules, {
        rule: "A `test_pass_rate`, `deployment_success` or `quality_score` is at most 100 in `%`, and 1 as a `share`.",
      }),
    output: z.object({
      type: Type,
      value: z.number(),
      unit: z.string().nullable(),
      recordedAt: At,
      ...Standing,
    }),
  }),

  pattern: endpoint({
    name: "learning.pattern",
    method: "POST",
    path: `${ROOT}/pattern`,
    summary: "Share what worked, anonymously",
    description: `${OPT_IN} Before anything is kept, whatever would reveal its origin is masked: names of the account, its users
and projects, e-mail and network addresses, hosts, URLs, paths, ids, numbers of payment cards, bank accounts
(IBAN) and telephones, and secrets. \`masked\` lists the kinds that were found.`,
    scope: "write",
    errors: ["opt_in_required", "conflict"],
    idempotent: true,
    status: 201,
    example: { title: "Cache the compiler", description: "Keep its output.", category: "build" },
    input: z.strictObject({
      title: text(200),
      description: text(4000),
      category: text(64),
      context: Context.default({}),
      outcome: text(1000).optional().describe("What it brought"),
    }),
    output: z.object({ pattern: Pattern, masked: z.array(z.string()) }),
  }),

  insights: endpoint({
    name: "learning.insights",
    method: "GET",
    path: `${ROOT}/insights`,
    summary: "Compare the project with its cohort, and see what better ones do",
    description: `${OPT_IN} One item a type. The trend is the Theil–Sen slope of the project's own last 100 measurements,
\`steady\` unless a Mann–Kendall test finds it at 5 %; it takes five. The more projects a cohort has, the finer
its figures, from 58 % steps at five to 1 % at a hundred.`,
    scope: "read",
    errors: ["opt_in_required"],
    input: z.strictObject({ type: Type.optional() }),
    output: z.object({
      items: z.array(
        z.object({
          type: Type,
          better: z.enum(["lower", "higher"]).describe("Which values of this type are better"),
          status: z.enum(["ok", "insufficient_data", "no_measurements"]),
          unit: z.string().nullable(),
          latest: z.object({ value: z.number(), at: At }).nullable(),
          trend: z.object({
            direction: z.enum(DIRECTIONS),
            slope: z.number().nullable().describe("Change from one measurement to the next"),
            measurements: Count,
            values: z.array(z.number()).describe("Oldest first"),
          }),
          ...Standing,
          patterns: z.array(Pattern).describe("Of projects in a better quarter of the cohort, newest first"),
        }),
      ),
    }),
  }),
};
