import * as z from "zod";
import { named, refinementRules } from "../../contract/components.ts";
import { At, computedEndpoint, endpoint, listOf, Name, pageBehind, UserId } from "../../contract/endpoint.ts";
import { CATEGORIES, ECOSYSTEMS } from "./categories.ts";
import { KINDS } from "./suggestions/suggestion.ts";

const LineNumber = z.int().positive();
const Share = z.number().min(0).max(1);
const Count = z.int().nonnegative();
const Category = z.enum(CATEGORIES);
const Ecosystem = z.enum(ECOSYSTEMS);
const OUTCOMES = ["success", "failure"] as const;

/** Longest log that fits one request body when escaped. */
const MAX_LOG_LENGTH = 64 << 20;
const MAX_TEXT_LENGTH = 4000;
const Text = z.string().trim().min(1, "must not be empty").max(MAX_TEXT_LENGTH);
const Fingerprint = z.string().regex(/^fp_[0-9a-f]{24}$/, "is no fingerprint of a diagnosis");

const Finding = z.object({
  category: Category,
  rule: z.string().describe("The signature that recognised the line"),
  message: z.string(),
  logLine: LineNumber.describe("The line of the posted log that `message` comes from"),
  file: z.string().optional().describe("The source that the log names"),
  line: LineNumber.optional(),
  column: LineNumber.optional(),
  severity: z.enum(["error", "warning", "info"]).optional(),
  code: z.string().optional().describe("As the tool names it: TS2322, no-unused-vars"),
});

const Cause = Finding.extend({
  excerpt: z
    .array(z.object({ number: LineNumber, text: z.string() }))
    .describe("The lines that explain the failure, in order, with gaps"),
});

export const Suggestion = z.object({
  id: z.string(),
  title: z.string(),
  kind: z.enum(KINDS),
  command: z.string().optional(),
  rationale: z.string(),
  successRate: z
    .object({ low: Share, mid: Share, high: Share })
    .nullable()
    .describe("The middle 90 % of the chance that it works, from what was recorded; null before that"),
  attempts: Count.describe("For this failure or, before it was tried on it, for its category"),
});
export type Suggestion = z.infer<typeof Suggestion>;

const Outcome = z.object({
  outcome: z.enum(OUTCOMES),
  suggestionId: z.string().optional(),
  fix: z.string().optional(),
  note: z.string().optional(),
  at: At,
});

const LastFix = z.object({ title: z.string(), suggestionId: z.string().optional(), at: At });

/** The parts of a diagnosis that are kept. */
const Kept = z.object({
  diagnosisId: z.string(),
  at: At,
  fingerprint: z.string(),
  category: Category,
  ecosystem: Ecosystem,
  confidence: Share,
  cause: Finding.nullable(),
  command: z.string().optional(),
  exitCode: z.int().optional(),
  outcomes: z.array(Outcome).describe("Recorded for this diagnosis, oldest first, at most 20"),
});

const Seen = z.object({ count: Count, lastAt: At, lastFix: LastFix.optional() }).nullable();

named({
  BuildCategory: Category,
  Ecosystem,
  BuildFinding: Finding,
  BuildCause: Cause,
  FixSuggestion: Suggestion,
  FixOutcome: Outcome,
  KeptDiagnosis: Kept,
});

const ROOT = "/api/v1/tools/self-healing";

