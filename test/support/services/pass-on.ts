import type { IncomingMessage } from "node:http";

/** Sends a request that a proxy received on to the server behind it. */
export async function passOn(
  { method = "GET", url = "/", headers }: IncomingMessage,
  body: Buffer,
  to: string,
) {
  const passed = { ...headers } as Record<string, string>;
  // These are the connection's own. `fetch` counts the body itself: a given length would make a list of two.
  for (const own of ["host", "connection", "content-length"]) delete passed[own];
  return fetch(to + url, { method, headers: passed, ...(method !== "GET" && { body }) });
}
