import { UsageError } from "../../exit-codes.ts";
import type { Metrics } from "./metrics.ts";
import { timeOf } from "./times.ts";

const SEPARATORS = [",", ";", "\t"];
const TIMES = ["at", "time", "timestamp", "date"];

/**
 * A table with names in its first row: a column `at` (or `time`, `timestamp`, `date`) holds when, each
 * other one a metric; or rows of `metric` and `value`. An empty cell is no point.
 */
export function metricsOfCsv(text: string, file: string): Metrics {
  const separator = separatorOf(text);
  const [header = [], ...rows] = [...rowsOf(text.replace(/^\ufeff/, ""), separator)];
  const names = header.map((name) => name.trim());
  const twice = names.find((name, column) => name !== "" && names.indexOf(name) < column);
  if (twice !== undefined) {
    throw new UsageError(
      `${file} has two columns that are called "${twice}".`,
      "Give each its own name: a metric is one column.",
    );
  }
  const time = names.findIndex((name) => TIMES.includes(name.toLowerCase()));
  const [metric, value] = [names.indexOf("metric"), names.indexOf("value")];
  const metrics = new Map<string, Metrics[string]>();
  for (const [index, row] of rows.entries()) {
    const columns = metric >= 0 && value >= 0 ? [value] : names.keys();
    for (const column of columns) {
      const cell = row[column]?.trim() ?? "";
      if (column === time || cell === "") continue;
      const name = (column === value && metric >= 0 ? row[metric] : names[column])?.trim() ?? "";
      const points = metrics.get(name) ?? [];
      metrics.set(name, points);
      const number = numberOf(cell, separator);
      if (Number.isNaN(number)) {
        throw new UsageError(
          `Row ${index + 2} of ${file} has "${cell}" under "${names[column]}", which is no number.`,
          `The first row names the metrics; times stand under "at".`,
        );
      }
      points.push(time < 0 ? number : { at: timeAt(row[time]?.trim() ?? ""), value: number });
    }
  }
  return Object.fromEntries(metrics);
}

/** The one that parts the names. */
function separatorOf(text: string): string {
  const [names = ""] = text.split(/\r?\n/, 1);
  const parts = (separator: string) => names.split(separator).length;
  return SEPARATORS.reduce((best, each) => (parts(each) > parts(best) ? each : best));
}

/** Where semicolons part the cells, a comma may be the decimal point. */
function numberOf(cell: string, separator: string): number {
  const text = separator === ";" ? cell.replace(",", ".") : cell;
  return /^[+-]?(\d|\.\d)/.test(text) ? Number(text) : Number.NaN;
}

/** What is none is left for the engine to refuse. */
function timeAt(cell: string): string | number {
  return timeOf(cell) ?? cell;
}

/** RFC 4180: a cell in quotes may hold separators, line breaks and doubled quotes. Empty lines are left out. */
function* rowsOf(text: string, separator: string): Generator<string[]> {
  const cells = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}\\r\\n]*))(${separator}|\\r?\\n|$)`, "gy");
  let row: string[] = [];
  for (const [, quoted, plain = "", end] of text.matchAll(cells)) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === separator) continue;
    if (row.length > 1 || row[0] !== "") yield row;
    row = [];
  }
}
