import type { Agent, ClientRequest, IncomingMessage } from "node:http";
import { systemClock } from "../../system/clock.ts";
import { gather } from "./gather.ts";
import {
  CONNECT_TIMEOUT,
  failureOf,
  HEADERS_TIMEOUT,
  IDLE_TIMEOUT,
  type Stage,
  TOO_SLOW,
} from "./transport-failure.ts";

/** One HTTP exchange; `createTransport` is the real one, tests may hand in another. */
export interface Transport {
  /**
   * Resolves with any status; rejects with `Unreachable`, with `UnexpectedAnswer` where the answer is longer
   * than it may be, with what `onPiece` throws, or with the signal's reason.
   */
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
  /** One that aborts with a `TimeoutError` is the server's failure to answer. */
  signal?: AbortSignal;
  /** The longest body of an answer that succeeds; 64 MiB unless said. Of one that fails it is 1 MiB at most. */
  maxBytes?: number;
  /** Hears what a 200 answers with while it comes, instead of its being gathered: for answers that go on. */
  onPiece?: (piece: Uint8Array) => void;
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

/** Bytes a millisecond: a long body has that much longer to be sent, and to come. */
const MIN_RATE = 100;
export const MAX_ANSWER_BYTES = 64 << 20;
/** Errors, tokens and keys are a few hundred bytes. */
export const MAX_SMALL_ANSWER_BYTES = 1 << 20;
/** How long a connection is kept for the next request, unless the server says that it waits less long. */
const KEPT_MS = 4_000;

/**
 * HTTP over Node's own client, loaded with the first request (docs/decisions/0007). Connections are kept and used
 * again within the process. Redirects are answers: a credential goes to the server it is for.
 */
export function createTransport(limits = LIMITS): Transport {
  const agents = new Map<string, Agent>();

  function agentFor(protocol: string): Agent {
    let agent = agents.get(protocol);
    if (!agent) {
      agent = new (http(protocol).Agent)({ keepAlive: true, timeout: KEPT_MS });
      agents.set(protocol, agent);
    }
    return agent;
  }

  return {
    async send(request) {
      const answer = await exchange(agentFor(request.url.protocol), request, limits);
      // A turn later the connection is free; sooner, the next request would open another.
      await new Promise((resolve) => setImmediate(resolve));
      return answer;
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
    },
  };
}

function http(protocol: string) {
  const { getBuiltinModule } = process;
  return protocol === "https:" ? getBuiltinModule("node:https") : getBuiltinModule("node:http");
}

async function exchange(
  agent: Agent,
  request: TransportRequest,
  limits: TransportLimits,
): Promise<TransportAnswer> {
  const { method, url, timeoutMs, signal, maxBytes = MAX_ANSWER_BYTES } = request;
  signal?.throwIfAborted();
  // As text it would be joined to the headers, and those then be written as UTF-8.
  const body = typeof request.body === "string" ? Buffer.from(request.body) : request.body;
  const headers = { ...request.headers, ...(body && { "content-length": String(body.length) }) };
  return new Promise<TransportAnswer>((resolve, reject) => {
    let stage: Stage = "connecting";
    let timer: NodeJS.Timeout | undefined;
    let sending: ClientRequest | undefined;
    signal?.addEventListener("abort", abort, { once: true });
    limit(limits.connectMs, CONNECT_TIMEOUT);
    try {
      sending = http(url.protocol).request(url, { method, headers, agent });
    } catch (reason) {
      return fail(failed(reason as Error));
    }
    sending.on("socket", (socket) => {
      if (!socket.connecting) return sent();
      socket.once(url.protocol === "https:" ? "secureConnect" : "connect", sent);
    });
    sending.on("response", (answer) => {
      stage = "answered";
      try {
        read(answer);
      } catch (reason) {
        fail(reason);
      }
    });
    // A server may answer and close before it has read all of the body: the answer counts, whose own error follows.
    sending.on("error", (cause) => stage !== "answered" && fail(failed(cause)));
    sending.end(body);

    function sent(): void {
      stage = "sent";
      limit(Math.ceil(timeoutMs + (body?.length ?? 0) / MIN_RATE), HEADERS_TIMEOUT);
    }
    function read(answer: IncomingMessage): void {
      const head = { status: answer.statusCode as number, headers: joined(answer.headers) };
      const most = head.status < 400 ? maxBytes : Math.min(maxBytes, MAX_SMALL_ANSWER_BYTES);
      const gathered = gather(url, head, most);
      const answeredAt = systemClock.monotonic();
      limit(limits.idleMs, IDLE_TIMEOUT);
      answer.on("error", (cause) => fail(failed(cause)));
      answer.on("data", (piece: Buffer) => {
        timer?.refresh();
        try {
          // An answer that trickles never pauses for long, so that only its rate tells.
          const late = answeredAt + limits.idleMs + gathered.length / MIN_RATE;
          if (request.onPiece && head.status === 200) request.onPiece(piece);
          else if (systemClock.monotonic() > late) fail(failed(coded(TOO_SLOW)));
          else gathered.add(piece);
        } catch (reason) {
          fail(reason);
        }
      });
      answer.on("end", () => {
        settle();
        resolve({ ...head, body: gathered.bytes() });
      });
    }
    function limit(ms: number, code: string): void {
      clearTimeout(timer);
      timer = setTimeout(() => fail(failed(coded(code))), ms);
    }
    function abort(): void {
      const { reason } = signal as AbortSignal;
      fail(reason?.name === "TimeoutError" ? failed(coded(HEADERS_TIMEOUT)) : reason);
    }
    function failed(cause: Error): Error {
      return failureOf(cause, stage, request, limits);
    }
    function fail(reason: unknown): void {
      settle();
      reject(reason);
      sending?.destroy();
    }
    function settle(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  });
}

function coded(code: string): Error {
  return Object.assign(new Error(code), { code });
}

function joined(headers: IncomingMessage["headers"]): TransportAnswer["headers"] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
  );
}
