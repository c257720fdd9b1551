import type { Clock } from "../../system/clock.ts";
import { isAway } from "../relay/check-status.ts";
import type { Circuits } from "./account-circuits.ts";
import {
  type UpstreamAnswer,
  UpstreamFailure,
  type UpstreamPort,
  type UpstreamRequest,
} from "./upstream-port.ts";

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
  return async (request, accountId) => {
    const circuit = circuits.of(accountId);
    const waitMs = circuit.enter();
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000);
      throw new UpstreamFailure("paused", `${title} has been failing. It is tried again in ${seconds} s.`, {
        retryAfterSeconds: seconds,
      });
    }
    const since = clock.monotonic();
    let went: boolean | undefined;
    try {
      const answered = await port.send(request);
      went = !isAway(answered.status);
      return answered;
    } catch (error) {
      // What a client cancelled says nothing about the upstream.
      if (error instanceof UpstreamFailure && error.kind !== "cancelled")
        went = error.kind !== "unreachable" && error.kind !== "timeout";
      throw error;
    } finally {
      circuit.settle(went, since);
    }
  };
}
