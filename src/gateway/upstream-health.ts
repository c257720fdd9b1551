import type { Clock } from "../system/clock.ts";
import type { Log } from "../system/log.ts";
import type { CircuitState } from "./upstreams/circuit.ts";
import type { UpstreamFailure } from "./upstreams/upstream-port.ts";

/** What is known of an upstream by the requests of this server. */
export interface UpstreamHealth {
  /** Open, too, while the upstream is known to be down. */
  circuit: CircuitState;
  /** Undefined if it has not failed since the start of this server. */
  lastFailure: LastFailure | undefined;
}

/** What an upstream failed with. It may name addresses, so it is for the operator alone. */
export interface LastFailure {
  /** Milliseconds since the epoch. */
  at: number;
  because: string;
}

export interface FailureLog {
  tell(failure: UpstreamFailure): void;
  readonly last: LastFailure | undefined;
}

const MAX_CHARACTERS = 500;

/** Logs the failures of an upstream and keeps the last one. */
export function createFailureLog(
  upstream: string,
  { clock, log }: { clock: Pick<Clock, "now">; log: Pick<Log, "debug" | "warn"> },
): FailureLog {
  let last: LastFailure | undefined;
  return {
    tell(failure) {
      const { kind, cause, message } = failure;
      log[kind === "cancelled" ? "debug" : "warn"]({ upstream, kind, err: cause }, message);
      // A pause follows from other failures, and what its client gave up is none of the upstream's.
      if (kind !== "cancelled" && kind !== "paused") last = { at: clock.now(), because: wordsOf(failure) };
    },
    get last() {
      return last;
    },
  };
}

function wordsOf({ message, cause }: UpstreamFailure): string {
  const { message: reason = "", code = "" } = (cause ?? {}) as { message?: string; code?: string };
  // An AggregateError of several addresses has only a code.
  const said = reason || code;
  return (said ? `${message} (${said})` : message).slice(0, MAX_CHARACTERS);
}
