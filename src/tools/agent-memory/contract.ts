import * as z from "zod";
import { named, refinementRules } from "../../contract/components.ts";
import { At, computedEndpoint, endpoint, Page, UserId } from "../../contract/endpoint.ts";
import {
  Content,
  Count,
  Earlier,
  filters,
  KINDS,
  Masked,
  Memory,
  NewMemory,
  Partial,
  Share,
  Succession,
  Tags,
} from "./memory.ts";

const MAX_STORED = 1000;

/** Sort orders; a leading minus means descending. */
const ORDERS = [
  "createdAt",
  "-createdAt",
  "at",
  "-at",
  "importance",
  "-importance",
  "uses",
  "-uses",
] as const;

named({ Memory, NewMemory, EarlierMemory: Earlier });

const ROOT = "/api/v1/tools/agent-memory";

export const agentMemoryContract = {
  store: endpoint({
    name: "agent-memory.store",
    method: "POST",
    path: `${ROOT}/store`,
    summary: "Store a memory",
    description: `201 where it is new. What says the same as a memory of the same agent and thread, or all of it and
a little more, merges into it: 200, and \`merged\` is that memory's id. Text that repeats what was recalled within
the last 15 minutes, and adds no word to it, is an \`echo\`: 200, and nothing changes. A text of up to 48 words that
says something else of the same matter is kept and \`supersedes\` the earlier one, which stays. Memories with the same
\`thread\` lend each other context in the order they were stored. Secrets are masked first.`,
    scope: "write",
    errors: ["conflict"],
    otherwise: { 200: "It went into another memory, or was an echo." },
    idempotent: true,
    status: 201,
    maxBodyBytes: 512 << 10,
    example: { content: "We deploy on Tuesdays.", kind: "fact", tags: ["deployment"] },
    input: NewMemory,
    output: z.object({
      memory: Memory,
      merged: z.string().optional(),
      echo: z.literal(true).optional(),
      masked: Masked,
    }),
  }),

  storeMany: computedEndpoint({
    name: "agent-memory.storeMany",
    method: "POST",
    path: `${ROOT}/store-many`,
    summary: "Store many memories",
    description: `At most 1,000 in their order; each as \`store\` does it. All are checked before any is stored. They are stored a
hundred at a time: a call that a crash interrupts may be repeated, and what it stored merges if nothing
contradicted it since.`,
    scope: "write",
    errors: ["conflict"],
    idempotent: true,
    compute: "short",
    maxBodyBytes: 16 << 20,
    example: { memories: [{ content: "We deploy on Tuesdays." }, { content: "Ada reviews migrations." }] },
    input: z.strictObject({
      memories: z
        .array(NewMemory)
        .min(1, "must hold a memory")
        .max(MAX_STORED, `must hold at most ${MAX_STORED} memories`),
    }),
    output: z.object({
      items: z.array(
        z.object({
          id: z.string(),
          merged: z.literal(true).optional(),
          echo: z.literal(true).optional(),
          masked: Masked,
        }),
      ),
      stored: Count,
      merged: Count,
      echoes: Count,
    }),
  }),

  recall: endpoint({
    name: "agent-memory.recall",
    method: "GET",
    path: `${ROOT}/recall`,
    summary: "Recall the memories that a text is about",
    description: `Ranked by relevance (BM25 with the context of the thread), weighed by importance, age and use:
\`order=relevance\` leaves the weights out. A memory that was contradicted since comes after the one that
superseded it, with \`supersededBy\`; that one shows what it \`replaced\`. If \`q\` asks for what holds \`now\`,
\`currently\`, \`today\` or for the \`latest\`, only what is in force is recalled. Naming an agent in \`q\`
prefers what it said. \`matched\` lists the words of \`q\` that the memory or its neighbours hold, or hold another word for;
\`why\` says which of them the memory has itself, in other words or in its thread. An empty \`q\` lists by
importance. Recalling changes only use counts, and nothing where nothing is found. A memory is found by the first
2,000 of its terms; of \`q\`, the first 256 are looked for.`,
    scope: "read",
    errors: ["quota_exceeded"],
    input: z.strictObject({
      q: z
        .string()
        .refine((text) => Buffer.byteLength(text) <= 16 * 1024, "must have at most 16384 bytes")
        .register(refinementRules, { rule: "At most 16384 bytes in UTF-8." })
        .default(""),
      limit: z.coerce.number<number>().int().min(1).max(200).default(10),
      ...filters,
      minImportance: z.coerce.number<number>().min(0).max(1).optional(),
      order: z.enum(["weighed", "relevance"]).default("weighed"),
      uses: z.enum(["count", "keep"]).default("count").describe("`keep` leaves use counts as they are"),
    }),
    output: z.object({
      items: z.array(
        z.object({
          memory: Memory,
          score: z.number(),
          relevance: z.number(),
          matched: z.array(z.string()),
          why: z.array(z.string()).describe("What speaks for it, in words"),
          ...Succession,
        }),
      ),
      partial: Partial,
    }),
  }),

  stats: endpoint({
    name: "agent-memory.stats",
    method: "GET",
    path: `${ROOT}/stats`,
    summary: "Say what is remembered",
    description: "`byTag`, `byAgent`, `byThread` and `topKeywords` hold the 20 most frequent.",
    scope: "read",
    errors: ["quota_exceeded"],
    input: z.strictObject({}),
    output: z.object({
      memories: Count,
      byKind: z.record(z.enum(KINDS), Count),
      byTag: z.array(z.object({ tag: z.string(), count: Count })),
      byAgent: z.array(z.object({ agent: z.string(), count: Count })),
      byThread: z.array(z.object({ thread: z.string(), count: Count })),
      topKeywords: z.array(z.object({ keyword: z.string(), count: Count })),
      averageImportance: z.number().nullable(),
      contentBytes: Count,
      oldestAt: At.nullable(),
      newestAt: At.nullable(),
      recalls: Count,
      duplicatesMerged: Count,
      echoes: Count,
      partial: Partial,
    }),
  }),

  list: endpoint({
    name: "agent-memory.list",
    method: "GET",
    path: ROOT,
    summary: "List memories",
    description: "Newest first unless `sort` says otherwise. What expired is not listed.",
    scope: "read",
    errors: ["quota_exceeded"],
    input: z.strictObject({
      ...filters,
      sort: z.enum(ORDERS).default("-createdAt"),
      ...Page,
    }),
    output: z.object({
      items: z.array(z.object({ memory: Memory, ...Succession })),
      nextCursor: z.string().optional(),
      partial: Partial,
    }),
  }),

  show: endpoint({
    name: "agent-memory.show",
    method: "GET",
    path: `${ROOT}/{memoryId}`,
    summary: "Show a memory, what superseded it and what it superseded",
    scope: "read",
    errors: ["not_found", "quota_exceeded"],
    input: z.strictObject({ memoryId: UserId }),
    output: z.object({ memory: Memory, ...Succession }),
  }),

  correct: endpoint({
    name: "agent-memory.correct",
    method: "PATCH",
    path: `${ROOT}/{memoryId}`,
    summary: "Correct a memory in place",
    description: `What is left out stays. Importance that was scored is scored anew with the text. If a fact has changed, store it
instead: it supersedes the earlier memory.`,
    scope: "write",
    errors: ["conflict", "not_found"],
    idempotent: true,
    destructive: true,
    maxBodyBytes: 512 << 10,
    example: { memoryId: "mem_example", content: "We deploy on Wednesdays." },
    input: z.strictObject({
      memoryId: UserId,
      content: Content.optional(),
      kind: z.enum(KINDS).optional(),
      tags: Tags.optional(),
      importance: Share.optional(),
    }),
    output: z.object({ memory: Memory, masked: Masked }),
  }),

  forget: endpoint({
    name: "agent-memory.forget",
    method: "DELETE",
    path: `${ROOT}/{memoryId}`,
    summary: "Forget a memory",
    scope: "write",
    errors: ["not_found"],
    input: z.strictObject({ memoryId: UserId }),
    output: z.object({ forgotten: z.string() }),
  }),
};
