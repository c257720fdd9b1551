import type { IncomingMessage } from "node:http";
import { createSendPublic, type PublicRequestOptions } from "./public-request.ts";
import { CannotFetch } from "./public-url.ts";

export { CannotFetch } from "./public-url.ts";

/** A document fetched from a URL that a third party named. */
export interface FetchedDocument {
  text: string;
  /** The answer's `Cache-Control`, if it has one. */
  cacheControl: string | undefined;
}

/** Fetches a JSON document over https. Rejects with `CannotFetch`. */
export type FetchPublic = (url: URL) => Promise<FetchedDocument>;

export interface FetchPublicOptions extends PublicRequestOptions {
  maxBytes: number;
}

/** Creates a fetch that cannot reach private networks (`public-request.ts`) and reads at most `maxBytes`. */
export function createFetchPublic({ maxBytes, ...options }: FetchPublicOptions): FetchPublic {
  const send = createSendPublic(options);
  return (url) =>
    send(url, { method: "GET", headers: { Accept: "application/json" } }, (response) =>
      read(response, maxBytes),
    );
}

async function read(response: IncomingMessage, maxBytes: number): Promise<FetchedDocument> {
  const { statusCode = 0, headers } = response;
  if (statusCode >= 300 && statusCode < 400) throw new CannotFetch("it is a redirect, which is not followed");
  if (statusCode !== 200) throw new CannotFetch(`its host answers ${statusCode}`);
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(headers["content-type"] ?? "")) {
    throw new CannotFetch("it is not application/json");
  }
  if (headers["content-encoding"] !== undefined) throw new CannotFetch("it is compressed");
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of response) {
    pieces.push(piece);
    length += piece.length;
    if (length > maxBytes) throw new CannotFetch(`it is longer than ${maxBytes / 1024} KiB`);
  }
  return { text: Buffer.concat(pieces).toString(), cacheControl: headers["cache-control"] };
}
