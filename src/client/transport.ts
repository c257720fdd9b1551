import type { ClientRequest, IncomingMessage, Agent as PlainAgent, RequestOptions } from "node:http";
import { Unreachable } from "./errors.ts";
import { isTorn, reasonOf } from "./unreachable-reason.ts";

/** One HTTP exchange; `createTransport` is the real one, tests may hand in another. */
export interface Transport {
  /** Resolves with any status; rejects with `Unreachable`, or with the signal's reason. */
  send(request: TransportRequest): Promise<TransportAnswer>;
  /** Ends idle connections; they do not keep the process alive. */
  close(): void;
}

export interface TransportRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body?: string | Uint8Array;
  /** How long the answer's first byte may take, in milliseconds. */
  timeoutMs: number;
  signal?: AbortSignal;
}

export interface TransportAnswer {
  status: number;
  headers: Record<string, string | undefined>;
  body: Buffer;
}

/** Milliseconds to a connection, TLS included, and between two pieces of an answer. */
export interface TransportLimits {
  connectMs: number;
  idleMs: number;
}

const LIMITS: TransportLimits = { connectMs: 5_000, idleMs: 30_000 };

/** Bytes a millisecond: a long body has that much longer before its answer is missed. */
const SLOWEST_UPLOAD = 100;

interface HttpModule {
  request(url: URL, options: RequestOptions, answered: (answer: IncomingMessage) => void): ClientRequest;
  Agent: new (options: { keepAlive: boolean }) => PlainAgent;
}

/**
 * HTTP over Node's own client, which loads in a tenth of undici's time. Connections are kept and
 * used again within the process. Redirects are answers: a credential goes to the server it is for.
 */
export function createTransport(limits = LIMITS): Transport {
  const opened = new Map<string, Promise<{ http: HttpModule; agent: PlainAgent }>>();

  function open(protocol: string) {
    let module = opened.get(protocol);
    if (!module) {
      module = load(protocol).then((http) => ({ http, agent: new http.Agent({ keepAlive: true }) }));
      opened.set(protocol, module);
    }
    return module;
  }

  return {
    async send(request) {
      request.signal?.throwIfAborted();
      const { http, agent } = await open(request.url.protocol);
      return exchange(http, agent, request, limits);
    },
    close() {
      for (const module of opened.values()) void module.then(({ agent }) => agent.destroy());
      opened.clear();
    },
  };
}

function load(protocol: string): Promise<HttpModule> {
  return protocol === "https:" ? import("node:https") : import("node:http");
}

function exchange(
  http: HttpModule,
  agent: PlainAgent,
  { method, url, headers, body, timeoutMs, signal }: TransportRequest,
  limits: TransportLimits,
): Promise<TransportAnswer> {
  return new Promise((resolve, reject) => {
    let connected = false;
    let answered = false;
    let timer: NodeJS.Timeout | undefined;
    const request = http.request(url, { method, headers, agent }, (answer) => {
      answered = true;
      const pieces: Buffer[] = [];
      limit(limits.idleMs, "its answer stopped half way");
      answer.on("data", (piece: Buffer) => {
        pieces.push(piece);
        limit(limits.idleMs, "its answer stopped half way");
      });
      answer.on("error", fail);
      answer.on("end", () => {
        settle();
        resolve({
          status: answer.statusCode ?? 0,
          headers: joined(answer.headers),
          body: Buffer.concat(pieces),
        });
      });
    });
    request.on("socket", (socket) => {
      const ready = () => {
        connected = true;
        limit(timeoutMs + (body?.length ?? 0) / SLOWEST_UPLOAD, `no answer within ${timeoutMs / 1000} s`);
      };
      if (!socket.connecting) return ready();
      limit(limits.connectMs, `no connection within ${limits.connectMs / 1000} s`);
      socket.once(url.protocol === "https:" ? "secureConnect" : "connect", ready);
    });
    request.on("error", (error) => {
      // A server may answer and close before it has read all of the body; the answer counts.
      if (!answered) fail(error);
    });
    signal?.addEventListener("abort", abort, { once: true });
    // Text would be joined to the headers, and those then written as UTF-8.
    request.end(typeof body === "string" ? Buffer.from(body) : body);

    function limit(ms: number, reason: string): void {
      clearTimeout(timer);
      timer = setTimeout(() => fail(undefined, reason), ms);
    }
    function fail(cause: unknown, reason = reasonOf(cause, url)): void {
      settle();
      const delivery = connected ? "unknown" : "never";
      reject(new Unreachable(url.origin, reason, { delivery, torn: isTorn(cause), cause }));
      request.destroy();
    }
    function abort(): void {
      settle();
      reject(signal?.reason);
      request.destroy();
    }
    function settle(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  });
}

function joined(headers: IncomingMessage["headers"]): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
  );
}
