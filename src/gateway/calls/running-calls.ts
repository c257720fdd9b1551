import type { Message } from "../message.ts";
import type { Call } from "./call.ts";

/** Scope of a request id. Each credential may use the same id in every session. */
export interface Namer {
  credential: string;
  session: string | undefined;
}

/** Calls in progress, by the ids that their clients gave them. */
export interface RunningCalls {
  /** Adds a call until its signal aborts. */
  add(call: Call, by: Namer, signal: AbortSignal): void;
  /**
   * Counts a cancelled call (MCP 2025-11-25, Cancellation) like one whose client disconnected, whatever the upstream
   * answers, because the upstream has done the work.
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
        call.cancel();
      }
    },
  };
}
