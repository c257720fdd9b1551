import { onAbort } from "../../system/abort.ts";
import type { Clock } from "../../system/clock.ts";
import { MINUTE_MS } from "../../system/durations.ts";
import { inTime } from "../../system/in-time.ts";
import { isObject } from "../../system/is-object.ts";
import type { Log } from "../../system/log.ts";
import type { Message, MessageId } from "../message.ts";
import { tooLong } from "../relay/relay.ts";
import { isStateless, META } from "../rpc.ts";
import { type Child, startChild } from "./child.ts";
import { earlyAnswer } from "./early-answer.ts";
import { type Greeting, greet, statelessMeta } from "./handshake.ts";
import { createHeldAnswers } from "./held-answers.ts";
import { createPending, type Pending, type PendingRequest, type Said, UnreadAnswer } from "./pending.ts";
import type { AnswerLine } from "./program-lines.ts";
import {
  answeredHere,
  answerToProgram,
  eventsAnswer,
  jsonAnswer,
  ofSubscription,
  textAnswer,
  versionRefused,
} from "./stdio-answers.ts";
import { createTaskOwners } from "./task-owners.ts";
import {
  isEndless,
  type UpstreamAnswer,
  UpstreamFailure,
  type UpstreamPort,
  type UpstreamRequest,
} from "./upstream-port.ts";

export interface StdioUpstreamOptions {
  name: string;
  title: string;
  command: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Longest time without a message for a request. */
  timeoutMs: number;
  clock: Clock;
  log: Log;
}

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
/** Their answers would name others' tasks, or a subscription by an id that is not its client's. */
const NEVER_UNREAD = ["tasks/list", "subscriptions/listen"];
/** Long, because `npx` and its like download a program before they start it. */
const GREETING_MS = MINUTE_MS;

/**
 * A program that is started once and serves all clients. Requests get internal ids on the way to it, and answers the
 * clients' ids on the way back. If it ends it is started again, with growing pauses.
 */
