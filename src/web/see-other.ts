import type { Response } from "express";

/** Redirects a browser that then sends GET (RFC 9110 §15.4.4). Nobody sees a body: it would only cost time. */
export function seeOther(response: Response, location: string): void {
  response.status(303).location(location).end();
}
