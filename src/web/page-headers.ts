import type { RequestHandler, Response } from "express";
import helmet from "helmet";

/**
 * What every page says to the browser: load nothing but our stylesheet and images, run no script (but where
 * `allowScript` says so), show in no frame, keep no copy.
 * `https`: whether that is how people open the pages.
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

/** A page that asks for passkeys runs our script, which asks this server and nobody else. */
export function allowScript(response: Response): void {
  const policy = `${pagePolicy()};script-src 'self';connect-src 'self'`;
  response.setHeader("Content-Security-Policy", policy);
}

/** @param formTargets where a form of the page may lead to, beside these pages (CSP 3 §2.3.1). */
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
