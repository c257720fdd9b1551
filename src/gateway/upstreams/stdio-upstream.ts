import { onAbort } from "../../system/abort.ts";
import type { Clock } from "../../system/clock.ts";
import { MINUTE_MS } from "../../system/durations.ts";
import { inTime } from "../../system/in-time.ts";
import { isObject } from "../../system/is-object.ts";
import type { Log } from "../../system/log.ts";
import { createHeldBytes } from "../held-bytes.ts";
import type { Message, MessageId } from "../message.ts";
import { isStateless, META } from "../rpc.ts";
import { type Child, startChild } from "./child.ts";
import { earlyAnswer } from "./early-answer.ts";
import { type Greeting, greet, statelessMeta } from "./handshake.ts";
import type { Pending, Said } from "./pending.ts";
import { createProgramRequests } from "./program-requests.ts";
import { createProgramTurns, type ProgramTurn } from "./program-turns.ts";
import { answeredHere, eventsAnswer, jsonAnswer, textAnswer, versionRefused } from "./stdio-answers.ts";
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
  /** Requests of one account that the program has at once. */
  parallel?: number | undefined;
  clock: Clock;
  log: Log;
}

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
/** How long a request may wait until whose it is has to be signed anew. */
const FRESH_MS = 5_000;

/** The program that gets a request, and when the request came here, in monotonic milliseconds. */
interface Receiver {
  child: Child;
  greeting: Greeting;
  cameAt: number;
}

interface Begun {
  id: number;
  answer: Pending;
}

/**
 * What the long answers of a program hold that wait for their clients: it cannot be told to write more slowly, as a server
 * over HTTP is, without all its other clients waiting as well.
 */
const MAX_HELD_BYTES = 128 * 1024 * 1024;
/** Long, because `npx` and its like download a program before they start it. */
const GREETING_MS = MINUTE_MS;

