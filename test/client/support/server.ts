import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A request as it arrived. */
export interface Seen {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** The reaction to a request: answer, never answer, or reset the connection. */
export type Reaction =
  | { status?: number; headers?: Record<string, string>; body?: unknown }
  | "hang"
  | "tear"
  | "tear-half-way";

export interface TestServer {
  readonly baseUrl: string;
  readonly seen: Seen[];
  /** Connections accepted so far. */
  connections(): number;
  /** Replaces the reaction to requests from now on. */
  react(reaction: (request: Seen) => Reaction): void;
  stop(): Promise<void>;
  /** Listens again at the same address. */
  start(): Promise<void>;
}

/** Starts a server on a free local port that may misbehave as told. */
export async function startServer(reaction: (request: Seen) => Reaction): Promise<TestServer> {
  const seen: Seen[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let port = 0;
  let react = reaction;
  const server = createServer(async (req, res) => {
    let body = "";
    for await (const piece of req.setEncoding("utf8")) body += piece;
    const request = { method: req.method ?? "", path: req.url ?? "", headers: req.headers, body };
    seen.push(request);
    answer(res, react(request));
  });
  server.on("connection", (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  const listen = () =>
    new Promise<void>((resolve) => {
      server.listen(port, "127.0.0.1", () => {
        port = (server.address() as AddressInfo).port;
        resolve();
      });
    });
  await listen();
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    seen,
    connections: () => connections,
    react: (next) => {
      react = next;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
    start: listen,
  };
}

function answer(res: ServerResponse, reaction: Reaction): void {
  if (reaction === "hang") return;
  if (reaction === "tear") {
    res.socket?.destroy();
    return;
  }
  if (reaction === "tear-half-way") {
    res.writeHead(200, { "content-type": "application/json", "content-length": "100" });
    res.write('{"half":', () => res.socket?.destroy());
    return;
  }
  const { status = 200, headers = {}, body } = reaction;
  const text = body === undefined || typeof body === "string" ? (body ?? "") : JSON.stringify(body);
  res.writeHead(status, { "content-type": "application/json", "x-request-id": "req_test", ...headers });
  res.end(text);
}

/** Returns an error of the API. */
export function problem(status: number, error: string, headers: Record<string, string> = {}): Reaction {
  return {
    status,
    headers: { "content-type": "application/problem+json", ...headers },
    body: { type: `#${error}`, title: error, status, detail: `It is ${error}.`, instance: "req_test", error },
  };
}

/** Returns an error of the OAuth endpoints. */
export function oauthError(status: number, error: string, headers: Record<string, string> = {}): Reaction {
  return { status, headers, body: { error, error_description: `It is ${error}.` } };
}
