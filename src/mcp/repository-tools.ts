import * as z from "zod";
import { inputSchema, outputSchema } from "./json-schema.ts";
import type { Tool } from "./tool.ts";

const Within = z
  .array(z.string().min(1).max(1000))
  .max(100)
  .optional()
  .describe("Files, directories or globs of it; all of it where absent");

const INPUTS = {
  repository_locate: z.strictObject({
    query: z.string().min(1).max(16_000).describe("An issue, an error or a question"),
    in: Within,
    limit: z.int().min(1).max(100).default(10).describe("So many files at most"),
  }),
  repository_context: z.strictObject({
    query: z.string().min(1).max(16_000).describe("What you want to know"),
    maxTokens: z.int().min(100).max(200_000).default(8000),
    in: Within,
  }),
  repository_impact: z.strictObject({
    file: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .describe("Its path, or the end of it; absent: what git says was changed"),
    limit: z.int().min(1).max(1000).default(50).describe("So many files at most, nearest first"),
  }),
};

const Count = z.int().nonnegative();

const OUTPUTS: Record<keyof typeof INPUTS, z.ZodType> = {
  repository_locate: z.object({
    files: z.array(
      z.object({
        path: z.string(),
        score: z.number().describe("1 for the best"),
        reasons: z.array(z.string()),
        symbols: z.array(
          z.object({ name: z.string().optional(), from: Count, to: Count, score: z.number() }),
        ),
      }),
    ),
    searched: z.object({ files: Count, pieces: Count }),
  }),
  repository_context: z.object({ text: z.string(), tokens: Count }),
  repository_impact: z.object({
    changed: z.array(z.string()).optional(),
    files: z.array(z.object({ file: z.string(), test: z.boolean(), distance: Count })),
    left: Count.describe("So many more than `limit`"),
    byDistance: z.record(z.string(), Count),
    leftOut: z.object({
      absent: Count.describe(
        "Files that a sparse checkout leaves out: whether they depend on it is not known",
      ),
    }),
    notFollowed: z
      .array(z.object({ language: z.string(), files: Count }))
      .describe("Whose imports are not read: which of these files depend on it is not known"),
    testCommands: z.array(z.object({ directory: z.string(), command: z.string() })),
  }),
};

export type RepositoryTool = keyof typeof INPUTS;

const TITLES: Record<RepositoryTool, string> = {
  repository_locate: "Find where in the repository here something is",
  repository_context: "Read what answers a question about the repository here",
  repository_impact: "See what breaks in the repository here if a file changes",
};

const DESCRIPTIONS: Record<RepositoryTool, string> = {
  repository_locate:
    "Find the files and functions of the repository here that an issue, an error or a question is about. Says which lines and why. Nothing leaves the machine.",
  repository_context:
    "Read what answers a question in the repository here: its best functions and sections, each with its path and lines, within a budget of tokens. Nothing leaves the machine.",
  repository_impact:
    "What breaks in the repository here if a file changes, or what was changed since the last commit: all files that need it, and the commands of the tests to run. Says in which languages that is not known.",
};

/** The tools that `tool mcp` offers for the repository it was started in. They need no server and no credential. */
export const repositoryTools: readonly Tool[] = Object.entries(INPUTS).map(([name, input]) => ({
  name,
  area: "repository",
  input,
  definition: {
    name,
    title: TITLES[name as RepositoryTool],
    description: DESCRIPTIONS[name as RepositoryTool],
    inputSchema: inputSchema(input),
    outputSchema: outputSchema(OUTPUTS[name as RepositoryTool]),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
}));
