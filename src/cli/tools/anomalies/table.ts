const SEPARATORS = [",", ";", "\t"];
/** A separating comma. A comma between digits may be a decimal point. */
const COMMA = /(?<!\d),|,(?!\d)/;

export interface Table {
  separator: string;
  rows: Row[];
}

export interface Row {
  /** The row's number, from 1 as in editors and spreadsheets. */
  number: number;
  cells: string[];
}

/** Parses CSV (RFC 4180), also with semicolons or tabs. Trims cells and drops empty rows. */
export function tableOf(text: string): Table {
  const content = text.replace(/^\ufeff/, "");
  const separator = separatorOf(content);
  return { separator, rows: [...rowsOf(content, separator)] };
}

/** Returns the separator that splits the first row into the most cells. */
function separatorOf(text: string): string {
  const [first = ""] = text.split(/[\r\n]/, 1);
  const parts = (separator: string) => first.split(separator === "," ? COMMA : separator).length;
  return SEPARATORS.reduce((best, each) => (parts(each) > parts(best) ? each : best));
}

/** Yields the rows. A quoted cell may contain separators, line breaks and doubled quotes. */
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
