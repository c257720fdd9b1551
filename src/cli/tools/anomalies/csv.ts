import { UsageError } from "../../exit-codes.ts";
import { type Metrics, type Point, unknownMetric } from "./metrics.ts";
import { severalSeries } from "./several-series.ts";
import { type Row, type Table, tableOf } from "./table.ts";
import { isDayOrClock, isForeignDate, isTimestamp, timeColumnsOf } from "./time-columns.ts";
import { timeOf } from "./time-text.ts";

const NO_NUMBER = "which is no number";

interface Cell {
  row: Row;
  column: number;
  text: string;
}

/** Reads metrics from CSV, with names in its first row. See `metricsOfTable`. */
export function metricsOfCsv(text: string, file: string, asked?: string) {
  return metricsOfTable(tableOf(text), file, asked);
}

/**
 * Reads metrics from a table, whose names may stand in its first row. A column `at`, or another name for a time, holds
 * times, and each other column with numbers is a metric; or the rows have the columns `metric` and `value`. With
 * `asked`, reads that metric only and ignores the contents of the others. Empty cells are skipped. A single column of
 * numbers without a name is a list: a metric whose name is empty.
 */
export function metricsOfTable(
  { names: given, separator, rows }: Table,
  file: string,
  asked?: string,
): { metrics: Metrics; notes: string[] } {
  const [first = { cells: [] }] = rows;
  const isNamedByRow = given === undefined && !isData(first.cells);
  const hasNames = given !== undefined || isNamedByRow;
  const numbered = () => first.cells.map((_, column) => `column${column + 1}`);
  const names = given ?? (isNamedByRow ? first.cells : numbered());
  const data = isNamedByRow ? rows.slice(1) : rows;
  refuseExtraCells(data, names.length, file);

  const [metric = -1, value = -1] = ["metric", "value"].map((name) =>
    names.findIndex((each) => each.toLowerCase() === name),
  );
  const isLong = metric >= 0 && value >= 0;
  const known = isLong ? [metric, value] : asked === undefined ? [] : [names.indexOf(asked)];
  const times = timeColumnsOf(hasNames ? names : undefined, data, known);
  const others = [...names.keys()].filter((column) => ![...times.columns, ...times.leftOut].includes(column));
  const isList = !hasNames && others.length === 1;
  const isAsked = (column: number) => asked === undefined || names[column] === asked;
  refuseTwins([...(isLong ? known : others.filter(isAsked)), ...times.columns]);

  const notes = notesOfTimes();
  if (!hasNames && !isList) notes.push(`The first row is data: its columns are called ${names.join(", ")}.`);
  const groups = cellsByName();
  const wanted = asked === undefined || isList ? [...groups.keys()] : [asked];
  const leftOut: string[] = [];
  const metrics: [string, Point[]][] = [];
  for (const name of wanted) {
    const cells = groups.get(name);
    if (!cells) throw unknownMetric(file, name, [...groups.keys()]);
    const comma = hasDecimalComma(cells, separator);
    const isMetric = asked !== undefined || cells.some((cell) => !Number.isNaN(numberOf(cell.text, comma)));
    if (isMetric) {
      metrics.push([name, cells.map((cell) => pointOf(cell, comma))]);
      notes.push(...thousandsIn(name, cells, separator));
    } else leftOut.push(name);
  }
  // No metric is left. `pointOf` throws the reason for the first cell.
  if (metrics.length === 0) for (const name of leftOut) groups.get(name)?.map((cell) => pointOf(cell, false));
  const dates = leftOut.filter((name) => groups.get(name)?.every(({ text }) => isForeignDate(text)));
  for (const name of dates) {
    notes.push(`Column "${name}" is left out: dates are read as 2026-01-05 10:00, and it has others.`);
  }
  const texts = leftOut.filter((name) => !dates.includes(name));
  if (texts.length > 0) notes.push(withoutNumbers(isLong ? "Metric" : "Column", texts));
  const labels = others
    .filter((column) => data.every(({ cells }) => Number.isNaN(numberOf(cells[column] ?? "", true))))
    .map((column) => ({ name: nameOf(column), column }));
  const mixed = isLong ? undefined : severalSeries(data, times.columns, labels);
  if (mixed) notes.push(mixed);
  return { metrics: Object.fromEntries(metrics), notes };

  function refuseTwins(columns: number[]): void {
    const used = columns.map((column) => names[column] as string);
    const twice = used.find((name) => name !== "" && names.indexOf(name) !== names.lastIndexOf(name));
    if (twice === undefined) return;
    throw new UsageError(
      `${file} has two columns that are called "${twice}".`,
      "Give each its own name: a metric is one column.",
    );
  }

  function notesOfTimes(): string[] {
    const said = listed(times.columns.map(nameOf), " and ");
    const lost = times.leftOut.map(
      (column) => `"${nameOf(column)}" is left out: times are those of ${said}.`,
    );
    const isChosen = hasNames && !times.isNamed && times.columns.length > 0;
    return isChosen && lost.length === 0 ? [`Times are those of ${said}.`] : lost;
  }

  function cellsByName(): Map<string, Cell[]> {
    const groups = new Map<string, Cell[]>();
    let isNameless = false;
    for (const row of data) {
      for (const column of isLong ? [value] : others) {
        const text = row.cells[column] ?? "";
        if (text === "") continue;
        const name = isList ? "" : ((isLong ? row.cells[metric] : names[column]) ?? "");
        if (name === "" && !isList) {
          if (isLong) throw fault({ row, column: metric, text: name }, "which is no name");
          isNameless = true;
          continue;
        }
        const cells = groups.get(name) ?? [];
        groups.set(name, cells);
        cells.push({ row, column, text });
      }
    }
    if (isNameless && asked === undefined) notes.push("A column without a name is left out.");
    return groups;
  }

  function pointOf(cell: Cell, comma: boolean): Point {
    const number = numberOf(cell.text, comma);
    if (Number.isNaN(number)) throw fault(cell, NO_NUMBER);
    return times.columns.length === 0 ? number : { at: timeIn(cell.row), value: number };
  }

  function timeIn(row: Row): string | number {
    const text = times.columns
      .map((column) => row.cells[column] ?? "")
      .join(" ")
      .trim();
    const time = timeOf(text);
    if (time !== undefined) return time;
    throw fault({ row, text, column: times.columns[0] as number }, "which is no time");
  }

  function fault({ row, column, text }: Cell, why: string): UsageError {
    const under = times.columns.includes(column) ? times.columns : [column];
    const naming = given ? "Each member is a metric" : "The first row names the metrics";
    return new UsageError(
      `Row ${row.number} of ${file} has "${text}" under ${listed(under.map(nameOf), " and ")}, ${why}.`,
      why === NO_NUMBER
        ? `A number is as 1234.5, without a unit or marks between thousands; empty cells are skipped. ${naming}.`
        : `${naming}; times stand under "at", as 2026-01-05T10:00Z or numbers since 1970.`,
    );
  }

  function nameOf(column: number): string {
    return names[column] as string;
  }
}

