import type { RequestHandler, Response } from "express";
import helmet from "helmet";

/**
 * Returns a handler that sets the headers of every page: load only this server's stylesheet and images, run no script
 * (unless `allowScript` permits it), appear in no frame, keep no copy. `https` returns whether people open the pages by
 * https.
 */
export function pageHeaders(https: () => boolean): RequestHandler {
  const strict = helmet.strictTransportSecurity({ maxAge: 31_536_000, includeSubDomains: false });
  const protect = helmet({
    contentSecurityPolicy: false,
    strictTransportSecurity: false,
    xFrameOptions: { action: "deny" },
    referrerPolicy: { policy: "no-referrer" },
  });
  return (request, response, next) => {
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("Content-Security-Policy", pagePolicy());
    if (https()) strict(request, response, () => {});
    protect(request, response, next);
  };
}

/** Lets a page run this server's scripts, which may send requests to this server only. */
export function allowScript(response: Response): void {
  const policy = `${pagePolicy()};script-src 'self';connect-src 'self'`;
  response.setHeader("Content-Security-Policy", policy);
}

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
