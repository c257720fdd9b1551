import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Problem, type ProblemCode } from "../../contract/problem.ts";
import type { Clock } from "../../system/clock.ts";
import type { App } from "../app.ts";
import type { RawAnswer } from "./raw-answer.ts";

const CODES: Record<string, [ProblemCode, string]> = {
  HPE_HEADER_OVERFLOW: ["headers_too_large", "The headers are longer than 16 KiB."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ["payload_too_large", "The chunk extensions are longer than 16 KiB."],
  ERR_HTTP_REQUEST_TIMEOUT: ["request_timeout", "The request did not arrive in time."],
};

/**
 * How many truncated requests per second get an answer, which RFC 9112 §8 leaves optional. Hardly any client that
 * closes its side still reads, and thousands of them at once would delay others.
 */
const MAX_TOLD = 100;
const WITHIN_MS = 1000;

/** Answers what Node's parser refuses with the same body and headers as any other refusal. */
export function answerParserErrors(server: Server, app: App, clock: Pick<Clock, "monotonic">): void {
  const refused = new WeakSet<Socket>();
  let brokenOff = { since: Number.NEGATIVE_INFINITY, count: 0 };

  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const [code, detail] = CODES[error.code ?? ""] ?? [
      "invalid_request",
      "This is not a well-formed HTTP/1.1 request.",
    ];
    const isBrokenOff = error.code === "HPE_INVALID_EOF_STATE" && awaitsNone(socket);
    if (error.code === "ECONNRESET" || socket.destroyed) socket.destroy();
    else if (isBrokenOff && !mayTell()) socket.destroy();
    else refuse(socket, new Problem(code, detail));
  });
  server.on("connect", (_req, socket) => {
    refuse(
      socket as Socket,
      new Problem("method_not_allowed", "This server is no proxy.", { headers: { Allow: "GET, HEAD" } }),
    );
  });

  function refuse(socket: Socket, problem: Problem): void {
    // The parser reports every later chunk, too.
    if (refused.has(socket)) return;
    refused.add(socket);
    const { latestResponse } = socket;
    const answered =
      latestResponse && !latestResponse.req.complete
        ? refuseBody(latestResponse, problem)
        : refuseConnection(socket, problem);
    answered.catch(() => socket.destroy());
  }

  function mayTell(): boolean {
    const now = clock.monotonic();
    if (now - brokenOff.since >= WITHIN_MS) brokenOff = { since: now, count: 0 };
    return brokenOff.count++ < MAX_TOLD;
  }

  /** Refuses a request outside of a body, once all earlier requests are answered. */
  async function refuseConnection(socket: Socket, problem: Problem): Promise<void> {
    if (socket.latestResponse) await ended(socket.latestResponse);
    delete socket.latestResponse;
    const answer = await app.refuseUnparsed(socket.remoteAddress, problem);
    if (socket.writable) socket.write(asText(answer));
    socket.destroySoon();
  }

  /** Refuses a broken body: its request gets the refusal, unless it already has an answer. */
  async function refuseBody(res: ServerResponse, problem: Problem): Promise<void> {
    const { status, headers, body } = await app.refuseUnparsed(res.req.socket.remoteAddress, problem);
    if (!res.headersSent) res.writeHead(status, headers.flat()).end(body);
    await ended(res);
    const { socket } = res.req;
    // After an answer, Node does not report the end of the connection to the body's reader, which would wait, and
    // retain the body, forever.
    socket.once("close", () => res.req.destroy());
    socket.destroySoon();
  }
}

/** Whether no request before the truncated one is still unanswered. */
function awaitsNone({ latestResponse, waiting = 0 }: Socket): boolean {
  if (!latestResponse || latestResponse.writableFinished) return true;
  return !latestResponse.req.complete && waiting === 0;
}

function ended(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (res.closed || res.destroyed) resolve();
    else res.once("close", resolve);
  });
}

function asText({ status, reason, headers, body }: RawAnswer): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${reason}\r\n${lines.join("")}\r\n${body}`;
}
