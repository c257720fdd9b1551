import { OWNER_KEY } from "./app.ts";
import type { Send } from "./keyed-requests.ts";

/** A request only reaches this timeout if it hangs. */
const MAX_WAIT_MS = 45_000;

/** Returns a function that sends requests to a server as its owner, unless `headers` carry another credential. */
export function sendTo(url: string, headers: Record<string, string> = {}): Send {
  return async (method, path, body, more = {}) => {
    const response = await fetch(url + path, {
      method,
      signal: AbortSignal.timeout(MAX_WAIT_MS),
      headers: {
        authorization: `Bearer ${OWNER_KEY}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
        ...more,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get("content-type") ?? "") && text !== "";
    return {
      status: response.status,
      text,
      body: isJson ? JSON.parse(text) : undefined,
      headers: response.headers,
    };
  };
}
