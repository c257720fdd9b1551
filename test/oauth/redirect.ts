import { createHash } from "node:crypto";
import type { User } from "../../src/accounts/model.ts";
import { scopesOf } from "../../src/accounts/roles.ts";
import { type Services, VISITOR } from "../accounts/fixture.ts";

export const CALLBACK = "https://acme.example/callback";
export const VERIFIER = "a-code-verifier-of-at-least-43-characters-0123";
export const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");
const SUBJECT = "address/192.0.2.1";

/** Returns a valid request of a client of the catalogue. Members can be replaced, or removed with "". */
export function requestOf(changed: Record<string, string> = {}): Record<string, string> {
  return {
    response_type: "code",
    client_id: "acme-ide",
    redirect_uri: CALLBACK,
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
    state: "s1",
    ...changed,
  };
}

export const consenting = (user: User) => ({
  accountId: user.accountId,
  userId: user.id,
  scopes: scopesOf(user),
  signedInAt: 1_000,
  ...VISITOR,
});

/** Begins an authorization. Returns the pending request, or the redirect to the client. */
export async function begin({ authorizations }: Services, changed: Record<string, string> = {}) {
  return authorizations.begin(requestOf(changed), SUBJECT);
}

/** Lets a person decide on a request. Returns the parameters of the redirect to the client. */
export async function decide(
  services: Services,
  changed: Record<string, string> = {},
  decision: "approve" | "deny" = "approve",
  user = services.owner,
): Promise<URLSearchParams> {
  const begun = await begin(services, changed);
  if ("redirect" in begun) throw new Error(`refused: ${begun.redirect}`);
  const clientId = requestOf(changed).client_id as string;
  const { redirect } = await services.authorizations.decide(
    begun.requestUri,
    clientId,
    decision,
    consenting(user),
  );
  return new URL(redirect).searchParams;
}

/** Returns the code of an approved request. */
export async function codeOf(services: Services, changed: Record<string, string> = {}): Promise<string> {
  return (await decide(services, changed)).get("code") ?? "";
}

/** Returns the token request that redeems a code. */
export const redeeming = (code: string, changed: Record<string, string> = {}) => ({
  grant_type: "authorization_code",
  code,
  code_verifier: VERIFIER,
  redirect_uri: CALLBACK,
  client_id: "acme-ide",
  ...changed,
});
