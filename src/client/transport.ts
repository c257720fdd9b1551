import type { Agent, Dispatcher } from "undici";
import { failureOf } from "./transport-failure.ts";

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

/** Bytes a millisecond: a long body has that much longer before its answer is missed. */
const SLOWEST_UPLOAD = 100;

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
  const { method, url, headers, body, timeoutMs, signal } = request;
  signal?.throwIfAborted();
  const headersTimeout = Math.ceil(timeoutMs + (body?.length ?? 0) / SLOWEST_UPLOAD);
  return new Promise<TransportAnswer>((resolve, reject) => {
    let sending: Dispatcher.DispatchController | undefined;
    let head: Pick<TransportAnswer, "status" | "headers"> | undefined;
    const pieces: Buffer[] = [];

    function abort(): void {
      reject(signal?.reason);
      sending?.abort(signal?.reason);
    }
    signal?.addEventListener("abort", abort, { once: true });
    agent.dispatch(
      { origin: url.origin, path: url.pathname + url.search, method, headers, body, headersTimeout },
      {
        onRequestStart(controller) {
          sending = controller;
          if (signal?.aborted) abort();
        },
        onResponseStart(_, status, received) {
          head = { status, headers: joined(received) };
        },
        onResponseData(_, piece) {
          if (request.onPiece && head?.status === 200) request.onPiece(piece);
          else pieces.push(piece);
        },
        onResponseEnd() {
          signal?.removeEventListener("abort", abort);
          if (head) resolve({ ...head, body: Buffer.concat(pieces) });
        },
        onResponseError(_, cause) {
          signal?.removeEventListener("abort", abort);
          const stage = head ? "answered" : sending ? "sent" : "connecting";
          reject(failureOf(cause, stage, request, limits));
        },
      },
    );
  });
}

function joined(headers: Record<string, string | string[] | undefined>): TransportAnswer["headers"] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
  );
}
