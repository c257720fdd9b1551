import type { Caller } from "../contract/caller.ts";
import type { SigningKeys } from "../metering/signing-keys/signing-keys.ts";
import type { Clock } from "../system/clock.ts";
import { defined } from "../system/defined.ts";
import { MINUTE_MS } from "../system/durations.ts";
import type { Random } from "../system/random.ts";
import type { Rights } from "./gates.ts";

export const IDENTITY_MS = MINUTE_MS;
/** RFC 8725 §3.11: the `typ` of the token, so that no other token is accepted in its place. */
const IDENTITY_TYPE = "mcp-identity+jwt";

/**
 * Signs on whose behalf a request to an upstream is made: a JWT (RFC 7519) that the upstream verifies with the
 * server's public keys.
 */
export type SignIdentity = (about: {
  caller: Caller;
  rights: Rights;
  audience: string;
  /** Present on `tools/call`. */
  tool?: string | undefined;
  /** Whether other requests wait for this thread. */
  offThread: boolean;
}) => Promise<string>;

export function identitySigner({
  signingKeys,
  issuer,
  clock,
  random,
}: {
  signingKeys: Pick<SigningKeys, "sign">;
  issuer: () => string;
  clock: Pick<Clock, "now">;
  random: Pick<Random, "id">;
}): SignIdentity {
  return ({ caller, rights, audience, tool, offThread }) => {
    const iat = Math.floor(clock.now() / 1000);
    const { accountId, userId, projectId, credential } = caller;
    const claims = {
      iss: issuer(),
      aud: audience,
      sub: userId,
      account: accountId,
      project: projectId,
      plan: rights.plan,
      features: rights.features,
      scope: credential.scopes.join(" "),
      ...defined({ tool }),
      jti: random.id("jti"),
      iat,
      exp: iat + IDENTITY_MS / 1000,
    };
    return signingKeys.sign(claims, IDENTITY_TYPE, offThread);
  };
}
