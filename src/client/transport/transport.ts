import type { Agent, Dispatcher } from "undici";
import { systemClock } from "../../system/clock.ts";
import { type Gathered, gather } from "./gather.ts";
import { failureOf, HEADERS_TIMEOUT, TOO_SLOW } from "./transport-failure.ts";

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
/** What undici's own timers, which look twice a second, are late at most. */
const PATIENCE_MS = 2000;
/** Errors, tokens and keys are a few hundred bytes. */
export const MAX_SMALL_ANSWER_BYTES = 1 << 20;

/**
 * HTTP over undici's agent, loaded with the first request: all of undici takes several times as long.
 * Connections are kept and used again within the process. Redirects are answers: a credential goes to
 * the server it is for.
 */
export function createTransport(limits = LIMITS): Transport {
  let agent: Promise<Agent> | undefined;

  async function open(): Promise<Agent> {
    // undici parses with WebAssembly, which V8 optimises once it has run 1.8 MB of it, at the first answer:
    // 40 ms for which the end of the process waits. A command is over long before that pays.
    process.getBuiltinModule("node:v8").setFlagsFromString("--wasm-tiering-budget=1000000000");
    const { default: Agent } = await import("undici/lib/dispatcher/agent.js");
    return new Agent({ connectTimeout: limits.connectMs, bodyTimeout: limits.idleMs });
  }

  return {
    async send(request) {
      agent ??= open();
      const answer = await exchange(await agent, request, limits);
      // A turn later the connection is free; sooner, the next request would open another.
      await new Promise((resolve) => setImmediate(resolve));
      return answer;
    },
    close() {
      void agent?.then((opened) => opened.close());
      agent = undefined;
    },
  };
}

async function exchange(
  agent: Agent,
  request: TransportRequest,
  limits: TransportLimits,
): Promise<TransportAnswer> {
  const { method, url, headers, body, timeoutMs, signal, maxBytes = MAX_ANSWER_BYTES } = request;
  signal?.throwIfAborted();
  const headersTimeout = Math.ceil(timeoutMs + (body?.length ?? 0) / MIN_RATE);
  return new Promise<TransportAnswer>((resolve, reject) => {
    let sending: Dispatcher.DispatchController | undefined;
    let head: Pick<TransportAnswer, "status" | "headers"> | undefined;
    let gathered: Gathered | undefined;
    let answeredAt = 0;
    let over: { reason: unknown } | undefined;
    // undici begins its own anew with each interim answer (RFC 9110 §15.2).
    const patience = setTimeout(() => fail(failed(coded(HEADERS_TIMEOUT))), headersTimeout + PATIENCE_MS);

    function fail(reason: unknown): void {
      over = { reason };
      settle();
      reject(reason);
      sending?.abort(reason as Error);
    }
    function settle(): void {
      clearTimeout(patience);
      signal?.removeEventListener("abort", abort);
    }
    function abort(): void {
      const { reason } = signal as AbortSignal;
      fail(reason?.name === "TimeoutError" ? failed(coded(HEADERS_TIMEOUT)) : reason);
    }
    function failed(cause: Error): Error {
      const stage = head ? "answered" : sending ? "sent" : "connecting";
      return failureOf(cause, stage, request, limits);
    }
    /** An answer that trickles never pauses for long, so that only its rate tells. */
    function isTooSlow({ length }: Gathered): boolean {
      return systemClock.monotonic() - answeredAt > limits.idleMs + length / MIN_RATE;
    }
    signal?.addEventListener("abort", abort, { once: true });
    agent.dispatch(
      { origin: url.origin, path: url.pathname + url.search, method, headers, body, headersTimeout },
      {
        onRequestStart(controller) {
          sending = controller;
          if (over) controller.abort(over.reason as Error);
        },
        onResponseStart(_, status, received) {
          if (status < 200) return;
          clearTimeout(patience);
          head = { status, headers: joined(received) };
          answeredAt = systemClock.monotonic();
          gathered = gather(url, head, status < 400 ? maxBytes : Math.min(maxBytes, MAX_SMALL_ANSWER_BYTES));
        },
        onResponseData(_, piece) {
          try {
            if (request.onPiece && head?.status === 200) request.onPiece(piece);
            else if (gathered && isTooSlow(gathered)) fail(failed(coded(TOO_SLOW)));
            else gathered?.add(piece);
          } catch (reason) {
            fail(reason);
          }
        },
        onResponseEnd() {
          settle();
          if (head && gathered) resolve({ ...head, body: gathered.bytes() });
        },
        onResponseError(_, cause) {
          settle();
          reject(failed(cause));
        },
      },
    );
  });
}

function coded(code: string): Error {
  return Object.assign(new Error(code), { code });
}

function joined(headers: Record<string, string | string[] | undefined>): TransportAnswer["headers"] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
  );
}
