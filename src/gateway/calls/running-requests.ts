import type { Message, MessageId } from "../message.ts";
import { UpstreamFailure } from "../upstreams/upstream-port.ts";

/** Cancels a request by its id, up to revision 2025-11-25. Later ones close its stream instead (MCP 2026-07-28, Cancellation). */
export const CANCELLATION = "notifications/cancelled";

/** Scope of a request id. Each credential may use the same id in every session. */
export interface Namer {
  credential: string;
  session: string | undefined;
}

/** A request in progress. */
export interface Running {
  id: MessageId;
  /**
   * Counts a call like one whose client disconnected, whatever the upstream answers, because the upstream has done the
   * work.
   */
  cancel(): void;
  /** Ends the request without a response. */
  withdraw(): void;
}

/** Requests in progress, by the ids that their clients gave them. */
export interface RunningRequests {
  /** Adds a request until its signal aborts. */
  add(request: Running, by: Namer, signal: AbortSignal): void;
  /** Does what a client asks for that cancels a request (MCP 2025-11-25, Cancellation). */
  cancel(message: Message, by: Namer): void;
}

export function createRunningRequests(): RunningRequests {
  const running = new Map<string, Set<Running>>();
  const nameOf = ({ credential, session }: Namer, id: unknown) =>
    JSON.stringify([credential, session ?? "", id]);

  return {
    add(request, by, signal) {
      if (signal.aborted) return;
      const name = nameOf(by, request.id);
      const named = running.get(name) ?? new Set();
      running.set(name, named.add(request));
      const remove = () => {
        named.delete(request);
        if (named.size === 0) running.delete(name);
      };
      signal.addEventListener("abort", remove, { once: true });
    },
    cancel({ method, params }, by) {
      if (method !== CANCELLATION) return;
      const [first, ...others] = running.get(nameOf(by, params.requestId)) ?? [];
      if (!first) return;
      for (const request of [first, ...others]) request.cancel();
      // Clients without a session that share a credential may use the same ids: whose is meant is not known.
      if (others.length === 0) first.withdraw();
    },
  };
}

/** Returns why a request ends that its client has cancelled. */
export function cancelled(): UpstreamFailure {
  return new UpstreamFailure("cancelled", "The request was cancelled.");
}
