import type { Clock } from "../../system/clock.ts";
import { isAway } from "../relay/check-status.ts";
import type { Circuits } from "./account-circuits.ts";
import {
  type FailureKind,
  type UpstreamAnswer,
  UpstreamFailure,
  type UpstreamPort,
  type UpstreamRequest,
} from "./upstream-port.ts";

/** Failures that are not the upstream's: its client has cancelled the request, or it was not to be sent, or too much is under way. */
const SAYS_NOTHING: readonly FailureKind[] = ["cancelled", "paused"];

/** Returns a function that sends an account's request to an upstream, unless the account's circuit is open. */
export function throughCircuit({
  port,
  circuits,
  clock,
  title,
}: {
  port: Pick<UpstreamPort, "send">;
  circuits: Circuits;
  clock: Pick<Clock, "monotonic">;
  title: string;
}): (request: UpstreamRequest, accountId: string) => Promise<UpstreamAnswer> {
  function paused(ms: number): UpstreamFailure {
    const seconds = Math.ceil(ms / 1000);
    const words = `${title} has been failing. It is tried again in ${seconds} s.`;
    return new UpstreamFailure("paused", words, { retryAfterSeconds: seconds });
  }

  return async (request, accountId) => {
    const circuit = circuits.of(accountId);
    const waitMs = circuit.enter();
    if (waitMs > 0) throw paused(waitMs);
    let since = clock.monotonic();
    /** The circuit may have opened while the request waited, and what happens from now on tells of the upstream. */
    const onTurn = () => {
      if (circuit.state === "open") throw paused(circuit.enter());
      since = clock.monotonic();
    };
    let went: boolean | undefined;
    try {
      const answered = await port.send({ ...request, onTurn });
      went = !isAway(answered.status);
      return answered;
    } catch (error) {
      if (error instanceof UpstreamFailure && !SAYS_NOTHING.includes(error.kind))
        went = error.kind !== "unreachable" && error.kind !== "timeout";
      throw error;
    } finally {
      circuit.settle(went, since);
    }
  };
}
