import type { Json } from "./schemas.ts";

/** The headers of every response, whatever its status. */
const ON_EVERY_RESPONSE: Record<string, Json> = {
  "X-Request-Id": {
    description: "The request's id, as in `instance` of a problem.",
    schema: { type: "string" },
  },
  "X-RateLimit-Limit": { description: "Most requests allowed in the window.", schema: { type: "integer" } },
  "X-RateLimit-Remaining": { description: "Requests left in the window.", schema: { type: "integer" } },
  "X-RateLimit-Reset": { description: "Unix time at which the limit resets.", schema: { type: "integer" } },
  "X-RateLimit-Policy": { description: "`requests;w=<window seconds>`", schema: { type: "string" } },
  RateLimit: {
    description: "What is left of each window (draft-ietf-httpapi-ratelimit-headers).",
    schema: { type: "string" },
  },
  "RateLimit-Policy": {
    description: "All windows that count this request (draft-ietf-httpapi-ratelimit-headers).",
    schema: { type: "string" },
  },
};

const ON_SOME_RESPONSES = {
  "Retry-After": {
    required: true,
    description: "Seconds to wait before the next try.",
    schema: { type: "integer", minimum: 0 },
  },
  "WWW-Authenticate": {
    description:
      "`Bearer`, or `DPoP` where the request came by it, with what is wrong or missing, and `resource_metadata` (RFC 6750 §3, RFC 9449 §7.1, RFC 9728 §5.1).",
    schema: { type: "string" },
  },
  "Idempotent-Replayed": {
    description: "There where the answer is that of an earlier request with the same key.",
    schema: { type: "string", const: "true" },
  },
  ETag: {
    required: true,
    description: "Stands for this answer in `If-None-Match` (RFC 9110 §8.8.3).",
    schema: { type: "string" },
  },
  "Cache-Control": {
    description: "How long the answer may be kept, and by whom.",
    schema: { type: "string" },
  },
  Vary: { description: "What the answer depends on beside the URL.", schema: { type: "string" } },
  "Access-Control-Allow-Origin": { description: "`*`", schema: { type: "string" } },
} satisfies Record<string, Json>;

export type SomeHeader = keyof typeof ON_SOME_RESPONSES;

export function headerComponents(): Json {
  const always = Object.entries(ON_EVERY_RESPONSE).map(([name, header]) => [
    name,
    { required: true, ...header },
  ]);
  return { ...Object.fromEntries(always), ...ON_SOME_RESPONSES };
}

/** Returns references to the headers of a response: the common ones and its own. */
export function headersOf(own: readonly SomeHeader[] = []): Json {
  const names = [...Object.keys(ON_EVERY_RESPONSE), ...own];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
