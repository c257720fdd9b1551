import type { Row } from "./table.ts";
import { timeOf } from "./time-text.ts";
import { isPlausibleTime } from "./times.ts";

const TIMES = ["at", "time", "timestamp", "date", "datetime", "ts"];
const DAY = /^\d{4}-\d\d-\d\d$/;
const CLOCK = /^\d{1,2}:\d\d(:\d\d([.,]\d+)?)?$/;

/** The columns of a table that hold the times of its points. */
export interface TimeColumns {
  /** No column, one, or one with a date and one with a time of day. */
  columns: number[];
  /** Other columns that hold times and so are no metrics. */
  leftOut: number[];
  isNamed: boolean;
}

/**
 * Finds the time columns by the first cell of each column, so that a wrong cell further down is an error and does not
 * change the kind of the column. `names` is undefined if the table has none. The columns in `metrics` are excluded.
 */
export function timeColumnsOf(
  names: readonly string[] | undefined,
  rows: readonly Row[],
  metrics: readonly number[],
): TimeColumns {
  const width = rows.reduce((widest, { cells }) => Math.max(widest, cells.length), 0);
  const columns = Array.from({ length: width }, (_, column) => column).filter(
    (column) => !metrics.includes(column),
  );
  const firsts = new Map(
    columns.map((column) => [column, rows.find(({ cells }) => cells[column])?.cells[column] ?? ""]),
  );
  const holds = (is: (cell: string) => boolean) => (column: number) => is(firsts.get(column) as string);
  const named = columns.filter((column) => TIMES.includes(names?.[column]?.toLowerCase() ?? ""));
  const candidates = named.length > 0 ? named : unnamed();
  const day = candidates.find(holds(isDay));
  const clock = candidates.find(holds(isClock)) ?? clockBeside(day);
  const [one = candidates[0]] = candidates.filter(holds(isInstant));
  const chosen = day !== undefined && day === one && clock !== undefined ? [day, clock] : [one ?? []].flat();
  return {
    columns: chosen,
    leftOut: candidates.filter(
      (column) => !chosen.includes(column) && holds((cell) => isInstant(cell) || isClock(cell))(column),
    ),
    isNamed: named.length > 0 && chosen.every((column) => named.includes(column)),
  };

  /**
   * Returns a column whose every row holds the clock of its day, whatever it is called: days repeat, and the rows are in
   * the order of both together, which those of a duration such as 00:01:43 are not.
   */
  function clockBeside(day: number | undefined): number | undefined {
    if (day === undefined) return undefined;
    const days = rows.map(({ cells }) => cells[day] ?? "");
    if (new Set(days).size === days.length) return undefined;
    return columns.find(
      (column) =>
        holds(isClock)(column) &&
        isOrdered(rows.map(({ cells }, index) => momentOf(days[index], cells[column]))),
    );
  }

  /**
   * Returns the candidates if no column has the name of a time. Numbers only count as times in a table without names
   * that has other columns. In a column with a name, every row must hold a time: dates in some rows are data, such as
   * the date of a release.
   */
  function unnamed(): number[] {
    const texts = columns.filter(
      (column) =>
        holds(isTimeText)(column) &&
        (names === undefined || rows.every(({ cells }) => isTimeText(cells[column] ?? ""))),
    );
    if (texts.some(holds(isDated))) return texts;
    return names || columns.length < 2 ? [] : columns.filter(holds(isInstant)).slice(0, 1);
  }
}

/** Returns a moment in milliseconds; NaN if one of both is something else. */
function momentOf(day = "", clock = ""): number {
  return isDay(day) && isClock(clock) ? Date.parse(`${timeOf(`${day} ${clock}`)}Z`) : Number.NaN;
}

/** Whether moments follow each other forwards or backwards, and are not all the same. */
function isOrdered(moments: readonly number[]): boolean {
  const steps = moments.slice(1).map((moment, index) => moment - (moments[index] as number));
  const isForwards = steps.every((step) => step >= 0);
  return (isForwards || steps.every((step) => step <= 0)) && steps.some((step) => step !== 0);
}

/** Whether a cell is a date with a time of day, which cannot be a column's name. */
export function isTimestamp(cell: string): boolean {
  return isDated(cell) && !isDay(cell);
}

export function isDayOrClock(cell: string): boolean {
  return isDay(cell) || isClock(cell);
}

/** Whether a cell looks like a date that is not read, such as 05.01.2026. */
export function isForeignDate(cell: string): boolean {
  const isDate = /^(\d{4}[./-]\d{1,2}[./-]\d{1,2}|\d{1,2}[./-]\d{1,2}[./-]\d{4})\b/.test(cell);
  return isDate && timeOf(cell) === undefined;
}

function isDay(cell: string): boolean {
  return DAY.test(cell);
}

function isClock(cell: string): boolean {
  return CLOCK.test(cell);
}

function isDated(cell: string): boolean {
  return typeof timeOf(cell) === "string";
}

function isTimeText(cell: string): boolean {
  return isDated(cell) || isClock(cell);
}

function isInstant(cell: string): boolean {
  const time = timeOf(cell);
  return typeof time === "number" ? isPlausibleTime(time) : time !== undefined;
}
