import type { IncomingHttpHeaders } from "node:http";
import { type Caller, lastingIdOf } from "../contract/caller.ts";
import { mediaTypeOf } from "../contract/media-types.ts";
import { Problem } from "../contract/problem.ts";
import type { Catalogue } from "../metering/plans.ts";
import { ruleOfTool, type Upstream } from "../metering/upstreams.ts";
import { onAbort } from "../system/abort.ts";
import type { Clock } from "../system/clock.ts";
import type { Log } from "../system/log.ts";
import { failed, type GatewayAnswer, ownResult, refusal, unanswered, usedUp } from "./answers.ts";
import { beginCall, type Call } from "./calls/call.ts";
import type { CallOutcome } from "./calls/call-counters.ts";
import type { CallMeter } from "./calls/call-meter.ts";
import { CANCELLATION, cancelled, createRunningRequests } from "./calls/running-requests.ts";
import type { ToolNames } from "./calls/tool-names.ts";
import { createConcurrencyLimiter } from "./concurrency-limiter.ts";
import { createGates, type Rights } from "./gates.ts";
import type { SignIdentity } from "./identity.ts";
import type { Message, MessageId } from "./message.ts";
import { headerMismatch } from "./relay/mirrored-headers.ts";
import { createOpenStreams, revoked } from "./relay/open-streams.ts";
import { headersFromClient, identityHeader, SESSION } from "./relay/passed-headers.ts";
import { type Asked, createRelay } from "./relay/relay-answer.ts";
import { isStateless, RPC } from "./rpc.ts";
import type { SessionOwner, Sessions } from "./sessions.ts";
import { createFailureLog, type UpstreamHealth } from "./upstream-health.ts";
import type { Circuits } from "./upstreams/account-circuits.ts";
import { throughCircuit } from "./upstreams/through-circuit.ts";
import {
  EVENT_STREAM,
  type FailureKind,
  isEndless,
  type UpstreamAnswer,
  UpstreamFailure,
  type UpstreamPort,
} from "./upstreams/upstream-port.ts";

export interface GatewayRequest {
  method: "POST" | "GET" | "DELETE";
  headers: IncomingHttpHeaders;
  caller: Caller;
  /** Present on a POST. */
  message?: Message;
  /** For a key bound to certain tools, whether one is listed; all if absent. A called tool is already checked. */
  isFor?: ((tool: string) => boolean) | undefined;
  /** Aborts when the answer was sent or the client disconnected. */
  signal: AbortSignal;
  /** Whether its credential is still valid. */
  isValid: () => Promise<boolean>;
}

export interface GatewayPorts {
  upstream: Upstream;
  port: UpstreamPort;
  circuits: Circuits;
  /** The operator's headers, by lower-case name. Sent with every request, overriding a client's. */
  headers: Readonly<Record<string, string>>;
  catalogue: Pick<Catalogue, "tiers" | "upgradeUrl">;
  clock: Clock;
  log: Log;
  meter: CallMeter;
  names: ToolNames;
  sessions: Sessions;
  signIdentity: SignIdentity;
  rightsOf: (caller: Caller) => Promise<Rights>;
  onCall?: (outcome: CallOutcome, ms: number) => void;
}

/** One upstream as seen by its callers: authenticated, within their plan, counted. */
export interface Gateway {
  answer(request: GatewayRequest): Promise<GatewayAnswer>;
  readonly health: UpstreamHealth;
  /** Ends the streams that otherwise last as long as their clients. */
  endStreams(): void;
  close(): Promise<void>;
}

const CONCURRENCY = 256;
const STATUS: Record<Exclude<FailureKind, "cancelled">, number> = {
  unreachable: 502,
  malformed: 502,
  too_large: 502,
  refused: 502,
  timeout: 504,
  paused: 503,
};