export function stdioUpstream(options: StdioUpstreamOptions): UpstreamPort {
  const { name, title, timeoutMs, clock, log } = options;
  const pending = new Map<number, Pending>();
  const tasks = createTaskOwners();
  const held = createHeldAnswers(title);
  const over = new AbortController();
  let lastId = 0;
  /** Whether its last start has failed, or it has ended since. */
  let isDown = false;
  let running: { child: Child; greeting: Promise<Greeting> } | undefined;
  const supervised = supervise();

  async function supervise(): Promise<void> {
    /** Whether the next start probes: as the last one that came to be, otherwise the other way. */
    let probes = true;
    for (let pauseMs = FIRST_PAUSE_MS; !over.signal.aborted; ) {
      const startedAt = clock.monotonic();
      const child = startChild({ ...options, onMessage, onUnread, onTooLong });
      const greeting = meet(child, probes);
      greeting.then(
        ({ stateless }) => {
          probes = stateless;
          isDown = false;
        },
        (error) => {
          log.error({ upstream: name, err: error }, "a program could not be greeted");
          probes = !probes;
          void child.end();
        },
      );
      running = { child, greeting };
      const why = await child.ended;
      running = undefined;
      isDown = true;
      failAll();
      tasks.forget();
      // What the program has started may hold what its next start needs.
      await child.end();
      if (over.signal.aborted) return;
      if (clock.monotonic() - startedAt > MAX_PAUSE_MS) pauseMs = FIRST_PAUSE_MS;
      log.error({ upstream: name, why, pauseMs }, "a program has ended, and is started again");
      await clock.sleep(pauseMs, over.signal).catch(() => {});
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    }
  }

  async function meet(child: Child, probes: boolean): Promise<Greeting> {
    const greeting = await greet(
      async (method, params) => {
        const { id, answer } = begin({ id: 0, method, progressToken: undefined, owner: "" });
        child.write({ jsonrpc: "2.0", id, method, params });
        const said = await firstOf(answer, id, GREETING_MS);
        return "result" in said && isObject(said.result) ? said.result : undefined;
      },
      (method) => child.write({ jsonrpc: "2.0", method }),
      { clock, probes },
    );
    if (greeting) return greeting;
    throw new Error("The program answers neither server/discover nor initialize.");
  }

  function begin(about: PendingRequest): { id: number; answer: Pending } {
    const id = ++lastId;
    const answer = createPending(about);
    pending.set(id, answer);
    return { id, answer };
  }

  function failAll(): void {
    const failure = new UpstreamFailure("unreachable", `${title} has ended, and is started again.`);
    for (const each of pending.values()) each.fail(failure);
    pending.clear();
  }

  function onMessage(message: Record<string, unknown>): void {
    const { id, method, params } = message;
    if (method === undefined) {
      const asked = typeof id === "number" ? pending.get(id) : undefined;
      if (!asked) return;
      pending.delete(id as number);
      const { result } = message;
      const seen = isObject(result) && tasks.seen(asked.method, result, asked.owner);
      asked.push({ ...message, ...(seen && { result: ofSubscription(seen, asked.id) }), id: asked.id });
      asked.end();
      return;
    }
    if (id !== undefined) running?.child.write(answerToProgram(id as MessageId, String(method)));
    if (id !== undefined || !isObject(params)) return;
    const { _meta, progressToken, requestId } = params;
    if (method === "notifications/cancelled") endSubscription(requestId);
    const subscription = isObject(_meta) ? _meta[META.subscriptionId] : undefined;
    const about = subscription ?? progressToken;
    const asked = typeof about === "number" ? pending.get(about) : undefined;
    // Some programs report progress that nobody asked for, under the id of the request.
    if (!asked || (!subscription && asked.progressToken === undefined)) return;
    const own = subscription
      ? ofSubscription(params, asked.id)
      : { ...params, progressToken: asked.progressToken };
    asked.push({ ...message, params: own });
  }

  /** Ends the stream of a subscription that the program gives up (MCP 2026-07-28, Cancellation). */
  function endSubscription(id: unknown): void {
    const asked = pending.get(id as number);
    if (asked?.method !== "subscriptions/listen") return;
    pending.delete(id as number);
    asked.end();
  }

  function onUnread({ id, before, behind }: AnswerLine): void {
    const asked = pending.get(id);
    if (!asked || NEVER_UNREAD.includes(asked.method)) {
      onTooLong(id);
      return;
    }
    pending.delete(id);
    try {
      asked.hold?.(before.length + behind.length);
      asked.push(new UnreadAnswer(Buffer.concat([before, Buffer.from(JSON.stringify(asked.id)), behind])));
      asked.end();
    } catch (error) {
      asked.fail(error);
    }
  }

  function onTooLong(id: number): void {
    pending.get(id)?.fail(tooLong(title));
    pending.delete(id);
  }

  /** Waits for the program's start, but no longer than for an answer. */
  function greeted(greeting: Promise<Greeting>): Promise<Greeting> {
    const known = greeting.catch((error) => {
      throw new UpstreamFailure("unreachable", `${title} did not start.`, { cause: error });
    });
    return within(timeoutMs, "started", known);
  }

  /** Returns the next message, or throws on timeout. */
  function nextOf(
    messages: AsyncGenerator<Said>,
    id: number,
    withinMs: number,
  ): Promise<IteratorResult<Said, void>> {
    return within(withinMs, "answered", messages.next(), () => cancel(id, "timeout"));
  }

  /** @param what what the program has not done in time. */
  function within<T>(ms: number, what: string, awaited: Promise<T>, onLate = () => {}): Promise<T> {
    const late = () => {
      onLate();
      throw new UpstreamFailure("timeout", `${title} has not ${what} within ${ms / 1000} s.`);
    };
    return inTime(awaited, { clock, ms, late });
  }

  async function firstOf(answer: Pending, id: number, withinMs: number): Promise<Said> {
    const { value } = await nextOf(answer.messages(), id, withinMs);
    return value ?? {};
  }

  function cancel(id: number, reason: string): void {
    if (!pending.delete(id)) return;
    const params = { requestId: id, reason };
    running?.child.write({ jsonrpc: "2.0", method: "notifications/cancelled", params });
  }

  async function* relayed(id: number, answer: Pending, endless: boolean): AsyncGenerator<Said, void> {
    const messages = answer.messages();
    try {
      for (;;) {
        const next = endless ? await messages.next() : await nextOf(messages, id, timeoutMs);
        if (next.done) return;
        yield next.value;
      }
    } finally {
      cancel(id, "the client went away");
    }
  }

  async function ask(
    request: UpstreamRequest,
    message: Message,
    greeting: Greeting,
  ): Promise<UpstreamAnswer> {
    // A client that left during the program's start may have asked again since: the program does it once.
    request.signal.throwIfAborted();
    const { method, params, id: own } = message;
    const meta = isObject(params._meta) ? params._meta : {};
    const progressToken = meta.progressToken as MessageId | undefined;
    const { owner } = request;
    const hold = (bytes: number) => held.hold(request, bytes);
    const { id, answer } = begin({ id: own as MessageId, method, progressToken, owner, hold });
    const sent = {
      ...(greeting.stateless ? statelessMeta(meta) : meta),
      ...(progressToken !== undefined && { progressToken: id }),
      [META.identity]: request.headers.authorization?.replace("Bearer ", ""),
    };
    const child = running?.child;
    if (!child?.write({ jsonrpc: "2.0", id, method, params: { ...params, _meta: sent } })) {
      pending.delete(id);
      throw new UpstreamFailure("unreachable", `${title} takes no requests at the moment.`);
    }
    request.onSent?.();
    const gone = () => {
      cancel(id, "the client went away");
      answer.fail(request.signal.reason);
    };
    onAbort(request.signal, gone);
    const stateless = isStateless(request.headers["mcp-protocol-version"]);
    const endless = isEndless(request);
    if (method === "subscriptions/listen") return eventsAnswer(relayed(id, answer, endless));
    if (!endless && progressToken === undefined)
      return jsonAnswer(await firstOf(answer, id, timeoutMs), stateless);
    const early = await earlyAnswer(relayed(id, answer, endless), clock);
    return "answer" in early ? jsonAnswer(early.answer, stateless) : eventsAnswer(early.messages);
  }

  return {
    async send(request) {
      const { message, method } = request;
      // There are no sessions and no messages initiated by the server.
      if (!message) return textAnswer(method === "DELETE" ? 204 : 405, "");
      const version = request.headers["mcp-protocol-version"];
      const refused = versionRefused(version, message.id);
      if (refused) return refused;
      if (!running)
        throw new UpstreamFailure("unreachable", `${title} is not running. It is started again shortly.`);
      const greeting = await greeted(running.greeting);
      // Notifications name requests by their clients' ids, which the program does not know.
      if (message.kind !== "request") return textAnswer(202, "");
      const stateless = isStateless(version);
      const local = stateless && greeting.stateless ? undefined : answeredHere(message, greeting, stateless);
      return local ?? tasks.refused(message, request.owner) ?? ask(request, message, greeting);
    },
    get isDown() {
      return isDown;
    },
    async close() {
      over.abort();
      await running?.child.end();
      await supervised;
    },
  };
}
