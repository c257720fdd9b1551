import type { ReactElement, ReactNode } from "react";
import { LeftOut, otherThan } from "../left-out.tsx";
import { sameAddress } from "./address.ts";
import type { View } from "./section.ts";

export interface Column<Row> {
  title: string;
  /** What `?sort=` calls it, where it can be sorted by; with a minus before it, the other way around. */
  sort?: string;
  /** The first press sorts the largest first. */
  largestFirst?: boolean;
  /** It stands to the right, as figures are compared. */
  isFigure?: boolean;
  /** It is long, and wraps. */
  isProse?: boolean;
  cell(row: Row): ReactNode;
}

/** Rows under headings that sort by a press. The first column names the row. */
export function Table<Row>(props: {
  view: View;
  /** Of the section, which `?sort=` is asked of. */
  path: string;
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** What it is sorted by, as in `?sort=`. */
  sort?: string | undefined;
  /** What the address calls its order, where it is the second table of its page. */
  sortName?: string;
}): ReactElement {
  const { columns, rows, keyOf, label } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: by keyboard it can only be scrolled once it has the focus
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

function classOf<Row>({ isFigure, isProse }: Column<Row>): string | undefined {
  return isFigure ? "figures" : isProse ? "prose-cell" : undefined;
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

/** Below a list: what comes after, and the whole to take along. */
export function Below(props: {
  view: View;
  path: string;
  /** Where the next page begins. */
  after?: string | undefined;
  /** What leads there; `More` unless said. */
  more?: string;
  /** The section has a `download` that is asked as the page is … */
  exported?: boolean;
  /** … and makes JSON lines, too (`files.ts`), … */
  lines?: boolean;
  /** … or one JSON document. */
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

/** The fields of a search that goes on in the account and project chosen; filters as one types. */
export function FilterForm(props: {
  view: View;
  path: string;
  /** `inline` unless said, or `fields`: each below its label. */
  className?: "inline" | "fields";
  /** By name in the address, what alone it may have as value. */
  choices?: Readonly<Record<string, readonly string[]>>;
  children: ReactNode;
}): ReactElement {
  const { view, path, className = "inline", choices = {}, children } = props;
  const kept = ["account", "project", "sort"] as const;
  return (
    <>
      <form method="get" action={path} className={className} data-filter="">
        {kept.map((name) => {
          const value = view.query.get(name);
          return value && <input key={name} type="hidden" name={name} value={value} />;
        })}
        {children}
        <button type="submit">Search</button>
      </form>
      <LeftOut view={view} names={otherThan(choices, view)} />
    </>
  );
}
