import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { count } from "../../ui/format.ts";
import { roles } from "./roles.ts";

export async function handoff(
  { client, io }: Context,
  sessionId: string,
  to: string | undefined,
  { from }: { from?: string },
): Promise<Outcome> {
  const handed = await client.call("POST /api/v1/tools/pair/session/{sessionId}/handoff", {
    sessionId,
    from,
    to,
  });
  return { document: handed, lines: [`${io.out.marks.done} ${roles(handed.session, io.out)}`] };
}

export async function end({ client, io }: Context, sessionId: string): Promise<Outcome> {
  const ended = await client.call("POST /api/v1/tools/pair/session/{sessionId}/end", { sessionId });
  return {
    document: ended,
    lines: [`${io.out.marks.done} Session ended after ${count(ended.session.sequence, "change")}`],
  };
}
