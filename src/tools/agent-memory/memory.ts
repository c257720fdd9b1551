import * as z from "zod";
import { refinementRules } from "../../contract/components.ts";
import { At, Instant, Name, UserId } from "../../contract/endpoint.ts";
import { FreeForm } from "../../contract/free-form.ts";

export const KINDS = ["fact", "decision", "preference", "procedure", "event"] as const;
export type Kind = (typeof KINDS)[number];

const MAX_BYTES = 64 * 1024;
const MAX_TAGS = 32;
export const Count = z.int().nonnegative();
export const Share = z.number().min(0).max(1);

export const Memory = z.object({
  id: z.string(),
  content: z.string(),
  kind: z.enum(KINDS),
  tags: z.array(z.string()),
  keywords: z.array(z.string()),
  importance: Share,
  importanceReasons: z.array(z.string()).describe("What it was scored by; empty where it was given"),
  agent: z.string().optional(),
  thread: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  at: At.describe("When it happened"),
  expiresAt: At.optional(),
  createdAt: At,
  updatedAt: At,
  uses: Count.describe("Times that it was recalled"),
  lastUsedAt: At.optional(),
  merges: Count.describe("Near-duplicates that went into it"),
  supersedes: z
    .array(z.string())
    .optional()
    .describe("Ids of the memories that it contradicts and took the place of"),
});
export type Memory = z.infer<typeof Memory>;

const Moment = Instant.transform((text) => Date.parse(text));

export const Content = z
  .string()
  .refine((text) => text.trim() !== "", "must not be empty")
  .refine((text) => Buffer.byteLength(text) <= MAX_BYTES, `must have at most ${MAX_BYTES} bytes`)
  .register(refinementRules, { rule: "Up to 64 KiB in UTF-8, and not of white space alone." });
export const Tags = z.array(Name).max(MAX_TAGS, `must hold at most ${MAX_TAGS} tags`);

export const NewMemory = z.strictObject({
  content: Content,
  kind: z.enum(KINDS).default("fact"),
  tags: Tags.default([]),
  importance: Share.optional().describe("Scored from the text where it is absent"),
  agent: Name.optional().describe("Whose memory it is, or who said it"),
  thread: UserId.optional().describe("The conversation that it belongs to"),
  at: Moment.optional().describe("When it happened; now where it is absent"),
  expiresAt: Moment.optional(),
  metadata: FreeForm.optional().describe("Its strings are searched too"),
});
export type NewMemory = z.output<typeof NewMemory>;

export const Partial = z
  .literal(true)
  .optional()
  .describe("The project holds more than fits into the index: its oldest memories are left out");

export const Masked = z
  .array(z.string())
  .optional()
  .describe("Kinds of the secrets that were masked before anything was kept");

export const Earlier = z.object({ id: z.string(), content: z.string(), at: At });

/** Fields of a memory's answer that say what superseded it and what it superseded. */
export const Succession = {
  supersededBy: z.string().optional().describe("Id of the memory that took its place"),
  replaced: z
    .array(Earlier)
    .optional()
    .describe("What it took the place of, at most 5, each at most 400 characters of it"),
};

/** What memories are looked at: those that are as each filter says. */
export const filters = {
  agent: Name.optional().describe("Only whose memory it is, or who said it"),
  thread: UserId.optional().describe("Only of this conversation"),
  tag: Name.optional(),
  kind: z.enum(KINDS).optional(),
};
export type Filters = z.output<z.ZodObject<typeof filters>>;
