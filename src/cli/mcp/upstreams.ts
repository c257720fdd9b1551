import type { Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { listLines, upstreamLines } from "./upstream-lines.ts";

/** Lists the MCP servers behind this one, or the use of one of them: the command `tool mcp upstreams`. */
export async function upstreams(
  { client, io }: Context,
  name: string | undefined,
  { month }: { month?: string },
): Promise<Outcome> {
  if (name === undefined) {
    const list = await client.call("GET /api/v1/upstreams", {});
    return { document: list, lines: listLines(list.items, io.out) };
  }
  const shown = await client.call("GET /api/v1/upstreams/{upstream}", { upstream: name, month });
  return { document: shown, lines: upstreamLines(shown, io.out) };
}
