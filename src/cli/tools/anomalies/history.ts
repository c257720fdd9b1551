import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { collect } from "../../pages.ts";
import { relativeTime } from "../../ui/format.ts";
import { table } from "../../ui/table.ts";
import { coloured, figure, range, type Severity, spoken } from "./severity.ts";

interface Options {
  state?: "open" | "dismissed" | "applied";
  metric?: string;
  severity?: Severity;
  limit: number;
}

export async function history({ client, clock, io }: Context, options: Options): Promise<Outcome> {
  const { limit, state, metric, severity } = options;
  const page = await collect(limit, (query, call) =>
    client.call("GET /api/v1/tools/anomalies/history", { state, metric, severity, ...query }, call),
  );
  if (page.items.length === 0) {
    return { document: page, lines: ["No anomalies. Look for some: tool anomalies analyze metrics.json"] };
  }
  const rows = page.items.map(({ id, metric, kind, severity, value, expected, state, createdAt }) => [
    id,
    metric,
    coloured(severity, severity, io.out.style),
    spoken(kind),
    figure(value),
    range(expected),
    state,
    relativeTime(createdAt, clock.now()),
  ]);
  return {
    document: page,
    lines: table(
      [
        { title: "Id" },
        { title: "Metric", shrink: true },
        { title: "Severity" },
        { title: "Kind" },
        { title: "Value", align: "right" },
        { title: "Usual", align: "right", minor: true },
        { title: "State", minor: true },
        { title: "Found", minor: true },
      ],
      rows,
      io.out,
    ),
  };
}
