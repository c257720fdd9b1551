import { mediaTypeOf } from "../../contract/media-types.ts";
import type { Clock } from "../../system/clock.ts";
import type { Log } from "../../system/log.ts";
import { failed, type GatewayAnswer } from "../answers.ts";
import type { Call } from "../calls/call.ts";
import type { ToolNames } from "../calls/tool-names.ts";
import { type Gates, isList, type Rights } from "../gates.ts";
import type { Message } from "../message.ts";
import { RPC } from "../rpc.ts";
import type { SessionOwner, Sessions } from "../sessions.ts";
import { EVENT_STREAM, type UpstreamAnswer, UpstreamFailure } from "../upstreams/upstream-port.ts";
import { checkAnswered, checkStatus } from "./check-status.ts";
import { cutOff } from "./cut-off.ts";
import { keptAlive } from "./kept-alive.ts";
import { listReader } from "./list-reader.ts";
import { headersFromUpstream, SESSION } from "./passed-headers.ts";
import { type Reader, readShort, relayAgain, relayBytes, relayEvents, relayJson } from "./relay.ts";
import { createSessionStreams } from "./session-streams.ts";

/** A request that its client may make, with what is known of it. */
export interface Asked {
  message: Message | undefined;
  /** Of a tool. */
  call: Call | undefined;
  rights: Rights;
  owner: SessionOwner;
  /** Whether it is of a revision without sessions (2026-07-28). */
  stateless: boolean;
  /** The upstream's own name of the session. */
  session: string | undefined;
  /** Aborts when the answer was sent or the client disconnected. */
  signal: AbortSignal;
}

/**
 * Returns a function that passes an upstream's answer on to the client: within its plan, its calls counted. Rejects with an
 * `UpstreamFailure` for answers that are not for clients.
 */
export function createRelay({
  title,
  gates,
  names,
  sessions,
  clock,
  log,
  tell,
}: {
  title: string;
  gates: Gates;
  names: ToolNames;
  sessions: Sessions;
  clock: Clock;
  log: Log;
  /** Called with a failure that ends an answer half way. */
  tell: (failure: UpstreamFailure) => void;
}): (answered: UpstreamAnswer, asked: Asked) => Promise<GatewayAnswer> {
  const sessionStreams = createSessionStreams();

  async function headersTo({ owner, stateless }: Asked, headers: UpstreamAnswer["headers"]) {
    const given = headers[SESSION];
    const signed = given === undefined || stateless ? undefined : await sessions.sign(String(given), owner);
    return { ...headersFromUpstream(headers), ...(signed !== undefined && { "Mcp-Session-Id": signed }) };
  }

  function streamed({ body, waitForClient: onAsked }: UpstreamAnswer, asked: Asked): AsyncIterable<Buffer> {
    const { message, session, stateless, rights, signal } = asked;
    if (session !== undefined && message && onAsked) sessionStreams.add(session, onAsked, signal);
    const reader = readerOf(asked);
    const watched = session === undefined || message ? body : sessionStreams.watch(session, body);
    const events = reader
      ? relayEvents(body, reader, { title, resumes: !stateless, onAsked })
      : eventsUnread(watched, message, rights);
    return cutOff(keptAlive(events, clock), tell);
  }

  /** Passes on what is no answer to a request, or no success. */
  async function short(
    { status, headers, body }: UpstreamAnswer,
    message: Message | undefined,
    passed: Record<string, string>,
  ): Promise<GatewayAnswer> {
    const read = await readShort(body, title);
    const isJson = mediaTypeOf(headers["content-type"]) === "application/json" && read.length > 0;
    checkAnswered(message, { status, json: isJson ? read : undefined }, title);
    if (isJson) return { status, headers: passed, body: read };
    if (status < 400) return { status: message ? 202 : 204, headers: {} };
    const { "content-type": _, ...others } = passed;
    const words = `${title} answered with the status ${status}.`;
    const said = failed(status, message, { code: RPC.internal, message: words });
    return { ...said, headers: { ...others, ...said.headers } };
  }

  /** Returns a stream without a request. Lists redelivered on it are filtered by plan as well. */
  function eventsUnread(body: AsyncIterable<Buffer>, message: Message | undefined, rights: Rights) {
    if (message || !gates.filtersAny(rights)) return body;
    return relayAgain(body, (result) => gates.filterAny(result, rights), title);
  }

  function readerOf({ message, call, rights }: Asked): Reader | undefined {
    if (call || !message || message.kind !== "request" || !isList(message.method)) return call;
    return listReader(message, { gates, rights, names, title, log });
  }

  return async (answered, asked) => {
    const { status, headers, body } = answered;
    const { message, call } = asked;
    checkStatus(status, headers, title);
    const type = mediaTypeOf(headers["content-type"]);
    const passed = await headersTo(asked, headers);
    if (type === EVENT_STREAM && status === 200) {
      return { status, headers: { ...passed, "X-Accel-Buffering": "no" }, body: streamed(answered, asked) };
    }
    if (status !== 200) await call?.settle("error");
    if (status !== 200 || message?.kind !== "request") return short(answered, message, passed);
    if (type !== "application/json")
      throw new UpstreamFailure("malformed", `${title} did not answer in JSON.`);
    const reader = readerOf(asked);
    const relayed = reader ? await relayJson(body, reader, title) : relayBytes(body, title);
    return { status, headers: passed, body: Buffer.isBuffer(relayed) ? relayed : cutOff(relayed, tell) };
  };
}
