import type { IncomingMessage } from "node:http";
import type { Scope } from "../../contract/caller.ts";
import type { WindowSet } from "../../metering/rate-limit.ts";
import type { Answer } from "./answer.ts";
import type { Exchange } from "./exchange.ts";

/** How the kernel sees whatever answers a method and path. */
export interface Route {
  name: string;
  /** Decides how errors look: RFC 9457, RFC 6749 §5.2, or JSON-RPC 2.0 §5.1 for clients of MCP. */
  errors: "problem" | "oauth" | "mcp";
  scope: Scope | "public";
  /** As an endpoint's: `control` counts by credential, never in the account's windows. */
  lane?: "control" | undefined;
  /** Bears the limit headers and counts for nothing. */
  uncounted?: boolean | ((req: IncomingMessage) => boolean);
  /** Refuses a request before anything is known or counted of its sender, by throwing a `Problem`. */
  screen?: (req: IncomingMessage) => void;
  /** A protected resource of its own (RFC 9728), by its path: where 401 and 403 send a client to learn more. */
  resource?: string;
  /** Of the authorization server itself: takes tokens of any resource. */
  everyAudience?: boolean;
  /** What is called stands in its body: it holds keys that are bound to tools to that itself. */
  callsTools?: boolean;
  /** Longest body in bytes; no body is read where absent. */
  maxBodyBytes?: number;
  /**
   * Counted by what its body names instead of by caller, where that is known: RFC 8628 devices
   * behind one address must not starve each other.
   */
  subject?: (body: Buffer, contentType: string | undefined) => Promise<string | undefined>;
  /**
   * For those who are no callers and have a key of its own, which stands before the body: what they count
   * in. Undefined for strangers, who may yet show a key in a body as short as theirs must be.
   */
  guest?: (exchange: Exchange, parameters: Record<string, string>) => Promise<WindowSet | undefined>;
  /** Of a route for guests: reads its body itself, as it arrives, and refuses what is too long. */
  streams?: boolean;
  /** What each of its answers bears beside its own headers, refusals too. */
  headers?: (answer: Answer) => Record<string, string>;
  answer(exchange: Exchange, body: Buffer, parameters: Record<string, string>): Promise<Answer>;
}
