import type { IncomingMessage } from "node:http";
import { Problem } from "../../contract/problem.ts";

/**
 * Returns the path and query of a request, without the origin that an absolute-form target has (RFC 9112 §3.2.2). Like
 * Host, that origin is not used. Also sets `req.url`, for the pages.
 */
function originForm(req: IncomingMessage): string {
  const target = req.url || "/";
  if (target.startsWith("/")) return target;
  const origin = /^https?:\/\/[^/?#]*/i.exec(target)?.[0];
  if (origin === undefined) return target;
  const rest = target.slice(origin.length);
  req.url = rest.startsWith("/") ? rest : `/${rest}`;
  return req.url;
}

/** Returns the path and the query of a request. */
export function targetOf(req: IncomingMessage): { path: string; query: string } {
  const target = originForm(req);
  const mark = target.indexOf("?");
  return mark < 0
    ? { path: target, query: "" }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/** Headers for identity, project and idempotency. If one came twice, two readers could pick different values. */
const SINGLE = ["Host", "X-API-Key", "X-Project-Id", "Authorization", "Idempotency-Key"] as const;
/** Indexed by length, which is unique, for speed: every request is checked. */
const SINGLE_BY_LENGTH = Array.from({ length: 16 }, (_, length) =>
  SINGLE.find((name) => name.length === length)?.toLowerCase(),
);

/**
 * Refuses repeated headers, of which Node shows only the first or a concatenation. Also refuses a request without Host,
 * although nothing here uses it (RFC 9112 §3.2).
 */
export function checkHeaders({ headers, rawHeaders, httpVersionMinor }: IncomingMessage): void {
  let seen = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    const { length } = name;
    if (length > 15 || SINGLE_BY_LENGTH[length] === undefined) continue;
    if (name.toLowerCase() !== SINGLE_BY_LENGTH[length]) continue;
    if (seen & (1 << length)) throw repeated(length);
    seen |= 1 << length;
  }
  if (headers.host === undefined && httpVersionMinor !== 0) throw hostless();
}

function repeated(length: number): Problem {
  const name = SINGLE.find((single) => single.length === length);
  if (name === "Host") return hostless();
  return new Problem("invalid_request", `${name} is given more than once. Send it once.`);
}

function hostless(): Problem {
  return new Problem("invalid_request", "A request has one Host header.", {
    headers: { Connection: "close" },
  });
}
