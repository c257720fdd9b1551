import { Problem } from "../../contract/problem.ts";
import { UpstreamFailure } from "../upstreams/upstream-port.ts";

/**
 * What an upstream does when half of its answer has left is its own failure, and no error of this server: its client
 * sees the answer break off.
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
    throw new Problem("overloaded", error.message, { cause: error });
  }
}
