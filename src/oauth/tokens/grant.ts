import type { Actor } from "../../audit/model.ts";
import type { AskingClient } from "../clients/client-authentication.ts";
import type { Parameters } from "../parameters.ts";
import type { TokenResponse } from "./token-pair.ts";

/** The requester of tokens. */
export interface TokenAsker {
  client: AskingClient;
  from: Actor;
  /** The thumbprint of its DPoP key (RFC 9449), which its tokens are bound to. */
  dpopKey?: string;
}

/** A grant type of the token endpoint (RFC 6749 §1.3). */
export interface Grant {
  /** The value of `grant_type`. */
  type: string;
  exchange(parameters: Parameters, asker: TokenAsker): Promise<TokenResponse>;
  /** Returns the key to rate-limit by; undefined if the presented code or token is unknown. */
  limitKey(parameters: Parameters): Promise<string | undefined>;
}
