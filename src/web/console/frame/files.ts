import type { PageOf } from "../../../accounts/page.ts";
import { csvLine } from "../../../contract/csv.ts";
import { iso } from "../../../system/clock.ts";
import type { PageAnswer } from "../../page.ts";
import type { Download, View } from "./section.ts";

/** The media type of JSON lines. */
const JSON_LINES = "application/jsonl; charset=utf-8";

/** Returns JSON lines as a download. Of a name that somebody typed, a header takes no more than these characters. */
export function linesFile(name: string, body: AsyncIterable<string>): Download {
  return { name: `${name.replace(/[^\w.@-]/g, "_")}.jsonl`, type: JSON_LINES, body };
}

/** Returns the answer with a download, which is sent as fast as the browser reads it. */
export function fileAnswer({ name, type, body }: Download): PageAnswer {
  const headers = { "Content-Type": type, "Content-Disposition": `attachment; filename="${name}"` };
  return { status: 200, headers, body };
}

/** The columns of a file by heading, as functions of a row. */
export type FileColumns<Row> = Readonly<Record<string, (row: Row) => string | number | null | undefined>>;

/**
 * Returns rows as a download: CSV, or JSON lines if the address has `format=jsonl` (`Below`).
 *
 * @param name the file's name, without its extension.
 */
export function fileOf<Row>(
  { query }: Pick<View, "query">,
  name: string,
  columns: FileColumns<Row>,
  rows: AsyncIterable<Row> | Iterable<Row>,
): Download {
  if (query.get("format") === "jsonl") return linesFile(name, jsonLines(columns, rows));
  return { name: `${name}.csv`, type: "text/csv; charset=utf-8", body: csvLines(columns, rows) };
}

async function* csvLines<Row>(columns: FileColumns<Row>, rows: AsyncIterable<Row> | Iterable<Row>) {
  yield csvLine(Object.keys(columns));
  for await (const row of rows) yield csvLine(Object.values(columns).map((cell) => cell(row)));
}

async function* jsonLines<Row>(columns: FileColumns<Row>, rows: AsyncIterable<Row> | Iterable<Row>) {
  for await (const row of rows) {
    const members = Object.entries(columns).map(([name, cell]) => [name, cell(row)]);
    yield `${JSON.stringify(Object.fromEntries(members))}\n`;
  }
}

/** Yields the items of all pages of a list. */
export async function* everyItem<Row>(
  pageAt: (cursor: string | undefined) => Promise<PageOf<Row>>,
): AsyncGenerator<Row> {
  for (let cursor: string | undefined; ; ) {
    const { items, nextCursor } = await pageAt(cursor);
    yield* items;
    if (nextCursor === undefined) return;
    cursor = nextCursor;
  }
}

/** Formats a time for a file. */
export function isoOrNone(at: number | undefined): string | undefined {
  return at === undefined ? undefined : iso(at);
}
