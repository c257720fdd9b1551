import type { Parameters } from "../parameters.ts";
import type { TokenResponse } from "./token-pair.ts";

/** One way to tokens (RFC 6749 §1.3), as the token endpoint knows it. */
export interface Grant {
  /** The value of `grant_type`. */
  type: string;
  exchange(parameters: Parameters): Promise<TokenResponse>;
  /** What the endpoint's limit counts by; undefined where what is presented is unknown. */
  limitKey(parameters: Parameters): Promise<string | undefined>;
}
