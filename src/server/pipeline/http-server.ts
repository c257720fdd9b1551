import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../../system/clock.ts";
import type { App } from "../app.ts";
import { answerParserErrors } from "./parser-errors.ts";

declare module "node:net" {
  interface Socket {
    /** To the latest request on this connection; it may still be under way. */
    latestResponse?: ServerResponse;
    /** To requests on this connection, none of them sent to its end yet; unset while one came after another. */
    unanswered?: Set<ServerResponse>;
  }
}

/** How long clients may take, in milliseconds. */
export interface Timeouts {
  /** From the beginning of a connection or request to the end of its headers. */
  headers: number;
  /** … to the end of its body. */
  request: number;
  /** From an answer to the next request. A proxy in front should give up its connections first. */
  idle: number;
  /** Without a byte in either direction while an answer is made or sent. */
  stalled: number;
  /** From a refusal to the end of a connection on which the client goes on sending. */
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
 * Requests that one connection may send ahead of their answers. Node reads on while answers are made, and holds
 * what it read: millions of requests of a client that does not wait would fill the heap. RFC 9112 §9.3.2 has
 * clients send again what was not answered.
 */
const MAX_UNANSWERED = 100;

/** Node's HTTP server, with bounds on what a client may take of it. */
export function createHttpServer(timeouts: Timeouts, clock: Clock): Server {
  const { headers, request, idle, stalled, linger } = timeouts;
  const server = createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: headers,
    requestTimeout: request,
    keepAliveTimeout: idle,
    connectionsCheckingInterval: Math.min(1_000, headers / 2),
    // Node's own refusal bears none of our headers: the kernel looks itself.
    requireHostHeader: false,
  });
  server.timeout = stalled;
  server.on("connection", (socket) => closeInStages(socket, clock, linger));
  closeUnusedWithIdle(server);
  return server;
}

/** Node takes for idle what has answered; browsers and undici also open connections ahead of any request. */
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
 * Gives every request to the app, and to what is none its refusal.
 *
 * @param started Who comes before it waits: a server listens before it knows its own address.
 */
export function answerRequests(
  server: Server,
  app: App,
  clock: Pick<Clock, "monotonic">,
  started: Promise<unknown>,
): void {
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
    if (!isAwaited(req.socket, res)) return;
    req.socket.latestResponse = res;
    if (!server.listening) res.shouldKeepAlive = false;
    app.handle(req, res);
  };
  server.on("request", answer);
  // RFC 9110 §10.1.1: what is expected beside 100-continue may be ignored.
  server.on("checkExpectation", answer);
  server.on("checkContinue", (req, res) => {
    // Told to go on when somebody reads the body, and so never before a refusal.
    req.once("resume", () => {
      if (!res.headersSent) res.writeContinue();
    });
    answer(req, res);
  });
  answerParserErrors(server, app, clock);
}

/** Counts the request among those of its connection, or ends the connection that has too many. */
function isAwaited(socket: Socket, res: ServerResponse): boolean {
  const before = socket.latestResponse;
  // Nearly always: nothing waits, and answers are sent in order.
  if (!socket.destroyed && (!before || before.writableFinished)) return true;
  const unanswered = socket.unanswered ?? new Set();
  // What was read in one piece with the request too many is still given out.
  if (socket.destroyed || unanswered.size >= MAX_UNANSWERED) {
    socket.destroy();
    return false;
  }
  if (!socket.unanswered) {
    socket.unanswered = unanswered;
    socket.once("close", () => closeWaiting(unanswered));
  }
  for (const each of [before, res]) {
    if (!each || each.closed || unanswered.has(each)) continue;
    unanswered.add(each);
    each.once("close", () => unanswered.delete(each));
  }
  return true;
}

/** Node tells the answer that is being sent that its connection is gone, and none that waits behind it. */
function closeWaiting(unanswered: ReadonlySet<ServerResponse>): void {
  for (const res of [...unanswered]) {
    if (res.socket) continue;
    res.destroy();
    res.emit("close");
  }
}

/**
 * RFC 9112 §9.6: closing a connection on which bytes wait unread resets it, and the client may lose
 * the answer. So our side is closed first and the other read for a while.
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
