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

/** What requests to the token endpoint are counted by. */
export interface LimitSubject {
  /** The presented code, or the sign-in of the presented token. */
  key: string;
  /** The account of a sign-in, whose devices are also counted together. */
  accountId?: string;
}

/** A grant type of the token endpoint (RFC 6749 §1.3). */
export interface Grant {
  /** The value of `grant_type`. */
  type: string;
  exchange(parameters: Parameters, asker: TokenAsker): Promise<TokenResponse>;
  /** Returns undefined if the presented code or token is unknown. */
  limitSubject(parameters: Parameters): Promise<LimitSubject | undefined>;
}
