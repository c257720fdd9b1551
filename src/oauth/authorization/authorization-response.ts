import type { OAuthError } from "../../contract/problem.ts";
import { defined } from "../../system/defined.ts";

/** The target of a response: the client's redirect URI, already checked. */
export interface ResponseTarget {
  redirectUri: string;
  state?: string | undefined;
}

/** Returns the URL of a response (RFC 6749 §4.1.2) with `iss`, which tells authorization servers apart (RFC 9207). */
export function codeResponse(target: ResponseTarget, issuer: string, code: string): string {
  return respond(target, issuer, { code });
}

/** Returns the URL of an error response (RFC 6749 §4.1.2.1). */
export function errorResponse(target: ResponseTarget, issuer: string, error: OAuthError): string {
  return respond(target, issuer, error.members);
}

/** Appends to the query of a redirect URI and leaves the rest of it unchanged. */
function respond({ redirectUri, state }: ResponseTarget, issuer: string, members: Record<string, string>) {
  const added = new URLSearchParams({ ...members, ...defined({ state }), iss: issuer });
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${added}`;
}
