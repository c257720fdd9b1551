import type { IncomingMessage } from "node:http";
import { Problem } from "../contract/problem.ts";

/**
 * The path and query of a request, which may come behind the origin that a client believes in
 * (RFC 9112 §3.2.2). That origin is as good as any, as Host is. Written back for the pages.
 */
export function originForm(req: IncomingMessage): string {
  const target = req.url || "/";
  if (target.startsWith("/")) return target;
  const origin = /^https?:\/\/[^/?#]*/i.exec(target)?.[0];
  if (origin === undefined) return target;
  const rest = target.slice(origin.length);
  req.url = rest.startsWith("/") ? rest : `/${rest}`;
  return req.url;
}

/** RFC 9112 §3.2: a request without Host, or with several, is refused, though nothing here goes by it. */
export function checkHost({ headers, rawHeaders, httpVersionMinor }: IncomingMessage): void {
  const hosts = headers.host === undefined ? 0 : countHosts(rawHeaders);
  if (hosts === 1 || (hosts === 0 && httpVersionMinor === 0)) return;
  throw new Problem("invalid_request", "A request has one Host header.", {
    headers: { Connection: "close" },
  });
}

function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
  }
  return hosts;
}
