import { Problem } from "./problem.ts";

/*
 * The problems that a client should only repeat after a while. They are made here, so that none lacks the
 * `Retry-After` that the OpenAPI document promises.
 */

/** Returns the 503 of a server that has too much to do. */
export function overloaded(detail: string, retryAfterSeconds: number): Problem {
  return new Problem("overloaded", detail, { headers: { "Retry-After": String(retryAfterSeconds) } });
}

/**
 * Returns the 429 of a limit.
 *
 * @param window names the limit, for programs and metrics
 * @param upgradeUrl where people get a larger plan, if that is known and of use
 */
export function rateLimited(
  detail: string,
  window: string,
  retryAfterSeconds: number,
  upgradeUrl?: string,
): Problem {
  return new Problem("rate_limited", detail, {
    headers: { "Retry-After": String(retryAfterSeconds) },
    members: { window, retryAfterSeconds, ...(upgradeUrl !== undefined && { upgradeUrl }) },
  });
}
