import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from "jose";
import { hasHash } from "../../accounts/credentials/secrets.ts";
import { OAuthError } from "../../contract/problem.ts";
import type { Clock } from "../../system/clock.ts";
import { MINUTE_MS } from "../../system/durations.ts";
import type { IsFirstUse } from "../first-use.ts";
import { optional, type Parameters } from "../parameters.ts";
import { isSignersFault } from "../signers-fault.ts";
import { type Client, invalidClient, unprovenClient } from "./client.ts";
import type { Clients } from "./clients.ts";

/** The client of a request to the token endpoint. */
export interface AskingClient {
  /** Undefined if the request names no client. */
  id?: string;
  /** Whether the client has proven its identity instead of only claiming it. */
  authenticated: boolean;
}

/**
 * Authenticates a client by its secret, in a header or the body, or by a signed assertion (RFC 6749 §2.3, RFC 7523
 * §2.2). `OAuthError` `invalid_client` for a wrong proof, or for a missing one that the catalogue requires.
 *
 * @param authorization the `Authorization` header.
 * @param subject the subject that the requester is counted by.
 */
export type AuthenticateClient = (
  parameters: Parameters,
  authorization: string | undefined,
  subject: string,
) => Promise<AskingClient>;

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
export const ASSERTION_ALGORITHMS = [
  "EdDSA",
  "Ed25519",
  "ES256",
  "ES384",
  "ES512",
  "RS256",
  "PS256",
  "PS384",
  "PS512",
];
/** The longest lifetime of an assertion, which is made for one request. */
const MAX_ASSERTION_MS = 5 * MINUTE_MS;
const SKEW_SECONDS = 30;

/** @param audiences the accepted `aud` values of assertions: the issuer, and its endpoints that take assertions. */
export function createClientAuthentication({
  clock,
  clients,
  isFirstUse,
  audiences,
}: {
  clock: Clock;
  clients: Clients;
  isFirstUse: IsFirstUse;
  audiences: () => string[];
}): AuthenticateClient {
  return async (parameters, authorization, subject) => {
    const named = optional(parameters, "client_id");
    const basic = authorization === undefined ? undefined : basicCredentials(authorization);
    const posted = optional(parameters, "client_secret");
    const assertion = optional(parameters, "client_assertion");
    if ([basic, posted, assertion].filter((proof) => proof !== undefined).length > 1) {
      throw new OAuthError("invalid_request", "A client proves who it is in one way, not in several.");
    }
    if (assertion !== undefined) {
      if (optional(parameters, "client_assertion_type") !== ASSERTION_TYPE) {
        throw new OAuthError("invalid_request", `client_assertion_type must be ${ASSERTION_TYPE}.`);
      }
      const id = await byAssertion(assertion, subject);
      return proven(id, named);
    }
    const [id, secret, asWritten] = basic ?? [named, posted];
    if (id === undefined) return { authenticated: false };
    if (named !== undefined && named !== id) throw anotherClient();
    const client = clients.inCatalogue(id);
    if (secret !== undefined) {
      const { authentication } = client ?? {};
      const isRight =
        authentication?.method === "client_secret" &&
        [secret, asWritten].some(
          (given) => given !== undefined && hasHash(given, Buffer.from(authentication.secretSha256, "hex")),
        );
      if (!isRight) {
        throw invalidClient("The client or its secret is wrong.");
      }
      return proven(id, named);
    }
    if (client && client.authentication.method !== "none") {
      throw unprovenClient();
    }
    return { id, authenticated: false };
  };

  async function byAssertion(assertion: string, subject: string): Promise<string> {
    const { client, keys } = await clientOf(assertion, subject);
    const { payload } = await jwtVerify(assertion, createLocalJWKSet(keys), {
      issuer: client.id,
      subject: client.id,
      audience: audiences(),
      algorithms: ASSERTION_ALGORITHMS,
      requiredClaims: ["exp", "jti"],
      clockTolerance: SKEW_SECONDS,
      currentDate: new Date(clock.now()),
    }).catch((error) => {
      throw isSignersFault(error)
        ? invalidClient(`The client assertion is not valid: ${error.message}.`)
        : error;
    });
    if (typeof payload.jti !== "string" || payload.jti === "") {
      throw invalidClient("The client assertion is not valid: its jti is no text.");
    }
    const expiresAt = (payload.exp as number) * 1000;
    if (expiresAt > clock.now() + MAX_ASSERTION_MS + SKEW_SECONDS * 1000) {
      throw invalidClient(
        `The client assertion is valid for more than ${MAX_ASSERTION_MS / MINUTE_MS} minutes.`,
      );
    }
    const once = await isFirstUse(`client/${client.id}`, payload.jti, expiresAt + SKEW_SECONDS * 1000);
    if (!once) throw invalidClient("The client assertion was used before.");
    return client.id;
  }

  async function clientOf(
    assertion: string,
    subject: string,
  ): Promise<{ client: Client; keys: JSONWebKeySet }> {
    let claimed: unknown;
    try {
      claimed = decodeJwt(assertion).sub;
    } catch {
      throw invalidClient("The client assertion is no JWT.");
    }
    if (typeof claimed !== "string") throw invalidClient("The client assertion names no client as its sub.");
    const client = await clients.find(claimed, subject);
    const { authentication } = client;
    if ("keys" in authentication && authentication.keys) return { client, keys: authentication.keys };
    throw invalidClient("This client has no keys here.");
  }
}

function proven(id: string, named: string | undefined): AskingClient {
  if (named === undefined || named === id) return { id, authenticated: true };
  throw anotherClient();
}

function anotherClient(): OAuthError {
  return invalidClient("client_id names another client than the one that proved who it is.");
}

/**
 * Parses HTTP Basic credentials. Both parts are form-encoded within the header (RFC 6749 §2.3.1), which many libraries
 * leave out (Authlib, Requests-OAuthlib, Ruby's oauth2): a `+` or `%` is then one, so the secret as it was written is
 * returned, too. An empty secret is none: some libraries name a public client that way.
 */
function basicCredentials(
  authorization: string,
): [id: string, secret: string | undefined, asWritten?: string] | undefined {
  const encoded = /^basic +([A-Za-z0-9+/=]+) *$/i.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const [, ...parts] = /^([^:]+):(.*)$/s.exec(Buffer.from(encoded, "base64").toString()) ?? [];
  const [id, secret] = parts.map((part) => new URLSearchParams(`v=${part.replaceAll("&", "%26")}`).get("v"));
  if (!id) throw invalidClient("The Authorization header holds no client and secret.");
  return [id, secret || undefined, parts[1]];
}
