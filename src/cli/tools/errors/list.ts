import type { RouteOutput } from "../../../client/routes.ts";
import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { instantOf } from "../../options.ts";
import { sparkline } from "../../ui/chart.ts";
import { number, relativeTime } from "../../ui/format.ts";
import { table } from "../../ui/table.ts";

export type Listed = RouteOutput<"GET /api/v1/tools/observability/errors">["items"];

interface Options {
  since?: string;
  state?: "open" | "resolved" | "ignored";
  query?: string;
  release?: string;
  environment?: string;
  sort?: "lastSeen" | "firstSeen" | "count";
  limit: number;
  cursor?: string;
}

export async function list(context: Context, options: Options): Promise<Outcome> {
  const { client, clock, io } = context;
  const { since, state, query, release, environment, sort, limit, cursor } = options;
  const found = await client.call("GET /api/v1/tools/observability/errors", {
    state,
    query,
    release,
    environment,
    sort,
    limit,
    cursor,
    since: since === undefined ? undefined : instantOf("--since", since, clock.now(), -1),
  });
  const { items, nextCursor } = found;
  const { style } = io.out;
  const more = nextCursor === undefined ? [] : ["", style.dim(`More: the same with --cursor ${nextCursor}`)];
  const isFiltered = [since, state, query, release, environment].some((each) => each !== undefined);
  const none = isFiltered
    ? "No such errors."
    : "No errors. Programs report theirs with the DSN of: tool observability config";
  return { document: found, lines: items.length === 0 ? [none] : [...rowsOf(items, context), ...more] };
}

function rowsOf(items: Listed, { clock, io }: Context): string[] {
  const columns = [
    { title: "Seen" },
    { title: "Times", align: "right" as const },
    { title: "14 days", minor: true },
    { title: "By", minor: true },
    { title: "State" },
    { title: "Where", minor: true },
    { title: "Error", shrink: true },
    { title: "Id" },
  ];
  const rows = items.map(
    ({ lastSeenAt, count, source, route, type, message, daily, fingerprint, ...item }) => [
      relativeTime(lastSeenAt, clock.now()),
      number(count),
      sparkline(daily.counts, io.out.symbols),
      source,
      stateOf(item),
      route ?? "",
      message === "" ? type : `${type}: ${message}`,
      fingerprint,
    ],
  );
  return table(columns, rows, io.out);
}

/** Returns the state to show: `regressed` for an error that is open again after it was resolved. */
export function stateOf({ state, regressedAt }: { state: string; regressedAt?: string }): string {
  return state === "open" && regressedAt !== undefined ? "regressed" : state;
}
