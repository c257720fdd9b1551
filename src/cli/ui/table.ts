import type { Output } from "../terminal/io.ts";
import { columnsOf, hanging, shorten } from "./width.ts";

const GAP = "  ";
const MARGIN = 2;
const NARROWEST = 8;
/** The widest that all rows are padded to in a pipe, where a single long cell would make every row as long. */
const WIDEST_PADDED = 120;

export interface Column {
  title: string;
  /** Numbers are aligned to the right. */
  align?: "left" | "right";
  /** Whether it is shortened if the terminal is too narrow. */
  shrink?: boolean;
  /** Whether it is left out before other columns are shortened. */
  minor?: boolean;
}

/**
 * Formats rows under dim titles, without rules, to the terminal's width. Without a terminal, nothing is shortened. If
 * there is no room for a row, its cells are put below each other.
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  output: Output,
): string[] {
  const isPiped = !Number.isFinite(output.columns);
  const padded = (width: number) => (isPiped ? Math.min(width, WIDEST_PADDED) : width);
  const measured = columns.map((column, index) => ({
    ...column,
    index,
    width: Math.max(columnsOf(column.title), ...rows.map((row) => padded(columnsOf(row[index] ?? "")))),
  }));
  const shown = shrunk(withoutMinor(measured, output.columns), output.columns);
  if (excess(shown, output.columns) > 0) return stacked(columns, rows, output);
  const line = (cells: readonly string[]) =>
    shown
      .map(({ index, width, align }) => {
        const text = cells[index] ?? "";
        return cellOf(text, isPiped ? Math.max(width, columnsOf(text)) : width, align, output);
      })
      .join(GAP)
      .trimEnd();
  return [output.style.dim(line(columns.map(({ title }) => title))), ...rows.map(line)];
}

/** Formats each row as names before values, complete but for those that are empty. */
function stacked(columns: readonly Column[], rows: readonly (readonly string[])[], output: Output): string[] {
  const width = Math.max(...columns.map(({ title }) => columnsOf(title)));
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : [""]),
    ...columns.flatMap(({ title }, at) => {
      const value = row[at] ?? "";
      if (value === "") return [];
      const fits = width + GAP.length + columnsOf(value) <= output.columns - MARGIN;
      const name = output.style.dim(fits ? title.padEnd(width) : title);
      return fits ? name + GAP + value : `${name}\n${hanging(GAP, value, output.columns - MARGIN)}`;
    }),
  ]);
}

type Measured = Column & { index: number; width: number };

/** Returns by how many columns the terminal is too narrow. */
function excess(columns: readonly Measured[], room: number): number {
  return MARGIN + columns.reduce((sum, { width }) => sum + width + GAP.length, -GAP.length) - room;
}

function withoutMinor(columns: readonly Measured[], room: number): readonly Measured[] {
  const last = columns.findLastIndex(({ minor }) => minor);
  if (last < 0 || excess(columns, room) <= 0) return columns;
  return withoutMinor(columns.toSpliced(last, 1), room);
}

function shrunk(columns: readonly Measured[], room: number): readonly Measured[] {
  let left = excess(columns, room);
  return columns.map((column) => {
    if (left <= 0 || !column.shrink) return column;
    const width = Math.max(NARROWEST, Math.min(column.width, column.width - left));
    left -= column.width - width;
    return { ...column, width };
  });
}

/** Formats names before values: `Plan     team`. */
export function fields(pairs: readonly (readonly [name: string, value: string])[], output: Output): string[] {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) =>
    hanging(output.style.dim(name.padEnd(width)) + GAP, value, output.columns - MARGIN),
  );
}

function cellOf(text: string, width: number, align: Column["align"], output: Output): string {
  const cut = shorten(text, width, output.symbols.ellipsis);
  const padding = " ".repeat(Math.max(0, width - columnsOf(cut)));
  return align === "right" ? padding + cut : cut + padding;
}
