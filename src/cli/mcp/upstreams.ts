import type { OfAccount } from "../administration/key-named.ts";
import type { Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { listLines, upstreamLines } from "./upstream-lines.ts";

/** Lists the MCP servers behind this one, or the use of one of them: the command `tool mcp upstreams`. */
export async function upstreams(
  { client, clock, io }: Context,
  name: string | undefined,
  { month, account }: { month?: string } & OfAccount,
): Promise<Outcome> {
  if (name === undefined) {
    if (month !== undefined) {
      throw new UsageError("--month needs the name of a server.", "See them all: tool mcp upstreams");
    }
    const list = await client.call("GET /api/v1/upstreams", { accountId: account });
    return { document: list, lines: listLines(list.items, account, io.out) };
  }
  const question = { upstream: name, month, accountId: account };
  const shown = await client.call("GET /api/v1/upstreams/{upstream}", question);
  return { document: shown, lines: upstreamLines(shown, { account, now: clock.now(), out: io.out }) };
}
