import type { RouteOutput } from "../../../client/routes.ts";
import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../exit-codes.ts";
import { number, relativeTime } from "../../ui/format.ts";
import { table } from "../../ui/table.ts";

type Errors = RouteOutput<"GET /api/v1/tools/observability/errors">["items"];

export async function errors(
  context: Context,
  { since, limit, cursor }: { since?: string; limit: number; cursor?: string },
): Promise<Outcome> {
  const { client, clock, io } = context;
  const found = await client.call("GET /api/v1/tools/observability/errors", {
    limit,
    cursor,
    ...(since !== undefined && { since: instantOf(since, clock.now()) }),
  });
  const { items, nextCursor } = found;
  return {
    document: found,
    lines:
      items.length === 0
        ? ["No errors. Programs report theirs with the DSN of: tool observability config"]
        : [
            ...rowsOf(items, context),
            ...(nextCursor === undefined
              ? []
              : ["", io.out.style.dim(`More: tool observability errors --cursor ${nextCursor}`)]),
          ],
  };
}

const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** ISO 8601 of a date, a time, or a stretch before now. */
function instantOf(text: string, now: number): string {
  const [, count, unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const at = count === undefined ? Date.parse(text) : now - Number(count) * (UNITS[unit] ?? 0);
  if (!Number.isNaN(at)) return new Date(at).toISOString();
  throw new UsageError(
    `--since takes a time (2026-01-15T09:30:00Z) or a stretch (90m, 24h, 7d), not "${text}".`,
  );
}

function rowsOf(items: Errors, { clock, io }: Context): string[] {
  const columns = [
    { title: "Seen" },
    { title: "Times", align: "right" as const },
    { title: "By" },
    { title: "Where", minor: true },
    { title: "Error", shrink: true },
  ];
  const rows = items.map(({ lastSeenAt, count, source, route, type, message }) => [
    relativeTime(Date.parse(lastSeenAt), clock.now()),
    number(count),
    source,
    route ?? "",
    message === "" ? type : `${type}: ${message}`,
  ]);
  return table(columns, rows, io.out);
}
