import type { Output } from "../../terminal/io.ts";
import { sparkline } from "../../ui/chart.ts";
import { coloured, SEVERITIES, type Severity } from "./severity.ts";

const WIDEST = 72;

/** The members of an anomaly that the chart needs. */
interface Mark {
  index: number;
  severity: Severity;
}

/**
 * Draws a metric in one row, and marks its anomalies in a row below. A column with an anomaly shows its
 * value, any other the mean of its values.
 */
export function trend(values: readonly number[], marks: readonly Mark[], output: Output): string[] {
  if (values.length < 2) return [];
  const width = Math.min(values.length, WIDEST, output.columns - 2);
  const worst = new Map<number, Mark>();
  for (const mark of marks) {
    const column = Math.floor((mark.index * width) / values.length);
    const other = worst.get(column);
    if (!other || rank(mark) > rank(other)) worst.set(column, mark);
  }
  const heights = Array.from({ length: width }, (_, column) => {
    const mark = worst.get(column);
    if (mark) return values[mark.index] as number;
    return mean(values, firstOf(column), firstOf(column + 1));
  });
  const least = heights.reduce((before, each) => Math.min(before, each));
  const { style, symbols } = output;
  const line = sparkline(
    heights.map((height) => height - least),
    symbols,
  );
  const paint = (column: number, text: string) => {
    const mark = worst.get(column);
    return mark ? coloured(mark.severity, text, style) : style.dim(text);
  };
  const course = [...line].map((spark, column) => paint(column, spark)).join("");
  const pointers = heights.map((_, column) =>
    worst.has(column) ? paint(column, symbols.unicode ? "▲" : "^") : " ",
  );
  return worst.size > 0 ? [course, pointers.join("").trimEnd()] : [course];

  /** Returns the index of the first value of a column. */
  function firstOf(column: number): number {
    return Math.ceil((column * values.length) / width);
  }
}

function rank({ severity }: Mark): number {
  return SEVERITIES.indexOf(severity);
}

function mean(values: readonly number[], from: number, to: number): number {
  let sum = 0;
  for (let index = from; index < to; index++) sum += values[index] as number;
  return sum / (to - from);
}
