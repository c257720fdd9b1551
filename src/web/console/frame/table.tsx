import type { ReactElement, ReactNode } from "react";
import { sameAddress } from "./address.ts";
import type { View } from "./section.ts";

export interface Column<Row> {
  title: string;
  /** Its name in `?sort=`, if rows can be sorted by it; a leading minus reverses the order. */
  sort?: string;
  /** Whether the first click sorts in descending order. */
  largestFirst?: boolean;
  /** Whether it is aligned to the right, as figures are. */
  isFigure?: boolean;
  /** Whether people chose its content, which wraps, so that a long one leaves the rest of its row in view. */
  isName?: boolean;
  /** Whether its content is long and wraps. */
  isProse?: boolean;
  cell(row: Row): ReactNode;
}

/** A table that is sorted by a click on a heading. The first column identifies the row. */
export function Table<Row>(props: {
  view: View;
  /** The section's path, for the links that sort. */
  path: string;
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The current order, as in `?sort=`. */
  sort?: string | undefined;
  /** The parameter for the order, instead of `sort`, if it is the second table of its page. */
  sortName?: string;
}): ReactElement {
  const { columns, rows, keyOf, label } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it can only be scrolled by keyboard if it can have the focus
    <section className="scroll" aria-label={label} tabIndex={0}>
      <table className="list">
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.title} {...props} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.title} scope="row">
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.title} className={classOf(column)}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function classOf<Row>({ isFigure, isName, isProse }: Column<Row>): string | undefined {
  return isFigure ? "figures" : isName ? "name-cell" : isProse ? "prose-cell" : undefined;
}

function Heading<Row>(props: {
  view: View;
  path: string;
  column: Column<Row>;
  sort?: string | undefined;
  sortName?: string;
}): ReactElement {
  const { view, path, sortName = "sort" } = props;
  const { title, sort: name, largestFirst } = props.column;
  const className = classOf(props.column);
  if (name === undefined)
    return (
      <th scope="col" className={className}>
        {title}
      </th>
    );
  const down = `-${name}`;
  const isBy = props.sort === name || props.sort === down;
  const next = isBy ? (props.sort === name ? down : name) : largestFirst ? down : name;
  return (
    <th
      scope="col"
      className={className}
      aria-sort={isBy ? (props.sort === name ? "ascending" : "descending") : undefined}
    >
      <a className="target" href={sameAddress(view, path, { [sortName]: next, after: undefined })}>
        {title}
      </a>
    </th>
  );
}

/** The links below a list: the next page, and an export of all of it. */
export function Below(props: {
  view: View;
  path: string;
  /** The cursor of the next page. */
  after?: string | undefined;
  /** The label of the link to it; `More` by default. */
  more?: string;
  /** Whether the section has a `download` with the same filters as the page. */
  exported?: boolean;
  /** Whether the download can be JSON lines, too (`files.ts`). */
  lines?: boolean;
  /** Whether the download can be one JSON document, too. */
  json?: boolean;
}): ReactElement | null {
  const { view, path, after, more = "More", exported, lines, json } = props;
  if (after === undefined && !exported) return null;
  return (
    <p className="row">
      {after !== undefined && (
        <a className="button" href={sameAddress(view, path, { after })}>
          {more}
        </a>
      )}
      {exported && (
        <span className="inline">
          <a className="target" href={sameAddress(view, `${path}/export`, { after: undefined })}>
            Export as CSV
          </a>
          {(lines || json) && (
            <a
              className="target"
              href={sameAddress(view, `${path}/export`, {
                after: undefined,
                format: lines ? "jsonl" : "json",
              })}
            >
              {lines ? "as JSON lines" : "as JSON"}
            </a>
          )}
        </span>
      )}
    </p>
  );
}
