import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from "node:http";
import { createDocumentCheck, type DocumentCheck } from "./document-check.ts";

/** What a server of a test answered against its OpenAPI document, a line each. */
export type Undeclared = string[];

/** By the port that a server listens on. */
const watched = new Map<number, { check: DocumentCheck; undeclared: Undeclared }>();
/** By the part of a document that apps of one process share. */
const checks = new WeakMap<object, DocumentCheck>();

/** Larger bodies are compared in status, headers and media type alone. */
const MAX_BODY_BYTES = 4 << 20;

/** Holds every answer that is given on a port against the OpenAPI document, from now on. */
export function watchAnswers(port: number, document: Record<string, unknown>): Undeclared {
  const key = document.paths as object;
  const check = checks.get(key) ?? createDocumentCheck(document);
  checks.set(key, check);
  const undeclared: Undeclared = [];
  watched.set(port, { check, undeclared });
  return undeclared;
}

// Node tells of each response before anybody writes to it, whichever way it is written.
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
    // `end` may come back as a `write`.
    const before = bytes;
    const result = end(...given);
    if (bytes === before) keep(given[0]);
    return result;
  }) as ServerResponse["end"];

  response.once("finish", () => {
    // What was no request for the app: its own kernel is the first to see one.
    if (!request.exchange) return;
    note(headers, response.getHeaders());
    const path = request.exchange.path;
    const body = bytes > MAX_BODY_BYTES || method === "HEAD" ? undefined : Buffer.concat(chunks);
    const faults = check({ method, path, status: response.statusCode, headers, body });
    undeclared.push(...faults.map((fault) => `${method} ${path} → ${response.statusCode}: ${fault}`));
  });
}

/** Headers as `writeHead` takes them: flat, or an object. */
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