/** A program that is started once and serves all clients. If it ends it is started again, with growing pauses. */
export function stdioUpstream(options: StdioUpstreamOptions): UpstreamPort {
  const { name, title, timeoutMs, clock, log, parallel: most } = options;
  const tasks = createTaskOwners();
  const held = createHeldBytes(MAX_HELD_BYTES);
  const turns = createProgramTurns({ title, timeoutMs, clock, most });
  const write = (message: Record<string, unknown>) => running?.child.write(message) ?? false;
  const requests = createProgramRequests({ title, tasks, write, clock, timeoutMs });
  const over = new AbortController();
  /** Whether its last start has failed, or it has ended since. */
  let isDown = false;
  /** Why the program has ended last. */
  let cause: Error | undefined;
  let running: { child: Child; greeting: Promise<Greeting> } | undefined;
  const supervised = supervise();

  async function supervise(): Promise<void> {
    /** Whether the next start probes: as the last one that came to be, otherwise the other way. */
    let probes = true;
    for (let pauseMs = FIRST_PAUSE_MS; !over.signal.aborted; ) {
      const startedAt = clock.monotonic();
      const child = startChild({ ...options, ...requests });
      const greeting = meet(child, probes);
      greeting.then(
        ({ stateless }) => {
          probes = stateless;
          isDown = false;
        },
        (error) => {
          // That it has ended is logged where it ends.
          if (running) log.error({ upstream: name, err: error }, "a program could not be greeted");
          probes = !probes;
          void child.end();
        },
      );
      running = { child, greeting };
      const why = await child.ended;
      running = undefined;
      isDown = true;
      cause = new Error(why);
      requests.failAll(
        new UpstreamFailure("unreachable", `${title} has ended, and is started again.`, { cause }),
      );
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
        const { id, answer } = requests.begin({ id: 0, method, progressToken: undefined, owner: "" });
        child.write({ jsonrpc: "2.0", id, method, params });
        const said = await firstOf(relayed(Promise.resolve({ id, answer }), GREETING_MS));
        return "result" in said && isObject(said.result) ? said.result : undefined;
      },
      (method) => child.write({ jsonrpc: "2.0", method }),
      { clock, probes },
    );
    if (greeting) return greeting;
    throw new Error("The program answers neither server/discover nor initialize.");
  }

  /** Waits for the program's start, but no longer than for an answer. */
  function greeted(greeting: Promise<Greeting>): Promise<Greeting> {
    const known = greeting.catch((error) => {
      throw new UpstreamFailure("unreachable", `${title} did not start.`, { cause: error });
    });
    return within(timeoutMs, "started", known);
  }

  /** @param what what the program has not done in time. */
  function within<T>(ms: number, what: string, awaited: Promise<T>, onLate = () => {}): Promise<T> {
    const late = () => {
      onLate();
      throw new UpstreamFailure("timeout", `${title} has not ${what} within ${ms / 1000} s.`);
    };
    return inTime(awaited, { clock, ms, late });
  }

  /** Yields what the program says about a request. @param silenceMs the longest that it may be silent, if there is one. */
  async function* relayed(begun: Promise<Begun>, silenceMs: number | undefined): AsyncGenerator<Said, void> {
    const { id, answer } = await begun;
    const messages = answer.messages();
    try {
      for (;;) {
        const said = messages.next();
        const next =
          silenceMs === undefined
            ? await said
            : await within(silenceMs, "answered", said, () => requests.timeOut(id));
        if (next.done) return;
        yield next.value;
      }
    } finally {
      requests.abandon(id);
    }
  }

  async function firstOf(messages: AsyncGenerator<Said, void>): Promise<Said> {
    const { value } = await messages.next();
    await messages.return();
    return value ?? {};
  }

  /** Hands a request over to the program, once it is its turn. */
  async function begin(request: UpstreamRequest, message: Message, by: Receiver): Promise<Begun> {
    // A client that left during the program's start may have asked again since: the program does it once.
    request.signal.throwIfAborted();
    const turn = await turns.take(request, { isEndless: isEndless(request) });
    try {
      const hasWaited = clock.monotonic() - by.cameAt > FRESH_MS;
      const identity = hasWaited
        ? await request.sign?.()
        : request.headers.authorization?.replace("Bearer ", "");
      request.signal.throwIfAborted();
      request.onTurn?.();
      return handOver(request, message, { ...by, turn, identity });
    } catch (error) {
      turn.read();
      turn.end();
      throw error;
    }
  }

  function handOver(
    request: UpstreamRequest,
    { method, params, id: own }: Message,
    {
      child,
      greeting,
      turn,
      identity,
    }: { child: Child; greeting: Greeting; turn: ProgramTurn; identity: string | undefined },
  ): Begun {
    const meta = isObject(params._meta) ? params._meta : {};
    const progressToken = meta.progressToken as MessageId | undefined;
    const { owner } = request;
    const hold = (bytes: number) => {
      if (held.hold(request, bytes)) return;
      const words = `${title} has too many long answers under way. Read those that were begun, and ask again.`;
      throw new UpstreamFailure("paused", words, { retryAfterSeconds: 1 });
    };
    const about = { id: own as MessageId, method, progressToken, owner, hold };
    const begun = requests.begin(about, isEndless(request) ? undefined : turn.end);
    const { id, answer } = begun;
    const sent = {
      ...(greeting.stateless ? statelessMeta(meta) : meta),
      ...(progressToken !== undefined && { progressToken: id }),
      [META.identity]: identity,
    };
    if (!child.write({ jsonrpc: "2.0", id, method, params: { ...params, _meta: sent } }, turn.read)) {
      requests.withdraw(id);
      throw new UpstreamFailure("unreachable", `${title} takes no requests at the moment.`);
    }
    request.onSent?.();
    onAbort(request.signal, () => {
      requests.abandon(id);
      answer.fail(request.signal.reason);
    });
    return begun;
  }

  async function ask(request: UpstreamRequest, message: Message, by: Receiver): Promise<UpstreamAnswer> {
    const stateless = isStateless(request.headers["mcp-protocol-version"]);
    const endless = isEndless(request);
    const begun = begin(request, message, by);
    if (endless) await begun;
    const messages = relayed(begun, endless ? undefined : timeoutMs);
    if (message.method === "subscriptions/listen") return eventsAnswer(messages);
    const hasProgress = isObject(message.params._meta) && message.params._meta.progressToken !== undefined;
    if (!endless && !hasProgress) return jsonAnswer(await firstOf(messages), stateless);
    const early = await earlyAnswer(messages, clock);
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
        throw new UpstreamFailure("unreachable", `${title} is not running. It is started again shortly.`, {
          cause,
        });
      const { child } = running;
      const cameAt = clock.monotonic();
      const greeting = await greeted(running.greeting);
      // Notifications name requests by their clients' ids, which the program does not know.
      if (message.kind !== "request") return textAnswer(202, "");
      const stateless = isStateless(version);
      const local = stateless && greeting.stateless ? undefined : answeredHere(message, greeting, stateless);
      return (
        local ?? tasks.refused(message, request.owner) ?? ask(request, message, { child, greeting, cameAt })
      );
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
