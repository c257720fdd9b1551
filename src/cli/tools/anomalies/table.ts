const SEPARATORS = [",", ";", "\t"];
/** A separating comma. A comma between digits may be a decimal point. */
const COMMA = /(?<!\d),|,(?!\d)/;
/** The first line by which spreadsheets are told the separator. */
const SAID = /^(?:sep=([^\s\w"]|\t)|"sep=([^\s\w"]|\t)")[ \t]*(?:\r\n?|\n)/i;

export interface Table {
  /** The names of the columns, unless they may be in the first row. */
  names?: string[];
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
  const [line = "", plain, quoted] = SAID.exec(content) ?? [];
  const rest = content.slice(line.length);
  const separator = plain ?? quoted ?? separatorOf(rest);
  return { separator, rows: [...rowsOf(rest, separator, line === "" ? 1 : 2)] };
}

/** Returns the separator that splits the first row into the most cells. */
function separatorOf(text: string): string {
  const [first = ""] = text.split(/[\r\n]/, 1);
  const parts = (separator: string) => first.split(separator === "," ? COMMA : separator).length;
  return SEPARATORS.reduce((best, each) => (parts(each) > parts(best) ? each : best));
}

/** Yields the rows. A quoted cell may contain separators, line breaks and doubled quotes. */
function* rowsOf(text: string, separator: string, first: number): Generator<Row> {
  const escaped = `\\u${separator.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const pattern = new RegExp(
    `(?:"([^"]*(?:""[^"]*)*)"|([^${escaped}\\r\\n]*))(${escaped}|\\r\\n?|\\n|$)`,
    "gy",
  );
  let cells: string[] = [];
  let number = first;
  for (const [, quoted, plain = "", end] of text.matchAll(pattern)) {
    cells.push((quoted === undefined ? plain : quoted.replaceAll('""', '"')).trim());
    if (end === separator) continue;
    if (cells.length > 1 || cells[0] !== "") yield { number, cells };
    cells = [];
    number++;
  }
}
