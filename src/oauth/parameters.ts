import { OAuthError } from "../contract/problem.ts";

/** The parameters of a request, each at most once. Unknown ones are ignored (RFC 6749 §3.2). */
export type Parameters = Readonly<Record<string, string>>;

/** The sender of a request. */
export interface Requester {
  address: string;
  userAgent: string;
}

/** Returns a parameter's value. A parameter without a value counts as omitted (RFC 6749 §3.2). */
export function optional(parameters: Parameters, name: string): string | undefined {
  const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  return value === "" ? undefined : value;
}

export function required(parameters: Parameters, name: string): string {
  const value = optional(parameters, name);
  if (value !== undefined) return value;
  throw new OAuthError("invalid_request", `The parameter ${name} is missing.`);
}