/** Throws for a row with more cells than there are names: its cells may be shifted against the columns. */
function refuseExtraCells(rows: readonly Row[], width: number, file: string): void {
  for (const { number, cells } of rows) {
    const extra = cells.slice(width).find((cell) => cell !== "");
    if (extra === undefined) continue;
    throw new UsageError(
      `Row ${number} of ${file} has "${extra}" behind its last column.`,
      "The first row has a name for each column, and a name that holds a separator is in quotes.",
    );
  }
}

/** Whether a first row holds data rather than names: only times and numbers, or any time with hour and minute. */
function isData(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell !== "");
  const isPoint = (cell: string) =>
    !Number.isNaN(numberOf(cell, true)) || timeOf(cell) !== undefined || isDayOrClock(cell);
  return filled.length > 0 && (filled.every(isPoint) || filled.some(isTimestamp));
}

/** Parses a number; NaN if it is none. A comma may be the decimal point. */
function numberOf(cell: string, comma: boolean): number {
  const text = comma ? cell.replace(",", ".") : cell;
  const number = /^[+-]?(\d|\.\d)/.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : Number.NaN;
}

/**
 * Whether a comma in these cells is the decimal point: always where cells are separated by semicolons; elsewhere, such
 * as between the tabs of Excel's "Unicode text", unless in each cell it could be a mark between thousands, as in 1,020.
 */
function hasDecimalComma(cells: readonly Cell[], separator: string): boolean {
  return separator === ";" || cells.some(({ text }) => /^[+-]?(?:0,\d+|\d+,(?!\d{3}(?:,|$))\d+)$/.test(text));
}

/** Returns a note if a dot could be a mark between thousands: cells such as 1.020 among others without one. */
function thousandsIn(name: string, cells: readonly Cell[], separator: string): string[] {
  const dotted = cells.filter(({ text }) => text.includes("."));
  const [first] = dotted;
  if (separator !== ";" || !first || dotted.length === cells.length) return [];
  if (!dotted.every(({ text }) => /^[+-]?[1-9]\d{0,2}\.\d{3}$/.test(text))) return [];
  return [`"${name}" has ${first.text}: the dot is read as a decimal point, not between thousands.`];
}

function withoutNumbers(noun: string, names: readonly string[]): string {
  return names.length === 1
    ? `${noun} ${listed(names, "")} holds no number, and is left out.`
    : `${noun}s ${listed(names, ", ")} hold no number, and are left out.`;
}

function listed(names: readonly string[], between: string): string {
  return names.map((name) => `"${name}"`).join(between);
}
