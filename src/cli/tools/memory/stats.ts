import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { byteSize, count, number, relativeTime } from "../../ui/format.ts";
import { fields, table } from "../../ui/table.ts";

export async function stats({ client, io, clock }: Context): Promise<Outcome> {
  const found = await client.call("GET /api/v1/tools/agent-memory/stats", {});
  if (found.memories === 0 || found.oldestAt === null || found.newestAt === null) {
    return { document: found, lines: ["Nothing is remembered. Begin with: tool memory store <text>"] };
  }
  const when = (at: string) => relativeTime(at, clock.now());
  const kinds = Object.entries(found.byKind).filter(([, amount]) => amount > 0);
  const rows = found.topKeywords.slice(0, 10).map(({ keyword, count }) => [keyword, number(count)]);
  const pairs: [string, string][] = [
    ["Memories", `${number(found.memories)}, ${byteSize(found.contentBytes)} of text`],
    ["Kinds", kinds.map(([kind, amount]) => count(amount, kind)).join(", ")],
    ["Importance", `${found.averageImportance} on average`],
    ["Oldest", when(found.oldestAt)],
    ["Newest", when(found.newestAt)],
    ["Recalled", count(found.recalls, "time")],
    [
      "Merged",
      `${count(found.duplicatesMerged, "near-duplicate")}, ${number(found.echoes)} recognised as echoes`,
    ],
  ];
  if (found.byTag.length > 0) {
    pairs.push(["Tags", found.byTag.map(({ tag, count }) => `${tag} ${number(count)}`).join(", ")]);
  }
  return {
    document: found,
    lines: [
      ...fields(pairs, io.out),
      "",
      ...table(
        [
          { title: "Keyword", shrink: true },
          { title: "Memories", align: "right" },
        ],
        rows,
        io.out,
      ),
    ],
  };
}
