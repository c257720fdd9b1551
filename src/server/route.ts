import type { Scope } from "../contract/caller.ts";
import type { Answer } from "./answer.ts";
import type { Exchange } from "./exchange.ts";

/** How the kernel sees whatever answers a method and path. */
export interface Route {
  name: string;
  /** Decides how errors look: RFC 9457 or RFC 6749 §5.2. */
  errors: "problem" | "oauth";
  scope: Scope | "public";
  /** Bears the limit headers and counts for nothing. */
  uncounted?: boolean;
  /** Longest body in bytes; no body is read where absent. */
  maxBodyBytes?: number;
  /**
   * Counted by what its body names instead of by caller, where that is known: RFC 8628 devices
   * behind one address must not starve each other.
   */
  subject?: (body: Buffer, contentType: string | undefined) => Promise<string | undefined>;
  answer(exchange: Exchange, body: Buffer, parameters: Record<string, string>): Promise<Answer>;
}
