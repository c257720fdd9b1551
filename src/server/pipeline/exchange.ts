import type { IncomingMessage, ServerResponse } from "node:http";
import type { Account } from "../../accounts/model.ts";
import type { Caller } from "../../contract/caller.ts";
import type { LimitReport, WindowSet } from "../../metering/rate-limit.ts";
import type { Proof } from "../../oauth/tokens/dpop.ts";
import { remoteParentOf } from "../telemetry/traceparent.ts";

/** Whose credential came with a request, once it proved valid. */
export interface Identity {
  account: Account;
  userId: string;
  credential: Caller["credential"];
}

/** One request on its way through the server, and what is known of it so far. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string;
  /** Monotonic milliseconds. */
  readonly startedAt: number;
  readonly path: string;
  /** Behind the question mark, undecoded. */
  readonly query: string;
  /** The client's, behind trusted proxies; IPv4 in its own form. */
  readonly address: string;
  /** The endpoint's name, or what stands for it in logs and metrics. */
  endpoint: string;
  /** Of its span, where the server is traced. */
  traceId?: string;
  identity?: Identity;
  /** That it has the key which its access token is bound to (RFC 9449). */
  proof?: Proof | undefined;
  /** Came with a credential in the right form that is valid no more, or never was. */
  stale?: boolean;
  /** Of the JSON-RPC request in its body, once that is known. */
  rpcId?: string | number;
  /** SHA-256 of a long body that came with an `Idempotency-Key`. */
  bodyDigest?: string;
  /** Ends what it began, where that is not to end with its connection. */
  signal?: AbortSignal;
  /** What it counts in, and once it is counted, what is left there. */
  windows?: WindowSet;
  limits?: LimitReport;
}

declare module "node:http" {
  interface IncomingMessage {
    /** Set by the kernel for the routers behind it. */
    exchange?: Exchange;
  }
}

/** Its own trace, or the one that it says it belongs to (W3C Trace Context §3.2). */
export function traceIdOf({ traceId, req }: Exchange): string | undefined {
  return traceId ?? remoteParentOf(req)?.traceId;
}

/** Where a browser is sent to, among the paths of OAuth. */
const CONSENT_PAGE = "/auth/authorize";

/** Paths that only the API answers; everything else may be a page's. */
export function isApiPath(path: string): boolean {
  return path !== CONSENT_PAGE && /^\/(api|auth|\.well-known|v1)(\/|$)/.test(path);
}
