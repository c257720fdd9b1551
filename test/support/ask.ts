import { request } from "undici";
import type { Ask } from "../hardness/worst-cases/worst-case.ts";

/** Returns a function that sends requests to a running server with a key. Bodies and answers may be large. */
export function asking(url: string, ownKey: string): Ask {
  return async (method, path, { body, raw, headers = {}, key = ownKey } = {}) => {
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const answer = await request(url + path, {
      method: method as "POST",
      headersTimeout: 120_000,
      // A kept-alive connection may be closed just as the next request is sent.
      reset: true,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(content !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(content !== undefined && { body: content }),
    });
    const text = await answer.body.text();
    const isJson = /json/.test(String(answer.headers["content-type"]));
    return { status: answer.statusCode, body: isJson && text ? JSON.parse(text) : text };
  };
}
