import type { IncomingMessage } from "node:http";

/** The parent span that a request names (W3C Trace Context §3.2). */
export interface RemoteParent {
  traceId: string;
  spanId: string;
  sampled: boolean;
}

const FORM = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Parses the `traceparent` header; undefined if it is absent or malformed. */
export function remoteParentOf({ headers }: IncomingMessage): RemoteParent | undefined {
  if (typeof headers.traceparent !== "string") return undefined;
  const [, version, traceId, spanId, flags, more] = FORM.exec(headers.traceparent.trim()) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  // Only later versions may have further fields.
  if (version === "00" && more !== undefined) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
