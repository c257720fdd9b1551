import type { Row } from "./table.ts";

/** The share of rows that have the time of an earlier row, above which a table is taken for several series. */
const MAX_REPEATED = 0.25;
const MAX_VALUES_SHOWN = 3;

/**
 * Returns a note if rows of the same time are told apart by a column of text, such as the database in `pg_stat_database`:
 * their values would be judged as one series that jumps between them.
 */
export function severalSeries(
  rows: readonly Row[],
  times: readonly number[],
  texts: readonly { name: string; column: number }[],
): string | undefined {
  if (times.length === 0 || rows.length === 0) return undefined;
  const countOf = (columns: readonly number[]) =>
    new Set(rows.map(({ cells }) => JSON.stringify(columns.map((column) => cells[column] ?? "")))).size;
  const moments = countOf(times);
  if (1 - moments / rows.length <= MAX_REPEATED) return undefined;
  const by = texts.find(
    // A text of its own in each row names no series.
    ({ column }) => countOf([column]) * 2 <= rows.length && countOf([...times, column]) > moments,
  );
  if (!by) return undefined;
  const values = [...new Set(rows.map(({ cells }) => cells[by.column] ?? ""))];
  const shown = values.slice(0, MAX_VALUES_SHOWN).map((value) => `"${value}"`);
  const more = values.length > shown.length ? " …" : "";
  return `Rows of the same time differ by "${by.name}" (${shown.join(", ")}${more}), but are judged as one series. Give a file for each, or rows of "metric" and "value".`;
}
