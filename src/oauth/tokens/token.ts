import { OAuthError } from "../../contract/problem.ts";
import type { Store } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import type { Random } from "../../system/random.ts";
import { deviceCodeGrant } from "../device/device-code-grant.ts";
import { optional, type Parameters } from "../parameters.ts";
import type { Resources } from "../resources.ts";
import type { Grant } from "./grant.ts";
import { refreshTokenGrant } from "./refresh-token-grant.ts";
import { createTokenPairs, type TokenResponse } from "./token-pair.ts";

export interface TokenEndpoint {
  /** RFC 6749 §5.1, or an `OAuthError`. */
  token(parameters: Parameters): Promise<TokenResponse>;
  /** By device code or token family; undefined: by address, for nothing known is presented. */
  tokenLimitKey(parameters: Parameters): Promise<string | undefined>;
}

export function createTokenEndpoint({
  store,
  clock,
  random,
  resources,
}: {
  store: Store;
  clock: Clock;
  random: Random;
  resources: Pick<Resources, "target">;
}): TokenEndpoint {
  const { begin, issue } = createTokenPairs({ clock, random });
  /** The first is meant where `grant_type` is left out. */
  const grants: readonly [Grant, ...Grant[]] = [
    deviceCodeGrant({ store, clock, begin }),
    refreshTokenGrant({ store, clock, resources, issue }),
  ];

  function grantOf(parameters: Parameters): Grant | undefined {
    const type = optional(parameters, "grant_type") ?? grants[0].type;
    return grants.find((grant) => grant.type === type);
  }

  return {
    async token(parameters) {
      const grant = grantOf(parameters);
      if (grant) return grant.exchange(parameters);
      const types = grants.map(({ type }) => type).join(", ");
      throw new OAuthError("unsupported_grant_type", `grant_type must be one of ${types}.`);
    },
    async tokenLimitKey(parameters) {
      return grantOf(parameters)?.limitKey(parameters);
    },
  };
}
