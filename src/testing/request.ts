import { defined } from "../system/defined.ts";

export interface RequestOptions {
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged, instead of `body`. */
  raw?: string | Buffer | undefined;
  /** The credential: the owner's if absent, none if null. */
  key?: string | null | undefined;
  headers?: Record<string, string> | undefined;
}

export interface TestResponse {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body, if it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests access members of answers freely
  body: any;
}

/** Sends a test's request to a server. Redirects are not followed. */
export type TestRequest = (method: string, path: string, options?: RequestOptions) => Promise<TestResponse>;

export function requestsTo(url: string, ownKey: string): TestRequest {
  return async (method, path, { body, raw, key = ownKey, headers = {} } = {}) => {
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(url + path, {
      method,
      redirect: "manual",
      headers: {
        ...(key !== null && { Authorization: `Bearer ${key}` }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...defined({ body: content }),
    });
    const text = await response.text();
    const isJson = /json(;|$)/.test(response.headers.get("content-type") ?? "") && text !== "";
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
  };
}
