import { UpstreamFailure, type UpstreamRequest } from "./upstream-port.ts";

/** Requests that wait for a program's start. */
export interface StartingRequests {
  /** Returns the result of the start. Throws if the client of the request has cancelled it meanwhile. */
  wait<T>(request: UpstreamRequest, start: Promise<T>): Promise<T>;
  /** Cancels a request by its client's id: the program never gets it. */
  withdraw(owner: string, id: unknown): void;
}

export function createStartingRequests(): StartingRequests {
  const waiting = new Set<UpstreamRequest>();
  return {
    async wait(request, start) {
      waiting.add(request);
      try {
        const started = await start;
        if (waiting.has(request)) return started;
        throw cancelled();
      } finally {
        waiting.delete(request);
      }
    },
    withdraw(owner, id) {
      const named = [...waiting].filter(
        ({ owner: its, message }) => its === owner && message?.kind === "request" && message.id === id,
      );
      const [first, ...others] = named;
      if (first && others.length === 0) waiting.delete(first);
    },
  };
}

export function cancelled(): UpstreamFailure {
  return new UpstreamFailure("cancelled", "The request was cancelled.");
}
