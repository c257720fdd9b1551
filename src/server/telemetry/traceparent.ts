import type { IncomingMessage } from "node:http";

/** The span that a request says it was made for (W3C Trace Context §3.2). */
export interface RemoteParent {
  traceId: string;
  spanId: string;
  sampled: boolean;
}

const FORM = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Undefined where there is none, or none that is well formed. */
export function remoteParentOf({ headers }: IncomingMessage): RemoteParent | undefined {
  if (typeof headers.traceparent !== "string") return undefined;
  const [, version, traceId, spanId, flags, more] = FORM.exec(headers.traceparent.trim()) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  // Later versions may say more.
  if (version === "00" && more !== undefined) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
