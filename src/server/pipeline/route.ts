import type { IncomingMessage } from "node:http";
import type { Scope } from "../../contract/caller.ts";
import type { WindowSet } from "../../metering/limits/rate-limit.ts";
import type { CountedSubject } from "../../metering/limits/windows.ts";
import type { Answer } from "./answer.ts";
import type { Exchange } from "./exchange.ts";

/** What the kernel knows of the handler of a method and path. */
export interface Route {
  name: string;
  /** The form of errors: RFC 9457, RFC 6749 §5.2, or JSON-RPC 2.0 §5.1 for MCP clients. */
  errors: "problem" | "oauth" | "mcp";
  scope: Scope | "public";
  /** As an endpoint's lane: `control` counts by credential, never in the account's windows. */
  lane?: "control" | undefined;
  /** Whether the request does not count, although its answer has the limit headers. */
  uncounted?: boolean | ((req: IncomingMessage) => boolean);
  /** Refuses a request before its sender is authenticated or counted, by throwing a `Problem`. */
  screen?: (req: IncomingMessage) => void;
  /** The path of the protected resource that the route belongs to (RFC 9728). 401 and 403 refer to its metadata. */
  resource?: string;
  /** Whether tokens of any resource are accepted, as by the authorization server itself. */
  everyAudience?: boolean;
  /** Whether the tool that is called is named in the body. The route then enforces keys' bindings to tools itself. */
  callsTools?: boolean;
  /** The longest body in bytes; if absent, no body is read. */
  maxBodyBytes?: number;
  /**
   * Returns what to count by instead of the caller, from the body; undefined if that is unknown. RFC 8628 devices
   * behind one address must not starve each other.
   */
  subject?: (body: Buffer, contentType: string | undefined) => Promise<CountedSubject | undefined>;
  /**
   * For guests, who have no account but a key of the route's own, which precedes the body. Returns the windows that
   * they count in; undefined for strangers, who may still present a key in a body within the anonymous bound.
   */
  guest?: (exchange: Exchange, parameters: Record<string, string>) => Promise<WindowSet | undefined>;
  /** Whether a route for guests reads the body itself, as it arrives, and enforces its bound. */
  streams?: boolean;
  /** Returns headers to add to each of its answers, including refusals. */
  headers?: (answer: Answer) => Record<string, string>;
  answer(exchange: Exchange, body: Buffer, parameters: Record<string, string>): Promise<Answer>;
}
