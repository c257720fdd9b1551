import type { IncomingHttpHeaders } from "node:http";
import type { Message } from "../message.ts";

/** A request as it goes to an upstream. */
export interface UpstreamRequest {
  method: "POST" | "GET" | "DELETE";
  headers: Record<string, string>;
  /** Of whom it comes: a key, or the sign-in that tokens descend from. Nobody else may cancel it. */
  owner: string;
  /** Of a POST. */
  message?: Message;
  /** Aborts once nobody waits for the answer. */
  signal: AbortSignal;
}

export interface UpstreamAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Read no faster than it is taken; to break off is to cancel. */
  body: AsyncIterable<Buffer>;
}

/** How to reach an upstream, over whichever transport. */
export interface UpstreamPort {
  /** Rejects with `UpstreamFailure`, or with the signal's reason. */
  send(request: UpstreamRequest): Promise<UpstreamAnswer>;
  close(): Promise<void>;
}

export type FailureKind =
  | "unreachable"
  | "timeout"
  | "malformed"
  | "too_large"
  | "refused"
  | "paused"
  /** By its client, who waits for nothing any more. */
  | "cancelled";

/** An upstream did not do its part. The message is for the client; it says nothing of addresses. */
export class UpstreamFailure extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
    /** `retryAfterSeconds`: where that is known. */
    readonly options: ErrorOptions & { retryAfterSeconds?: number } = {},
  ) {
    super(message, options);
    this.name = "UpstreamFailure";
  }
}
