import type { IncomingMessage } from "node:http";
import type { ReactElement } from "react";
import { Problem } from "../contract/problem.ts";
import type { Visit } from "./visit.ts";

/** A browser's request for a page. */
export interface PageRequest {
  readonly raw: IncomingMessage;
  /** The path and query, as sent. */
  readonly url: string;
  readonly query: URLSearchParams;
  /** The values of the path's parameters, by name. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly address: string;
  readonly requestId: string;
  /** Aborts once the browser has left, or has its answer. */
  readonly gone: AbortSignal;
  /** The fields of the form that was sent, each once. Empty until it was read. */
  form: URLSearchParams;
  /** The cookie that the answer sets (RFC 6265 §4.1). */
  setCookie?: string;
  /** Who visits, once known. */
  visit?: Visit;
}

/** The answer to a browser. The headers of all pages are added to it (`createServePage`). */
export interface PageAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** A page made with `Page`, text, or text that comes in parts; absent if there is none. */
  body?: ReactElement | string | AsyncIterable<string>;
  /** Whether the headers of a body in parts are sent before its first part. */
  headersFirst?: boolean;
}

export type PageHandler = (request: PageRequest) => PageAnswer | Promise<PageAnswer>;

/** A page or an asset, whose answers are complete but for what every answer of the server has. */
export interface PageRoute {
  /** With parameters after colons: `/connect/:name`. */
  path: string;
  /** Answers HEAD, too. */
  get?: Serve;
  post?: Serve;
  /** Refuses all other methods. */
  otherwise: Serve;
}

/** Answers a request. The server answers whatever it throws, which of pages is never a `Problem`. */
export type Serve = (request: PageRequest) => Promise<Served>;

/** An answer whose page was rendered. */
export interface Served extends PageAnswer {
  headers: Record<string, string>;
  body?: string | AsyncIterable<string>;
}

/** Returns the answer with a page made with `Page`. */
export function page(
  status: number,
  body: ReactElement,
  headers: PageAnswer["headers"] = {},
): PageAnswer & { body: ReactElement } {
  return { status, headers, body };
}

/** Returns the redirect of a browser that then sends GET (RFC 9110 §15.4.4). Nobody sees a body: it would only cost time. */
export function seeOther(location: string): PageAnswer {
  return { status: 303, headers: { Location: encoded(location) } };
}

/** Returns a handler that refuses a request for its method. */
export function onlyMethods(allow: string): (request: PageRequest) => never {
  return ({ raw }) => {
    throw new Problem("method_not_allowed", `This page does not take ${raw.method}; it takes ${allow}.`, {
      headers: { Allow: allow },
    });
  };
}

/** Adds the cookie that is set. A failure sets it, too: the session that the browser holds may have been replaced. */
export function withCookie<Some extends Pick<PageAnswer, "headers">>(
  { setCookie }: PageRequest,
  answer: Some,
): Some & { headers: Record<string, string> } {
  return {
    ...answer,
    headers: { ...answer.headers, ...(setCookie !== undefined && { "Set-Cookie": setCookie }) },
  };
}

/** Percent-encodes what a header cannot hold, such as letters of an application's redirect URI. The rest stays as it is. */
function encoded(location: string): string {
  return location.toWellFormed().replace(/[^\x21-\x7e]+/gu, encodeURIComponent);
}
