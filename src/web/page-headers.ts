import type { RequestHandler } from "express";
import helmet from "helmet";

/**
 * What every page says to the browser: load nothing but our stylesheet and images, run no script,
 * show in no frame, keep no copy.
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
