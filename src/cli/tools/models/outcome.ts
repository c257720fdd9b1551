import type { RouteInput } from "../../../client/routes.ts";
import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";

type Request = RouteInput<"POST /api/v1/tools/models/outcome">;

export async function outcome(
  { client, io }: Context,
  model: string,
  result: Request["outcome"],
  { kind, latency }: { kind: Request["kind"]; latency?: number },
): Promise<Outcome> {
  const document = await client.call("POST /api/v1/tools/models/outcome", {
    model,
    kind,
    outcome: result,
    latencyMs: latency,
  });
  const { provider, id, recorded } = document;
  const all = recorded.successes + recorded.failures;
  const name = `${provider}/${id}`;
  return {
    document,
    lines: [`${io.out.marks.done} Recorded. ${name} did ${recorded.successes} of ${all} ${kind} tasks here.`],
  };
}
