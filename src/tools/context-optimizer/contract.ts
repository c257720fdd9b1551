import * as z from "zod";
import { named, refinementRules } from "../../contract/components.ts";
import { computedEndpoint, UserId } from "../../contract/endpoint.ts";
import { TOKENIZERS } from "../../text/tokens/tokenizer.ts";

export const KINDS = ["code", "prose", "dialogue", "log", "diff", "json"] as const;
export type Kind = (typeof KINDS)[number];

const Count = z.int().nonnegative();
const MAX_BODY_BYTES = 16 << 20;
const MAX_SEGMENTS = 20_000;
const MAX_PRIORITY = 1000;

const Segment = z.strictObject({
  id: UserId,
  content: z.string(),
  kind: z.enum(KINDS).optional().describe("Recognised where it is absent"),
  priority: z
    .number()
    .min(-MAX_PRIORITY)
    .max(MAX_PRIORITY)
    .default(0)
    .describe("What has a higher one is kept first, whatever else speaks for the others"),
  pinned: z.boolean().default(false).describe("Is kept whole"),
});
export type Segment = z.output<typeof Segment>;

const Budget = z.union(
  [
    z.strictObject({ maxTokens: z.int().min(1) }),
    z.strictObject({ ratio: z.number().gt(0).max(1).describe("Of the tokens there are, rounded down") }),
  ],
  'must be {"maxTokens": 4000}, a number of tokens, or {"ratio": 0.1}, a share of what there is',
);

const Query = z
  .string()
  .refine((text) => Buffer.byteLength(text) <= 16 * 1024, "must have at most 16384 bytes")
  .register(refinementRules, { rule: "At most 16384 bytes in UTF-8." });

const Segments = z.array(Segment).max(MAX_SEGMENTS, `must hold at most ${MAX_SEGMENTS} segments`);

/** Line numbers start at 1, as in editors. */
const LocatedSymbol = z.object({
  name: z.string().optional().describe("What it declares, with what that stands in: `Parser.parse`"),
  from: Count.describe("Its first line, counted from 1"),
  to: Count.describe("Its last line"),
  score: z.number(),
});

const LocatedFile = z.object({
  path: z.string(),
  score: z.number().describe("1 for the best, the others beside it"),
  reasons: z.array(z.string()),
  symbols: z.array(LocatedSymbol).describe("Its best pieces, best first"),
});

named({ ContextSegment: Segment, TokenBudget: Budget, LocatedFile, LocatedSymbol });

export const contextOptimizerContract = {
  optimize: computedEndpoint({
    name: "context.optimize",
    method: "POST",
    path: "/api/v1/tools/context/optimize",
    summary: "Fit a context into a budget of tokens",
    description: `Keeps what answers \`query\`, or without one what is most central, and says what it dropped. The result never
has more tokens than the budget. What is kept is byte-identical, in its order, joined without marks; \`before\`
and \`after\` count the text as joined, with its headings if they are asked for. Redundancy goes first; of code,
signatures are kept before bodies. If pinned text alone has more tokens than the budget: 422. \`dropped\` holds
the 500 longest gaps.`,
    scope: "write",
    errors: ["unprocessable"],
    safe: true,
    compute: "short",
    // Takes about a second for each megabyte, and the deadline of a job is thirty.
    maxBodyBytes: MAX_BODY_BYTES,
    example: { content: "A long text …", query: "When do we deploy?", budget: { maxTokens: 1000 } },
    input: z
      .strictObject({
        content: z.string().optional(),
        segments: Segments.optional(),
        query: Query.optional(),
        budget: Budget,
        tokenizer: z.enum(TOKENIZERS).default("o200k_base"),
        headings: z
          .boolean()
          .optional()
          .describe(
            "`text` is what is left with a line above each piece that says where it stands; they count",
          ),
      })
      .refine(
        ({ content, segments }) => (content === undefined) !== (segments === undefined),
        "must hold either content or segments",
      )
      .refine(({ segments = [] }) => new Set(segments.map(({ id }) => id)).size === segments.length, {
        message: "must not hold an id twice",
        path: ["segments"],
      })
      .register(refinementRules, {
        rule: "Either `content` or `segments`, never both; no two segments have the same `id`.",
      }),
    output: z.object({
      content: z.string().optional().describe("Where `content` came in"),
      segments: z
        .array(z.object({ id: z.string(), content: z.string(), whole: z.boolean() }))
        .optional()
        .describe("Where `segments` came in: those of which something is left"),
      text: z.string().optional().describe("Where `headings` were asked for"),
      tokens: z.object({
        before: Count,
        after: Count,
        saved: Count,
        ratio: z.number().describe("after / before"),
      }),
      dropped: z.array(
        z.object({
          id: z.string().optional(),
          tokens: Count,
          reason: z.enum(["redundant", "boilerplate", "less_relevant"]),
          preview: z.string(),
        }),
      ),
      method: z.string(),
    }),
  }),

  locate: computedEndpoint({
    name: "context.locate",
    method: "POST",
    path: "/api/v1/tools/context/locate",
    summary: "Find the files and functions that an issue, an error or a question is about",
    description: `Ranks \`segments\`, whose ids are paths, and what they declare: by words and names, whole and in
parts, by paths, and by the places that the text names, such as those of a stack trace. Each comes with its reasons.`,
    scope: "write",
    safe: true,
    compute: "short",
    maxBodyBytes: MAX_BODY_BYTES,
    example: {
      query: "TypeError in parseHeader when a header is empty",
      segments: [
        { id: "src/headers.ts", content: "export function parseHeader(text: string) {\n  return text;\n}\n" },
      ],
    },
    input: z.strictObject({
      query: Query.refine((text) => text.trim() !== "", "must not be empty"),
      segments: Segments.min(1, "must hold a segment")
        .refine(
          (segments) => new Set(segments.map(({ id }) => id)).size === segments.length,
          "must not hold an id twice",
        )
        .register(refinementRules, { rule: "No two have the same `id`, which is a path." }),
      limit: z.int().min(1).max(100).default(10).describe("So many files at most"),
    }),
    output: z.object({
      files: z.array(LocatedFile).describe("Best first; none that has nothing of the query"),
      searched: z.object({ files: Count, pieces: Count }),
    }),
  }),
};
