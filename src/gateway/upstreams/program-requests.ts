import type { Clock } from "../../system/clock.ts";
import { isObject } from "../../system/is-object.ts";
import type { MessageId } from "../message.ts";
import { tooLong } from "../relay/relay.ts";
import { META } from "../rpc.ts";
import type { ChildOptions } from "./child.ts";
import { createPending, type Pending, type PendingRequest, UnreadAnswer } from "./pending.ts";
import { answerToProgram, ofSubscription } from "./stdio-answers.ts";
import type { TaskOwners } from "./task-owners.ts";

/**
 * The requests that a program has not answered. They get ids of their own on the way to it, and answers the clients' ids on
 * the way back.
 */
export interface ProgramRequests extends Pick<ChildOptions, "onMessage" | "onUnread" | "onTooLong"> {
  /** @param release called when the program has done with the request, and can turn to the next one. */
  begin(about: PendingRequest, release?: () => void): { id: number; answer: Pending };
  /** Forgets a request that the program did not get. */
  withdraw(id: number): void;
  /** Gives up a request that the program has been silent to. */
  timeOut(id: number): void;
  /** Gives up a request that nobody waits for. The program may still be at work on it. */
  abandon(id: number): void;
  failAll(failure: Error): void;
}

/** Their answers would name others' tasks, or a subscription by an id that is not its client's. */
const NEVER_UNREAD = ["tasks/list", "subscriptions/listen"];

export function createProgramRequests({
  title,
  tasks,
  write,
  clock,
  timeoutMs,
}: {
  title: string;
  tasks: TaskOwners;
  /** Returns false if the program takes no messages. */
  write: (message: Record<string, unknown>) => boolean;
  clock: Pick<Clock, "sleep">;
  timeoutMs: number;
}): ProgramRequests {
  const pending = new Map<number, Pending>();
  /** What to call when the program has done with a request, by its id. */
  const releases = new Map<number, () => void>();
  let lastId = 0;

  function begin(about: PendingRequest, release?: () => void): { id: number; answer: Pending } {
    const id = ++lastId;
    const answer = createPending(about);
    pending.set(id, answer);
    if (release) releases.set(id, release);
    return { id, answer };
  }

  function release(id: number): void {
    const released = releases.get(id);
    releases.delete(id);
    released?.();
  }

  /** Takes a request that the program has done with; undefined if nobody waits for it. */
  function taken(id: number): Pending | undefined {
    const asked = pending.get(id);
    pending.delete(id);
    release(id);
    return asked;
  }

  function onMessage(message: Record<string, unknown>, bytes: number): void {
    const { id, method, params } = message;
    if (method === undefined) {
      const asked = typeof id === "number" ? taken(id) : undefined;
      if (!asked) return;
      const { result } = message;
      const seen = isObject(result) && tasks.seen(asked.method, result, asked.owner);
      const answer = { ...message, ...(seen && { result: ofSubscription(seen, asked.id) }), id: asked.id };
      asked.push(answer, bytes);
      asked.end();
      return;
    }
    if (id !== undefined) write(answerToProgram(id as MessageId, String(method)));
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
    asked.push({ ...message, params: own }, bytes);
  }

  /** Ends the stream of a subscription that the program gives up (MCP 2026-07-28, Cancellation). */
  function endSubscription(id: unknown): void {
    const asked = pending.get(id as number);
    if (asked?.method !== "subscriptions/listen") return;
    pending.delete(id as number);
    asked.end();
  }

  /** Returns false if it is over already. */
  function cancel(id: number, reason: string): boolean {
    if (!pending.delete(id)) return false;
    const params = { requestId: id, reason };
    write({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    return true;
  }

  return {
    begin,
    onMessage,
    onUnread({ id, before, behind }) {
      const asked = taken(id);
      if (!asked) return;
      try {
        if (NEVER_UNREAD.includes(asked.method)) throw tooLong(title);
        const text = Buffer.concat([before, Buffer.from(JSON.stringify(asked.id)), behind]);
        asked.hold?.(text.length);
        asked.push(new UnreadAnswer(text), text.length);
        asked.end();
      } catch (error) {
        asked.fail(error);
      }
    },
    onTooLong: (id) => taken(id)?.fail(tooLong(title)),
    withdraw: taken,
    timeOut(id) {
      cancel(id, "timeout");
      release(id);
    },
    abandon(id) {
      if (!cancel(id, "the client went away") || !releases.has(id)) return;
      // A program that has stopped does not answer this request any more, and one that works in order answers what comes
      // behind it only when it has done with it. Otherwise who leaves at once could have it do anything.
      const behind = ++lastId;
      const caughtUp = new AbortController();
      releases.set(behind, () => {
        caughtUp.abort();
        release(id);
      });
      clock.sleep(timeoutMs, caughtUp.signal).then(
        () => release(behind),
        () => {},
      );
      write({ jsonrpc: "2.0", id: behind, method: "ping" });
    },
    failAll(failure) {
      for (const each of pending.values()) each.fail(failure);
      pending.clear();
      for (const id of [...releases.keys()]) release(id);
    },
  };
}
