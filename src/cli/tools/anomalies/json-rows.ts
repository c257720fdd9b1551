import { UsageError } from "../../exit-codes.ts";
import { number } from "../../ui/format.ts";
import { metricsOfTable } from "./csv.ts";
import type { Metrics } from "./metrics.ts";

/** The most columns of a table of objects. Each row is looked at for each of them. */
const MAX_COLUMNS = 2000;

/** A JSON value and the number of its row: its line, or its place in a list. */
export interface JsonRow {
  number: number;
  value: unknown;
}

/** Parses one JSON value a line (NDJSON); undefined if the text is not of that kind. */
export function valuesOfLines(text: string, file: string): JsonRow[] | undefined {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({ number: index + 1, line: line.trim() }))
    .filter(({ line }) => line !== "");
  const [first] = lines;
  if (!first || lines.length < 2 || !isJson(first.line)) return undefined;
  return lines.map(({ number, line }) => {
    try {
      return { number, value: JSON.parse(line) };
    } catch (error) {
      throw new UsageError(
        `Line ${number} of ${file} is not valid JSON: ${(error as Error).message}`,
        "Where the first line is JSON by itself, every other one is read so, too.",
      );
    }
  });
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** Whether rows are a table rather than a list of points: one is a list, or an object with other members. */
export function areRows(rows: readonly JsonRow[]): boolean {
  return rows.some(
    ({ value }) =>
      typeof value === "object" &&
      value !== null &&
      (Array.isArray(value) || Object.keys(value).some((name) => name !== "at" && name !== "value")),
  );
}

/** Reads metrics from rows: members of objects, or items of lists, are the columns of a table, as of CSV. */
export function metricsOfRows(
  rows: readonly JsonRow[],
  file: string,
  asked?: string,
): { metrics: Metrics; notes: string[] } {
  const [first] = rows;
  for (const row of rows) {
    if (!first || kindOf(row.value) === kindOf(first.value)) continue;
    throw new UsageError(
      `Row ${row.number} of ${file} is ${kindOf(row.value)}, and row ${first.number} ${kindOf(first.value)}.`,
      'Give each row the same form, such as { "at": "2026-01-05T10:00Z", "seconds": 98 }.',
    );
  }
  if (Array.isArray(first?.value)) {
    const cells = (value: unknown) => (value as unknown[]).map(cellOf);
    const lists = rows.map((row) => ({ number: row.number, cells: cells(row.value) }));
    return metricsOfTable({ separator: ",", rows: lists }, file, asked);
  }
  const columns = new Map<string, number>();
  for (const { value } of rows) {
    for (const name of Object.keys(value as object)) if (!columns.has(name)) columns.set(name, columns.size);
    if (columns.size > MAX_COLUMNS) {
      throw new UsageError(
        `${file} has rows with more than ${number(MAX_COLUMNS)} different members.`,
        'Give a row for each point: { "metric": "seconds", "at": "2026-01-05T10:00Z", "value": 98 }.',
      );
    }
  }
  const objects = rows.map(({ number, value }) => {
    const cells: string[] = [];
    for (const [name, member] of Object.entries(value as object)) {
      cells[columns.get(name) as number] = cellOf(member);
    }
    return { number, cells: Array.from(cells, (cell = "") => cell) };
  });
  return metricsOfTable({ names: [...columns.keys()], separator: ",", rows: objects }, file, asked);
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value.trim() : JSON.stringify(value);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (value === null) return "null";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
