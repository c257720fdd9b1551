import { Problem } from "../../contract/problem.ts";
import { UpstreamFailure } from "../upstreams/upstream-port.ts";

/**
 * Passes a body on. If the upstream fails half way, reports that as its failure, not as an internal error of this
 * server. The client sees a truncated answer, unless it has cancelled the request: then the answer just ends.
 */
export async function* cutOff(
  body: AsyncIterable<Buffer>,
  onFailed: (failure: UpstreamFailure) => void,
): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    onFailed(error);
    if (error.kind === "cancelled") return;
    throw new Problem("overloaded", error.message, { cause: error });
  }
}
