import type { Actor } from "../../audit/model.ts";
import type { AskingClient } from "../clients/client-authentication.ts";
import type { Parameters } from "../parameters.ts";
import type { TokenResponse } from "./token-pair.ts";

/** Who asks for tokens. */
export interface TokenAsker {
  client: AskingClient;
  from: Actor;
  /** The thumbprint of the key that it proved to have (RFC 9449): its tokens work with that alone. */
  dpopKey?: string;
}

/** One way to tokens (RFC 6749 §1.3), as the token endpoint knows it. */
export interface Grant {
  /** The value of `grant_type`. */
  type: string;
  exchange(parameters: Parameters, asker: TokenAsker): Promise<TokenResponse>;
  /** What the endpoint's limit counts by; undefined where what is presented is unknown. */
  limitKey(parameters: Parameters): Promise<string | undefined>;
}
