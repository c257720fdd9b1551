import { OAuthError } from "../contract/problem.ts";

/** The parameters of a request, each at most once. Those that nobody asks for are ignored (RFC 6749 §3.2). */
export type Parameters = Readonly<Record<string, string>>;

/** Who sends a request. */
export interface Requester {
  address: string;
  userAgent: string;
}

/** A parameter's value; one that is sent without a value counts as left out (RFC 6749 §3.2). */
export function optional(parameters: Parameters, name: string): string | undefined {
  const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  return value === "" ? undefined : value;
}

export function required(parameters: Parameters, name: string): string {
  const value = optional(parameters, name);
  if (value !== undefined) return value;
  throw new OAuthError("invalid_request", `The parameter ${name} is missing.`);
}
