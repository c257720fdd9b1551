import { OWNER_KEY } from "./app.ts";
import type { Send } from "./keyed-requests.ts";

/** Nothing that these tests ask for takes so long, unless it waits for somebody who never comes. */
const MAX_WAIT_MS = 45_000;

/** Sends to a server as its owner, or as whom `headers` say. */
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
