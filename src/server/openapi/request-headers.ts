import type { Json } from "./schemas.ts";

const TEXT = { type: "string" };

/** Request headers that operations share. */
export const PARAMETERS = {
  projectId: {
    in: "header",
    name: "X-Project-Id",
    required: false,
    description:
      "The project this request belongs to; `default` without it. What is counted and kept is kept by project; the first write to one makes it.",
    schema: { ...TEXT, minLength: 1, maxLength: 256 },
  },
  idempotencyKey: {
    in: "header",
    name: "Idempotency-Key",
    required: false,
    description:
      "The same key and body within 24 hours give the first answer, with `Idempotent-Replayed: true`.",
    schema: { ...TEXT, minLength: 1, maxLength: 255, pattern: "^[ -~]+$" },
  },
  ifNoneMatch: {
    in: "header",
    name: "If-None-Match",
    required: false,
    description: "`ETag`s of answers that the client holds: 304 where one of them would come again.",
    schema: TEXT,
  },
  lastEventId: {
    in: "header",
    name: "Last-Event-ID",
    required: false,
    description: "The id of the last event that arrived: the stream goes on behind it.",
    schema: TEXT,
  },
} satisfies Record<string, Json>;

export type SomeParameter = keyof typeof PARAMETERS;

export function parameterReference(name: SomeParameter): Json {
  return { $ref: `#/components/parameters/${name}` };
}
