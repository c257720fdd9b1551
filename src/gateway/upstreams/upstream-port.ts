import type { IncomingHttpHeaders } from "node:http";
import type { Message } from "../message.ts";

/** A request to an upstream. */
export interface UpstreamRequest {
  method: "POST" | "GET" | "DELETE";
  headers: Record<string, string>;
  /** Id of the key, or of the sign-in that its tokens descend from. Nobody else sees the tasks that the request starts. */
  owner: string;
  accountId: string;
  /** Present on a POST. */
  message?: Message;
  /** Aborts when nobody waits for the answer. What was not sent by then is never sent. */
  signal: AbortSignal;
  /** Signs anew whose request it is, where it has had to wait: what its headers say is valid for a minute. */
  sign?: (() => Promise<string>) | undefined;
  /** Called before it is sent, where it has had to wait for that. Throws if it is not to be sent any more. */
  onTurn?: (() => void) | undefined;
  /** Called when it is sent. Until then the upstream has not heard of it. */
  onSent?: (() => void) | undefined;
}

/** Those of POST, the second of which waits for the end of a task (MCP 2025-11-25, Tasks, Result Retrieval). */
const ENDLESS = ["subscriptions/listen", "tasks/result"];

/** Whether the answer is a stream that lasts as long as its client, and may stay silent for any time. */
export function isEndless({ method, message }: { method: string; message?: Message }): boolean {
  return method === "GET" || (message !== undefined && ENDLESS.includes(message.method));
}

export interface UpstreamAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Read with backpressure. Stopping early cancels the request. */
  body: AsyncIterable<Buffer>;
  /** Called when the upstream has asked its client something, such as a person's input, and is silent until then. */
  waitForClient?(): void;
}

export const EVENT_STREAM = "text/event-stream";

/** An upstream, over any transport. */
export interface UpstreamPort {
  /** Rejects with `UpstreamFailure`, or with the signal's reason. */
  send(request: UpstreamRequest): Promise<UpstreamAnswer>;
  /** Whether it is known to be down without being asked, as a program that has ended. */
  readonly isDown: boolean;
  close(): Promise<void>;
}

export type FailureKind =
  | "unreachable"
  | "timeout"
  | "malformed"
  | "too_large"
  | "refused"
  | "paused"
  /** Cancelled by its client, which no longer waits. */
  | "cancelled";

/** An upstream's failure. The message is for the client and contains no addresses. */
export class UpstreamFailure extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
    /** `retryAfterSeconds` is set if known. */
    readonly options: ErrorOptions & { retryAfterSeconds?: number } = {},
  ) {
    super(message, options);
    this.name = "UpstreamFailure";
  }
}
