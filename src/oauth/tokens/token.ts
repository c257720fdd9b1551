import type { Actor } from "../../audit/model.ts";
import { OAuthError } from "../../contract/problem.ts";
import type { AuthenticateClient } from "../clients/client-authentication.ts";
import { optional, type Parameters } from "../parameters.ts";
import type { Proofs } from "./dpop.ts";
import type { Grant } from "./grant.ts";
import type { TokenResponse } from "./token-pair.ts";

/** What of a request proves something of its sender. */
export interface TokenRequest extends Pick<Actor, "address" | "requestId"> {
  /** The endpoint's own. */
  url: string;
  authorization?: string | undefined;
  dpop?: string | string[] | undefined;
  /** What its sender is counted by. */
  subject: string;
}

export interface TokenEndpoint {
  /** RFC 6749 §5.1, or an `OAuthError`. */
  token(parameters: Parameters, request: TokenRequest): Promise<TokenResponse>;
  /** By code or token family; undefined: by address, for nothing known is presented. */
  tokenLimitKey(parameters: Parameters): Promise<string | undefined>;
}

/** @param grants the first is meant where `grant_type` is left out. */
export function createTokenEndpoint({
  grants,
  authenticateClient,
  proofs,
}: {
  grants: readonly [Grant, ...Grant[]];
  authenticateClient: AuthenticateClient;
  proofs: Proofs;
}): TokenEndpoint {
  function grantOf(parameters: Parameters): Grant | undefined {
    const type = optional(parameters, "grant_type") ?? grants[0].type;
    return grants.find((grant) => grant.type === type);
  }

  return {
    async token(parameters, { url, authorization, dpop, subject, address, requestId }) {
      const grant = grantOf(parameters);
      const types = grants.map(({ type }) => type).join(", ");
      if (!namesGrant(parameters)) {
        throw new OAuthError("invalid_request", `grant_type is missing: one of ${types}.`);
      }
      if (!grant) {
        throw new OAuthError("unsupported_grant_type", `grant_type must be one of ${types}.`);
      }
      const client = await authenticateClient(parameters, authorization, subject);
      const proof = await proofs.verify(dpop, { method: "POST", url });
      await proof?.spend();
      const from = { address, requestId };
      return grant.exchange(parameters, { client, from, ...(proof && { dpopKey: proof.key }) });
    },
    async tokenLimitKey(parameters) {
      return grantOf(parameters)?.limitKey(parameters);
    },
  };
}

/** A device may leave `grant_type` out where it shows its code; whoever shows neither is told what is missing first. */
function namesGrant(parameters: Parameters): boolean {
  return ["grant_type", "device_code"].some((name) => optional(parameters, name) !== undefined);
}
