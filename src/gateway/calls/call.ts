import { Problem } from "../../contract/problem.ts";
import { StoreUnavailable } from "../../store/store.ts";
import { onAbort } from "../../system/abort.ts";
import type { Log } from "../../system/log.ts";
import type { MessageId } from "../message.ts";
import type { Reader, RpcResponse } from "../relay/relay.ts";
import { toolError } from "../rpc.ts";
import { UpstreamFailure } from "../upstreams/upstream-port.ts";
import type { CallOutcome } from "./call-counters.ts";
import type { CallMeter, MeteredCall } from "./call-meter.ts";

/** A tool call in progress. Only the first outcome is counted. */
export interface Call extends Reader {
  /** Rejects with `rate_limited` where it is more than its account may use in this month. */
  admit(): Promise<void>;
  settle(outcome: CallOutcome): Promise<void>;
  /** The upstream has got the call, and will do the work. */
  sent(): void;
  /** Its client has cancelled it. If it is sent nevertheless, it is counted then. */
  cancel(): void;
}

export interface CallPorts {
  meter: Pick<CallMeter, "count" | "reserve">;
  log: Log;
  /** The client's. Its abort counts the call as cancelled, which is charged like a finished one if it was sent. */
  signal: AbortSignal;
  stateless: boolean;
  onSettled: (outcome: CallOutcome) => void;
}

export function beginCall(metered: MeteredCall, ports: CallPorts): Call {
  const { meter, log, signal, stateless } = ports;
  let settled: Promise<void> | undefined;
  let isSent = false;
  let isCancelled = false;
  let giveBack = () => {};

  function settle(outcome: CallOutcome): Promise<void> {
    if (settled) return settled;
    const is = signal.aborted || isCancelled ? "cancelled" : outcome;
    settled = meter.count(metered, is, { isSent });
    settled
      .catch((err) => log.error({ err, upstream: metered.upstream }, "a call was not counted"))
      .finally(() => giveBack());
    ports.onSettled(is);
    return settled;
  }

  function abandon(): void {
    settle("cancelled").catch(() => {});
  }
  onAbort(signal, abandon);

  return {
    id: metered.message.id as MessageId,
    settle,
    async admit() {
      giveBack = await meter.reserve(metered);
      // Its client has left meanwhile.
      if (settled) giveBack();
    },
    sent() {
      isSent = true;
      if (isCancelled) abandon();
    },
    cancel() {
      isCancelled = true;
      if (isSent) abandon();
    },
    async read(response) {
      await settle(outcomeOf(response));
      return undefined;
    },
    tooLong: () => settle("ok"),
    async ended(resumable) {
      await settle(resumable ? "ok" : "failed");
      if (resumable) return undefined;
      return failure("The upstream ended its answer before there was one.");
    },
    async failed(error) {
      await settle("failed").catch(() => {});
      return failure(wordsOf(error, log));
    },
  };

  function failure(text: string): RpcResponse {
    return { result: toolError(text, { stateless }) };
  }
}

function outcomeOf(response: RpcResponse): CallOutcome {
  if ("error" in response) return "error";
  const { result } = response;
  // The client supplies the input and repeats the call, which then counts (MCP 2026-07-28, Multi Round-Trip
  // Requests).
  if (result.resultType === "input_required") return "input";
  return result.isError === true ? "error" : "ok";
}

/** Returns the message of a failure for the client. Unexpected errors are logged and not revealed. */
export function wordsOf(error: unknown, log: Log): string {
  if (error instanceof UpstreamFailure) return error.message;
  if (error instanceof StoreUnavailable) {
    return "The call could not be counted, so that its answer is withheld. Try again shortly.";
  }
  // Its client has left, or its stream was ended: nobody reads it any more.
  if (error instanceof Problem) return error.detail;
  log.error({ err: error }, "an answer of an upstream was not passed on");
  return "The answer was lost for a reason that is recorded on the server.";
}