export function createGateway(ports: GatewayPorts): Gateway {
  const { upstream, port, circuits, clock, log, meter, names, sessions } = ports;
  const title = upstream.title ?? upstream.name;
  const audience = upstream.audience ?? upstream.url ?? `stdio:${upstream.name}`;
  const gates = createGates(upstream, ports.catalogue);
  const requests = createConcurrencyLimiter(upstream.concurrency ?? CONCURRENCY, title);
  const streams = createConcurrencyLimiter(upstream.concurrency ?? CONCURRENCY, `streams of ${title}`);
  const open = createOpenStreams(clock);
  const running = createRunningRequests();
  const reached = throughCircuit({ port, circuits, clock, title });

  const failures = createFailureLog(upstream.name, { clock, log });
  const { tell } = failures;
  const relay = createRelay({ title, gates, names, sessions, clock, log, tell });

  async function answer(request: GatewayRequest): Promise<GatewayAnswer> {
    const { headers, caller, message, signal } = request;
    const stateless = isStateless(headers["mcp-protocol-version"] as string | undefined);
    const mismatch = message && headerMismatch(headers, message, stateless);
    if (mismatch !== undefined) return failed(400, message, { code: RPC.headerMismatch, message: mismatch });
    // An id is unique to its client alone, and an upstream must not take it for another's.
    if (stateless && message?.method === CANCELLATION) return { status: 202, headers: {} };
    const owner = ownerOf(caller);
    const sealed = stateless ? undefined : headers[SESSION];
    const session = sealed === undefined ? undefined : await sessions.verify(String(sealed), owner);
    if (sealed !== undefined && session === undefined) {
      const unknown = { code: RPC.sessionNotFound, message: "There is no such session. Begin a new one." };
      return failed(404, message, unknown);
    }
    const release = (isEndless(request) ? streams : requests).take(caller.accountId);
    onAbort(signal, release);
    const rights = { ...(await ports.rightsOf(caller)), isFor: request.isFor };
    const call =
      message?.method === "tools/call" ? await begin(message, request, session, stateless) : undefined;
    const asked = { message, call, rights, owner, stateless, session, signal };
    const over = untilOver(asked);
    const lack = message && (await gates.lackOf(message, rights));
    if (message && lack) {
      await call?.settle("refused");
      return refusal(message, lack, stateless);
    }
    const spent = await call?.admit().then(
      () => undefined,
      (error) => (error instanceof Problem ? error : Promise.reject(error)),
    );
    if (message && spent) {
      await call?.settle("refused");
      return usedUp(message, spent, stateless);
    }
    try {
      return await relay(await send(request, asked, over), asked);
    } catch (error) {
      return answerTo(error, asked);
    }
  }

  /** Returns what ends a request: its client, by leaving or by a message that cancels it. Carries out such a message. */
  function untilOver({ message, call, owner, stateless, session, signal }: Asked): AbortController {
    const over = new AbortController();
    onAbort(signal, () => over.abort(signal.reason));
    const namer = { credential: owner.credential, session };
    if (message?.kind === "request" && message.method !== "initialize" && !stateless) {
      const id = message.id as MessageId;
      const withdraw = () => over.abort(cancelled());
      running.add({ id, cancel: () => call?.cancel(), withdraw }, namer, over.signal);
    }
    if (message) running.cancel(message, namer);
    return over;
  }

  async function send(
    request: GatewayRequest,
    { message, call, rights, owner, stateless, session }: Asked,
    over: AbortController,
  ): Promise<UpstreamAnswer> {
    const { method, headers, caller } = request;
    const endless = isEndless(request);
    const identified = { caller, rights, audience, tool: call && message?.subject };
    const sign = () => ports.signIdentity({ ...identified, offThread: requests.taken > 1 });
    const answered = await reached(
      {
        method,
        headers: {
          ...headersFromClient(headers, stateless),
          ...(session !== undefined && { [SESSION]: session }),
          ...identityHeader(ports.headers, await sign()),
          ...ports.headers,
        },
        owner: owner.credential,
        accountId: caller.accountId,
        ...(message && { message }),
        sign: async () => ((await holds(request)()) ? sign() : Promise.reject(revoked())),
        onSent: call?.sent,
        signal: endless ? open.begin(request.isValid, over.signal) : over.signal,
      },
      caller.accountId,
    );
    if (!endless && mediaTypeOf(answered.headers["content-type"]) === EVENT_STREAM) {
      open.watch(holds(request), over.signal, () => {
        call?.cancel();
        over.abort(revoked());
      });
    }
    return answered;
  }

  /** Returns the answer where there is none of the upstream's. */
  async function answerTo(error: unknown, { message, call }: Asked): Promise<GatewayAnswer> {
    if (!(error instanceof UpstreamFailure)) {
      await call?.settle("failed").catch(() => {});
      throw error;
    }
    tell(error);
    if (error.kind === "cancelled") {
      await call?.settle("cancelled").catch(() => {});
      return unanswered();
    }
    if (call && message) {
      const { result } = (await call.failed(error)) as { result: Record<string, unknown> };
      return ownResult(message, result);
    }
    const answered = failed(STATUS[error.kind], message, { code: RPC.internal, message: error.message });
    const { retryAfterSeconds } = error.options;
    if (retryAfterSeconds !== undefined) answered.headers["Retry-After"] = String(retryAfterSeconds);
    return answered;
  }

  async function begin(
    message: Message,
    { caller, signal }: GatewayRequest,
    session: string | undefined,
    stateless: boolean,
  ): Promise<Call> {
    const name = message.subject as string;
    const startedAt = clock.monotonic();
    const [tool, projectId] = await Promise.all([names.nameOf(name), meter.projectOf(caller)]);
    const rule = ruleOfTool(upstream, name);
    const metered = { caller, upstream: upstream.name, message, tool, rule, session, projectId, startedAt };
    const onSettled = (outcome: CallOutcome) => ports.onCall?.(outcome, clock.monotonic() - startedAt);
    return beginCall(metered, { meter, log, signal, stateless, onSettled });
  }

  /** A token that expires meanwhile was not revoked: a call may take longer than it lasts. */
  function holds({ caller: { credential }, isValid }: GatewayRequest): () => Promise<boolean> {
    return async () => clock.now() >= (credential.expiresAt ?? Number.POSITIVE_INFINITY) || isValid();
  }

  function ownerOf({ accountId, userId, credential }: Caller): SessionOwner {
    return { upstream: upstream.name, accountId, userId, credential: lastingIdOf(credential) };
  }

  return {
    answer,
    get health() {
      return { circuit: port.isDown ? "open" : circuits.state, lastFailure: failures.last };
    },
    endStreams: open.end,
    async close() {
      open.end();
      await port.close();
    },
  };
}
