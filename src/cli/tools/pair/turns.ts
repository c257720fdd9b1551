import { defined } from "../../../system/defined.ts";
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
    ...defined({ from, to }),
  });
  const { style, symbols } = io.out;
  return { document: handed, lines: [`${style.green(symbols.done)} ${roles(handed.session, io.out)}`] };
}

export async function end({ client, io }: Context, sessionId: string): Promise<Outcome> {
  const ended = await client.call("POST /api/v1/tools/pair/session/{sessionId}/end", { sessionId });
  const { style, symbols } = io.out;
  return {
    document: ended,
    lines: [`${style.green(symbols.done)} Session ended after ${count(ended.session.sequence, "change")}`],
  };
}
