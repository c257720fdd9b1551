import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from "node:http";
import { createDocumentCheck, type DocumentCheck } from "./document-check.ts";

/** Deviations of a test server's answers from its OpenAPI document, a line each. */
export type Undeclared = string[];

/** Watched servers, by port. */
const watched = new Map<number, { check: DocumentCheck; undeclared: Undeclared }>();
/** Checks by the document's `paths`, which servers in one process share. */
const checks = new WeakMap<object, DocumentCheck>();

/** Limit of bodies that are checked. Of larger answers, only status and headers are. */
const MAX_BODY_BYTES = 4 << 20;

/** Checks every answer on a port against the OpenAPI document from now on. Returns the deviations as they occur. */
export function watchAnswers(port: number, document: Record<string, unknown>): Undeclared {
  const key = document.paths as object;
  const check = checks.get(key) ?? createDocumentCheck(document);
  checks.set(key, check);
  const undeclared: Undeclared = [];
  watched.set(port, { check, undeclared });
  return undeclared;
}

// Node publishes each response before anything is written to it, by whichever method.
subscribe("http.server.request.start", (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  const watch = watched.get(request.socket.localPort ?? 0);
  if (watch) record(request, response, watch);
});

function record(
  request: IncomingMessage,
  response: ServerResponse,
  { check, undeclared }: { check: DocumentCheck; undeclared: Undeclared },
): void {
  const method = request.method ?? "GET";
  const headers: Record<string, string> = {};
  const chunks: Buffer[] = [];
  let bytes = 0;

  const keep = (chunk: unknown): void => {
    if (typeof chunk !== "string" && !(chunk instanceof Uint8Array)) return;
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(Buffer.from(chunk));
  };
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  response.writeHead = ((...given: unknown[]) => {
    note(headers, given.at(-1));
    return writeHead(...given);
  }) as ServerResponse["writeHead"];
  const write = response.write.bind(response) as (...given: unknown[]) => boolean;
  response.write = ((...given: unknown[]) => {
    keep(given[0]);
    return write(...given);
  }) as ServerResponse["write"];
  const end = response.end.bind(response) as (...given: unknown[]) => ServerResponse;
  response.end = ((...given: unknown[]) => {
    // `end` may call `write` with the same chunk.
    const before = bytes;
    const result = end(...given);
    if (bytes === before) keep(given[0]);
    return result;
  }) as ServerResponse["end"];

  response.once("finish", () => {
    // A request without an exchange never reached the app's kernel.
    if (!request.exchange) return;
    note(headers, response.getHeaders());
    const path = request.exchange.path;
    const body = bytes > MAX_BODY_BYTES || method === "HEAD" ? undefined : Buffer.concat(chunks);
    const faults = check({ method, path, status: response.statusCode, headers, body });
    undeclared.push(...faults.map((fault) => `${method} ${path} → ${response.statusCode}: ${fault}`));
  });
}

/** Records headers as `writeHead` takes them: a flat array or an object. */
function note(headers: Record<string, string>, given: unknown): void {
  if (Array.isArray(given)) {
    for (let index = 0; index + 1 < given.length; index += 2) {
      headers[String(given[index]).toLowerCase()] = String(given[index + 1]);
    }
  } else if (typeof given === "object" && given !== null) {
    for (const [name, value] of Object.entries(given as Record<string, OutgoingHttpHeader>)) {
      headers[name.toLowerCase()] = String(value);
    }
  }
}
