import type { Actor } from "../../audit/model.ts";
import { OAuthError } from "../../contract/problem.ts";
import type { AuthenticateClient } from "../clients/client-authentication.ts";
import { optional, type Parameters } from "../parameters.ts";
import type { Proofs } from "./dpop.ts";
import type { Grant, LimitSubject } from "./grant.ts";
import type { TokenResponse } from "./token-pair.ts";

/** The parts of a request that identify and authenticate its sender. */
export interface TokenRequest extends Pick<Actor, "address" | "requestId"> {
  /** The endpoint's URL. */
  url: string;
  authorization?: string | undefined;
  dpop?: string | string[] | undefined;
  /** The subject that the requester is counted by. */
  subject: string;
}

export interface TokenEndpoint {
  /** Issues tokens (RFC 6749 §5.1). `OAuthError`. */
  token(parameters: Parameters, request: TokenRequest): Promise<TokenResponse>;
  /** Returns the code or sign-in to rate-limit by; undefined, for the address, if the request presents neither. */
  tokenLimitSubject(parameters: Parameters): Promise<LimitSubject | undefined>;
}

/** @param grants the supported grants. The first one is the default if `grant_type` is omitted. */
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
    async tokenLimitSubject(parameters) {
      return grantOf(parameters)?.limitSubject(parameters);
    },
  };
}

/** Whether a request selects a grant. A device may omit `grant_type` if it sends `device_code`. */
function namesGrant(parameters: Parameters): boolean {
  return ["grant_type", "device_code"].some((name) => optional(parameters, name) !== undefined);
}
