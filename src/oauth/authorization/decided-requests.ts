import { createHmac } from "node:crypto";
import { hashSecret } from "../../accounts/credentials/secrets.ts";
import { OAuthError } from "../../contract/problem.ts";
import { GLOBAL, type Transaction } from "../../store/store.ts";
import { codeResponse, errorResponse } from "./authorization-response.ts";
import { authorizationCodes, type DecidedRequest, decidedRequests } from "./model.ts";

export const REQUEST_URI = "urn:ietf:params:oauth:request_uri:";

/** Returns the id under which a request is stored. */
export function idOf(requestUri: string): string {
  return hashSecret(randomPartOf(requestUri));
}

/** Returns the code of an approved request. Neither the store nor the `request_uri` alone reveals it. */
export function codeOf(requestUri: string, { salt }: Pick<DecidedRequest, "salt">): string {
  return createHmac("sha256", randomPartOf(requestUri)).update(salt).digest("base64url");
}

/** Returns the URL to send the browser to. */
export function answerOf(requestUri: string, decided: DecidedRequest, issuer: string): string {
  if (decided.decision === "approve") return codeResponse(decided, issuer, codeOf(requestUri, decided));
  return errorResponse(decided, issuer, new OAuthError("access_denied", "The person did not allow it."));
}

/** Returns the answer again to a user who sends the same decision again, while its code is good and unused. */
export async function answeredBefore(
  tx: Transaction,
  requestUri: string,
  asked: Pick<DecidedRequest, "clientId" | "decision" | "accountId" | "userId">,
  { now, issuer }: { now: number; issuer: string },
): Promise<string | undefined> {
  const found = await tx.get(decidedRequests, GLOBAL, idOf(requestUri));
  if (!found || found.expiresAt <= now) return undefined;
  const members = ["clientId", "decision", "accountId", "userId"] as const;
  if (members.some((member) => found[member] !== asked[member])) return undefined;
  const issued = await tx.get(authorizationCodes, GLOBAL, hashSecret(codeOf(requestUri, found)));
  return issued?.familyId === undefined ? answerOf(requestUri, found, issuer) : undefined;
}

function randomPartOf(requestUri: string): string {
  return requestUri.slice(REQUEST_URI.length);
}
