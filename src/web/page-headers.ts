import type { IncomingMessage, ServerResponse } from "node:http";
import helmet from "helmet";
import type { PageAnswer } from "./page.ts";

type Headers = PageAnswer["headers"];

/**
 * Returns the headers of every page: load only this server's stylesheet and images, run no script (unless `ALLOW_SCRIPT`
 * permits it), appear in no frame. `https` returns whether people open the pages by https.
 */
export function pageHeaders(https: () => boolean): () => Headers {
  const policy = { "Content-Security-Policy": pagePolicy() };
  const protect = helmet({
    contentSecurityPolicy: false,
    strictTransportSecurity: false,
    // Every answer of the server has it.
    xContentTypeOptions: false,
    xFrameOptions: { action: "deny" },
    referrerPolicy: { policy: "no-referrer" },
  });
  const plain = { ...policy, ...headersOf(protect) };
  const strict = helmet.strictTransportSecurity({ maxAge: 31_536_000, includeSubDomains: false });
  const strictly = { ...plain, ...headersOf(strict) };
  return () => (https() ? strictly : plain);
}

/** Returns the headers that helmet sets, which are the same for every request. */
function headersOf(protect: ReturnType<typeof helmet>): Headers {
  const headers: Record<string, string> = {};
  const response: Partial<ServerResponse> = {
    setHeader(name, value) {
      headers[name] = String(value);
      return response as ServerResponse;
    },
    removeHeader() {},
  };
  protect({} as IncomingMessage, response as ServerResponse, () => {});
  return headers;
}

/** Lets a page run this server's scripts, which may send requests to this server only. */
export const ALLOW_SCRIPT: Headers = {
  "Content-Security-Policy": `${pagePolicy()};script-src 'self';connect-src 'self'`,
};

/** @param formTargets where forms of the page may lead in addition to these pages (CSP 3 §2.3.1). */
export function pagePolicy(formTargets?: string): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    `form-action 'self'${formTargets === undefined ? "" : ` ${formTargets}`}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join(";");
}
