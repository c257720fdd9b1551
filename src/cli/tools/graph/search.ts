import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { EXIT } from "../../exit-codes.ts";
import { table } from "../../ui/table.ts";

export async function search(
  { client, io }: Context,
  words: string[],
  { type, limit }: { type?: string; limit: number },
): Promise<Outcome> {
  const q = words.join(" ");
  const found = await client.call("GET /api/v1/tools/knowledge-graph/search", { q, type, limit });
  const rows = found.items.map(({ entity, matched }) => [
    entity.id,
    entity.name,
    entity.type,
    matched.join(" "),
  ]);
  const columns = ["Id", "Name", "Type", "Matched"].map((title) => ({ title, shrink: true }));
  return {
    document: found,
    lines: rows.length > 0 ? table(columns, rows, io.out) : ["Nothing matches."],
    exitCode: rows.length > 0 ? EXIT.done : EXIT.negative,
  };
}
