import type { OAuthError } from "../../contract/problem.ts";
import { defined } from "../../system/defined.ts";

/** Where a browser is sent with the outcome: the client's redirect URI, which was checked. */
export interface ResponseTarget {
  redirectUri: string;
  state?: string | undefined;
}

/** RFC 6749 §4.1.2, with the issuer, so that clients tell authorization servers apart (RFC 9207). */
export function codeResponse(target: ResponseTarget, issuer: string, code: string): string {
  return respond(target, issuer, { code });
}

/** RFC 6749 §4.1.2.1. */
export function errorResponse(target: ResponseTarget, issuer: string, error: OAuthError): string {
  return respond(target, issuer, { error: error.error, error_description: error.description });
}

/** Adds to the query that a redirect URI may have, and changes nothing else of it. */
function respond({ redirectUri, state }: ResponseTarget, issuer: string, members: Record<string, string>) {
  const added = new URLSearchParams({ ...members, ...defined({ state }), iss: issuer });
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${added}`;
}
