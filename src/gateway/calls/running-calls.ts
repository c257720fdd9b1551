import type { Message } from "../message.ts";
import type { Call } from "./call.ts";

/** By whom a request is named, who may use its id for another in each session. */
export interface Namer {
  credential: string;
  session: string | undefined;
}

/** Calls that are under way, as their clients name them. */
export interface RunningCalls {
  /** Until its signal aborts. */
  add(call: Call, by: Namer, signal: AbortSignal): void;
  /**
   * Who cancels a call (MCP 2025-11-25, Cancellation) has had the upstream work, as who goes away has: it counts,
   * whatever the upstream answers.
   */
  cancel(message: Message, by: Namer): void;
}

export function createRunningCalls(): RunningCalls {
  const running = new Map<string, Set<Call>>();
  const nameOf = ({ credential, session }: Namer, id: unknown) =>
    JSON.stringify([credential, session ?? "", id]);

  return {
    add(call, by, signal) {
      if (signal.aborted) return;
      const name = nameOf(by, call.id);
      const named = running.get(name) ?? new Set();
      running.set(name, named.add(call));
      const remove = () => {
        named.delete(call);
        if (named.size === 0) running.delete(name);
      };
      signal.addEventListener("abort", remove, { once: true });
    },
    cancel({ method, params }, by) {
      if (method !== "notifications/cancelled") return;
      for (const call of running.get(nameOf(by, params.requestId)) ?? []) {
        // The call itself tells of what could not be counted.
        call.settle("cancelled").catch(() => {});
      }
    },
  };
}
