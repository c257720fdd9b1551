import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { once } from "../../system/caching.ts";
import type { Clock } from "../../system/clock.ts";
import type { App } from "../app.ts";
import { answerParserErrors } from "./parser-errors.ts";
import { createChunkPace } from "./slow-clients/chunk-pace.ts";

declare module "node:net" {
  interface Socket {
    /** The response to the latest request on this connection, which may still be in progress. */
    latestResponse?: ServerResponse;
    /** How many requests on this connection wait for the answer to the one before them. */
    waiting?: number;
  }
}

/** Timeouts for clients, in milliseconds. */
export interface Timeouts {
  /** From the start of a connection or request to the end of its headers. */
  headers: number;
  /** From the start of a request to the end of its body. */
  request: number;
  /** From an answer to the next request. A proxy in front should have a shorter idle timeout. */
  idle: number;
  /** Without a byte in either direction while an answer is prepared or sent. */
  stalled: number;
  /** From a refusal to the end of the connection, if the client keeps sending. */
  linger: number;
}

export const TIMEOUTS: Timeouts = {
  headers: 10_000,
  request: 120_000,
  idle: 65_000,
  stalled: 120_000,
  linger: 2_000,
};

/**
 * The number of requests that a connection may pipeline. Node keeps reading while answers are prepared and buffers
 * what it reads, so a client that does not wait could fill the heap with millions of requests. RFC 9112 §9.3.2 has
 * clients repeat requests that were not answered.
 */
const MAX_PIPELINED = 100;

/** Creates Node's HTTP server, with bounds on what a client may use of it. */
export function createHttpServer(timeouts: Timeouts, clock: Clock): Server {
  const { headers, request, idle, stalled, linger } = timeouts;
  const server = createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: headers,
    requestTimeout: request,
    keepAliveTimeout: idle,
    connectionsCheckingInterval: Math.min(1_000, headers / 2),
    // Node's own refusal lacks the common headers, so `checkHeaders` does this check.
    requireHostHeader: false,
  });
  server.timeout = stalled;
  server.on("connection", (socket) => closeInStages(socket, clock, linger));
  closeUnusedWithIdle(server);
  return server;
}

/**
 * Also closes connections without any request, which browsers and undici open in advance. Node counts as idle only
 * connections that have answered a request.
 */
function closeUnusedWithIdle(server: Server): void {
  const open = new Set<Socket>();
  server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    closeIdle();
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
}

/**
 * Passes every request to the app, and answers what is not a valid request with its refusal.
 *
 * @param started Requests before it resolves wait, since the server listens before it knows its own address.
 */
export function answerRequests(
  server: Server,
  app: App,
  clock: Pick<Clock, "monotonic" | "sleep">,
  started: Promise<unknown>,
): void {
  const pace = createChunkPace(clock);
  let waits = true;
  started.then(
    () => {
      waits = false;
    },
    () => {},
  );
  const answer = (req: IncomingMessage, res: ServerResponse): void => {
    if (!waits) {
      handle(req, res);
      return;
    }
    started.then(
      () => handle(req, res),
      () => res.destroy(),
    );
  };
  const handle = (req: IncomingMessage, res: ServerResponse): void => {
    const before = req.socket.latestResponse;
    req.socket.latestResponse = res;
    if (req.headers["transfer-encoding"] !== undefined) pace(req);
    inTurn(res, before, () => {
      if (!server.listening) res.shouldKeepAlive = false;
      app.handle(req, res);
    });
  };
  server.on("request", answer);
  // RFC 9110 §10.1.1: expectations other than 100-continue may be ignored.
  server.on("checkExpectation", answer);
  server.on("checkContinue", (req, res) => {
    // Sent once the body is read, in either of the ways to read a stream, and so never before a refusal.
    const goOn = once(() => {
      if (!res.headersSent) res.writeContinue();
    });
    req.once("resume", goOn);
    req.on("newListener", (event) => event === "readable" && goOn());
    answer(req, res);
  });
  answerParserErrors(server, app, clock);
}

/**
 * Begins a request once the one before it on its connection is answered, as RFC 9112 §9.3.2 allows: others would wait
 * behind the hundred requests that fit into one packet, even those of clients that have gone. Closes the connection if
 * too many wait.
 */
function inTurn(res: ServerResponse, before: ServerResponse | undefined, begin: () => void): void {
  const { socket } = res.req;
  // Node still emits the requests that it read in one chunk with the one that exceeded the bound.
  if (socket.destroyed) return;
  // The usual case: none is outstanding.
  if (!before || before.writableFinished) {
    begin();
    return;
  }
  const waiting = (socket.waiting ?? 0) + 1;
  if (waiting >= MAX_PIPELINED) {
    socket.destroy();
    return;
  }
  socket.waiting = waiting;
  before.once("close", () => {
    socket.waiting = (socket.waiting ?? 1) - 1;
    // It has the socket unless that ended with the answer before, and an answer if its body was malformed.
    if (res.socket && !res.socket.destroyed && !res.headersSent) begin();
  });
}

/**
 * Closes a socket in stages. RFC 9112 §9.6: closing a connection with unread bytes resets it, and the client may lose
 * the answer. So the sending side is closed first and the receiving side is drained for a while.
 */
function closeInStages(socket: Socket, clock: Clock, lingerMs: number): void {
  const closeAtOnce = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (socket.latestResponse?.req.complete) return closeAtOnce();
    const closed = new AbortController();
    socket.once("close", () => closed.abort());
    socket.end();
    socket.latestResponse?.req.resume();
    clock.sleep(lingerMs, closed.signal).then(
      () => socket.destroy(),
      () => {},
    );
  };
}
