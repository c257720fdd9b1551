const SEPARATORS = [",", ";", "\t"];
/** One between digits can be a decimal point. */
const COMMA = /(?<!\d),|,(?!\d)/;

export interface Table {
  separator: string;
  rows: Row[];
}

export interface Row {
  /** From 1, as editors and spreadsheets count. */
  number: number;
  cells: string[];
}

/** RFC 4180, and what else is called CSV. Cells are trimmed, and empty rows left out. */
export function tableOf(text: string): Table {
  const content = text.replace(/^\ufeff/, "");
  const separator = separatorOf(content);
  return { separator, rows: [...rowsOf(content, separator)] };
}

/** The one that parts the first row. */
function separatorOf(text: string): string {
  const [first = ""] = text.split(/[\r\n]/, 1);
  const parts = (separator: string) => first.split(separator === "," ? COMMA : separator).length;
  return SEPARATORS.reduce((best, each) => (parts(each) > parts(best) ? each : best));
}

/** A cell in quotes may hold separators, line breaks and doubled quotes. */
function* rowsOf(text: string, separator: string): Generator<Row> {
  const pattern = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^${separator}\\r\\n]*))(${separator}|\\r\\n?|\\n|$)`,
    "gy",
  );
  let cells: string[] = [];
  let number = 1;
  for (const [, quoted, plain = "", end] of text.matchAll(pattern)) {
    cells.push((quoted === undefined ? plain : quoted.replaceAll('""', '"')).trim());
    if (end === separator) continue;
    if (cells.length > 1 || cells[0] !== "") yield { number, cells };
    cells = [];
    number++;
  }
}