export const selfHealingContract = {
  diagnose: computedEndpoint({
    name: "self-healing.diagnose",
    method: "POST",
    path: `${ROOT}/diagnose`,
    summary: "Say why a build failed, and what may fix it",
    description: `Reads the log of any build tool or build service as it is: with colours, time stamps and progress bars; CR, LF
and CRLF each end a line. Without an \`exitCode\` the log has to show that the build failed. A log without a
failure has the category \`unknown\`, no \`cause\` and no \`suggestions\`; an empty log of a build that failed
has no \`cause\` either, but says what its \`exitCode\` means, with \`suggestions\`. Only the cause is kept,
with secrets masked; the log is not.`,
    scope: "write",
    errors: ["conflict"],
    idempotent: true,
    example: {
      log: "npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree\n",
      exitCode: 1,
    },
    compute: "short",
    input: z.strictObject({
      log: z.string().max(MAX_LOG_LENGTH),
      command: z.string().max(MAX_TEXT_LENGTH).optional().describe("What was run"),
      exitCode: z
        .int()
        .min(-(2 ** 31))
        .max(2 ** 32 - 1)
        .optional()
        .describe("0: it went well"),
      directory: z
        .string()
        .max(MAX_TEXT_LENGTH)
        .optional()
        .describe("Where it ran: files under it are the project's own, even in a temporary folder"),
      ecosystem: Name.optional().describe("A hint such as npm or maven, where it is known"),
    }),
    output: z.object({
      diagnosisId: z.string(),
      fingerprint: z.string().describe("The same for the same failure on any machine"),
      category: Category,
      ecosystem: Ecosystem,
      confidence: Share,
      cause: Cause.nullable(),
      alsoSeen: z.array(Finding).describe("Other failures and findings of the log, at most 500"),
      suggestions: z.array(Suggestion).describe("What most likely works first"),
      seenBefore: Seen,
    }),
  }),

  record: endpoint({
    name: "self-healing.record",
    method: "POST",
    path: `${ROOT}/record`,
    summary: "Record whether a fix worked",
    description: `Names the failure by \`diagnosisId\` or \`fingerprint\`. What works is suggested first from then on, for
this failure and less strongly for its category; a \`fix\` in words of one's own becomes a suggestion for this failure.`,
    scope: "write",
    errors: ["conflict", "not_found", "unprocessable"],
    idempotent: true,
    status: 201,
    example: { diagnosisId: "dia_example", outcome: "success", fix: "Removed the lock file" },
    input: z
      .strictObject({
        diagnosisId: UserId.optional(),
        fingerprint: Fingerprint.optional(),
        suggestionId: UserId.optional().describe("What was tried, where it was suggested"),
        fix: Text.optional().describe("What was done, in words of one's own"),
        outcome: z.enum(OUTCOMES),
        note: Text.optional(),
      })
      .refine(
        ({ diagnosisId, fingerprint }) => (diagnosisId === undefined) !== (fingerprint === undefined),
        "must name the failure by either diagnosisId or fingerprint",
      )
      .register(refinementRules, { rule: "Either `diagnosisId` or `fingerprint`, never both." }),
    output: z.object({
      fingerprint: z.string(),
      category: Category,
      outcome: z.enum(OUTCOMES),
      suggestion: Suggestion.nullable().describe("What was tried, as it is ranked now"),
      recordedAt: At,
    }),
  }),

  show: endpoint({
    name: "self-healing.show",
    method: "GET",
    path: `${ROOT}/{diagnosisId}`,
    summary: "Show a diagnosis with its suggestions",
    description: "`suggestions` are ranked by what was recorded since, `seen` is how often the failure came.",
    scope: "read",
    errors: ["not_found"],
    input: z.strictObject({ diagnosisId: UserId }),
    output: z.object({ diagnosis: Kept, suggestions: z.array(Suggestion), seen: Seen }),
  }),

  delete: endpoint({
    name: "self-healing.delete",
    method: "DELETE",
    path: `${ROOT}/{diagnosisId}`,
    summary: "Delete a diagnosis",
    description: "With the last diagnosis of a failure, what was recorded for that failure is deleted, too.",
    scope: "write",
    // Where it is one of several of a failure, that failure is written anew.
    errors: ["not_found", "project_archived"],
    input: z.strictObject({ diagnosisId: UserId }),
    output: z.object({ deleted: z.string() }),
  }),

  history: endpoint({
    name: "self-healing.history",
    method: "GET",
    path: `${ROOT}/history`,
    summary: "List diagnoses with what was recorded about them",
    scope: "read",
    input: z.strictObject({ category: Category.optional(), ...pageBehind(/^dia_\w+$/) }),
    output: listOf(Kept),
  }),
};
