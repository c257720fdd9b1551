import type { IncomingMessage, ServerResponse } from "node:http";
import type { Account } from "../../accounts/model.ts";
import type { Caller } from "../../contract/caller.ts";
import type { LimitReport, WindowSet } from "../../metering/limits/rate-limit.ts";
import type { Proof } from "../../oauth/tokens/dpop.ts";
import { remoteParentOf } from "../telemetry/traceparent.ts";

/** The owner of a request's credential, and the credential, once authenticated. */
export interface Identity {
  account: Account;
  userId: string;
  credential: Caller["credential"];
}

/** A request on its way through the server, with what is known of it so far. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string;
  /** In monotonic milliseconds. */
  readonly startedAt: number;
  readonly path: string;
  /** The part after the question mark, undecoded. */
  readonly query: string;
  /** The client's address, as seen through trusted proxies. IPv4 addresses are never in their IPv6 form. */
  readonly address: string;
  /** The endpoint's name, or a substitute for it in logs and metrics. */
  endpoint: string;
  /** The path of its route, with parameters in braces: `/api/v1/keys/{keyId}`. */
  template?: string | undefined;
  /** The id of its span's trace, if telemetry is on. */
  traceId?: string;
  identity?: Identity;
  /** The proof that the client holds the key that its access token is bound to (RFC 9449). */
  proof?: Proof | undefined;
  /** Whether it presented a well-formed credential that is not valid. */
  hasInvalidCredential?: boolean;
  /** The id of the JSON-RPC request in its body, once known. */
  rpcId?: string | number;
  /** SHA-256 of a long body that came with an `Idempotency-Key`. */
  bodyDigest?: string;
  /** Aborts the work for this request; set if that is not the end of its connection. */
  signal?: AbortSignal;
  /** Characters that stay in memory until its answer is read, beside those that were written. */
  holds?: number | undefined;
  /** The windows that it counts in. */
  windows?: WindowSet;
  limits?: LimitReport;
}

declare module "node:http" {
  interface IncomingMessage {
    /** Set by the kernel for the routers after it. */
    exchange?: Exchange;
  }
}

/** Returns the trace id of the request's span, or the one in its `traceparent` (W3C Trace Context §3.2). */
export function traceIdOf({ traceId, req }: Exchange): string | undefined {
  return traceId ?? remoteParentOf(req)?.traceId;
}

/** The one page among the paths of OAuth. */
const CONSENT_PAGE = "/auth/authorize";

/** Whether only the API answers a path. Any other path may be a page. */
export function isApiPath(path: string): boolean {
  return path !== CONSENT_PAGE && /^\/(api|auth|\.well-known|v1)(\/|$)/.test(path);
}
