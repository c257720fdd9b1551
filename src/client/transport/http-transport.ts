import type { Agent, ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { systemClock } from "../../system/clock.ts";
import { othersFirst } from "../../system/others-first.ts";
import { gather } from "./gather.ts";
import { createProxyAgent, proxyOf, refusalOfProxy } from "./proxy.ts";
import {
  MAX_SMALL_ANSWER_BYTES,
  type Transport,
  type TransportAnswer,
  type TransportLimits,
  type TransportPath,
  type TransportRequest,
} from "./transport.ts";
import {
  CONNECT_TIMEOUT,
  failureOf,
  HEADERS_TIMEOUT,
  IDLE_TIMEOUT,
  type Stage,
  TOO_SLOW,
} from "./transport-failure.ts";

const LIMITS: TransportLimits = { connectMs: 5_000, idleMs: 30_000 };

/** Lowest acceptable rate in bytes per millisecond. A long body extends the time limits accordingly. */
const MIN_RATE = 100;
export const MAX_ANSWER_BYTES = 64 << 20;
/** How long an idle connection is kept for reuse, unless the server announces a shorter time. */
const KEPT_MS = 4_000;

/**
 * Creates a transport over Node's own HTTP client, which is loaded on the first request (docs/decisions/0007).
 * Connections are reused within the process, and lead through the environment's proxy. Redirects are not followed, so
 * that a credential reaches only its own server.
 */
export function createTransport(limits = LIMITS): Transport {
  const agents = new Map<string, Agent>();

  async function agentFor({ protocol }: URL, proxy: string | undefined): Promise<Agent> {
    const name = proxy ?? protocol;
    const options = { keepAlive: true, timeout: KEPT_MS };
    const agent =
      agents.get(name) ??
      (proxy === undefined ? new (http(protocol).Agent)(options) : await createProxyAgent(proxy, options));
    agents.set(name, agent);
    return agent;
  }

  return {
    async send(request) {
      const proxy = proxyOf(request.url);
      const path = { ...limits, proxy };
      const agent = await agentFor(request.url, proxy).catch((cause) => {
        throw failureOf(cause, "connecting", request, path);
      });
      const answer = await exchange(agent, request, path);
      // Waits a turn of the event loop until the connection is free again. Otherwise the next request would open
      // another.
      await othersFirst();
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
  limits: TransportPath,
): Promise<TransportAnswer> {
  const { method, url, timeoutMs, signal, maxBytes = MAX_ANSWER_BYTES } = request;
  signal?.throwIfAborted();
  // Node would concatenate a string body with the headers, and then write the headers as UTF-8.
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
    sending.on("proxyConnect", ({ statusCode }: { statusCode: number }) => {
      // What follows is the proxy's own page.
      if (statusCode !== 200) fail(failed(new Error(refusalOfProxy(statusCode))));
    });
    sending.on("socket", (socket: Socket & { secureConnecting?: boolean }) => {
      // Within a tunnel, the connection stands before TLS does.
      if (!socket.connecting && !socket.secureConnecting) return sent();
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
    // A server may answer and close before it has read the whole body. The answer counts; reading it reports its own
    // errors.
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
          // A trickling answer never pauses long enough for the idle timeout, so its rate is checked as well.
          const late = answeredAt + limits.idleMs + gathered.length / MIN_RATE;
          if (request.onPiece && head.status === 200) pauseUntil(answer, request.onPiece(piece));
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
    function pauseUntil(answer: IncomingMessage, ready: Promise<void> | void): void {
      if (!ready) return;
      answer.pause();
      // It is not the server that is slow.
      clearTimeout(timer);
      ready.then(() => {
        if (answer.destroyed) return;
        limit(limits.idleMs, IDLE_TIMEOUT);
        answer.resume();
      }, fail);
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
