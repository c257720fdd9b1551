import { parse, TomlError } from "smol-toml";
import { UsageError } from "../exit-codes.ts";

type Path = readonly string[];

interface Table {
  path: Path;
  /** The line of its header, and the one behind its last value. Comments and blank lines there belong to the next. */
  start: number;
  end: number;
}

/**
 * Returns the text of a TOML file with the table at `path` replaced by `table`, or removed with the tables below it if
 * that is undefined. Everything else stays. Throws `UsageError` if the file is no TOML, or has the table without a header.
 */
export function editToml(text: string, path: Path, table: string | undefined, file: string): string {
  const refusal = (reason: string) =>
    new UsageError(
      `${file} cannot be edited: ${reason}.`,
      "Mend it first, or paste: tool mcp config --client codex",
    );
  const before = parsed(text);
  if (before instanceof TomlError) throw refusal(`line ${before.line} is no TOML`);
  const edited = table === undefined ? without(text, path) : withTable(text, path, table);
  const after = parsed(edited);
  // Inline tables and dotted keys have no header to be found by, and allow none beside them.
  if (after instanceof TomlError || (table === undefined && valueAt(after, path) !== undefined)) {
    throw refusal(`${path.join(".")} is no table with a header of its own`);
  }
  return edited;
}

function withTable(text: string, path: Path, table: string): string {
  const eol = lineEndOf(text);
  const written = table.replaceAll("\n", eol);
  const lines = linesOf(text);
  const found = tablesIn(lines).find((each) => each.path.length === path.length && isWithin(each, path));
  if (!found) return text.trim() === "" ? written + eol : text.trimEnd() + eol + eol + written + eol;
  const { start, end } = found;
  const before = lines.slice(start, end).join("");
  if (before.trim() === written) return text;
  return lines.toSpliced(start, end - start, written + before.slice(before.trimEnd().length)).join("");
}

function without(text: string, path: Path): string {
  const lines = linesOf(text);
  const found = tablesIn(lines).findLast((each) => isWithin(each, path));
  if (!found) return text;
  let next = found.end;
  while (lines[next]?.trim() === "") next++;
  const rest = lines.toSpliced(found.start, next - found.start).join("");
  return without(next < lines.length ? rest : rest.trimEnd() + lineEndOf(text), path);
}

function lineEndOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** Returns the lines with their ends: by itself, a carriage return ends none in TOML. */
function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}

function isWithin({ path }: Table, ancestor: Path): boolean {
  return ancestor.every((name, depth) => path[depth] === name);
}

/** Returns the tables of a valid TOML file. Lines that are no TOML by themselves are parts of one value. */
function tablesIn(lines: readonly string[]): Table[] {
  const tables: Table[] = [];
  for (let start = 0, end = 1; start < lines.length; start = end++) {
    let statement = parsed(lines.slice(start, end).join(""));
    while (statement instanceof TomlError && end < lines.length) {
      statement = parsed(lines.slice(start, ++end).join(""));
    }
    const isHeader = /^\s*\[/.test(lines[start] as string);
    const last = tables.at(-1);
    if (isHeader) tables.push({ path: pathIn(statement), start, end });
    else if (last && Object.keys(statement).length > 0) last.end = end;
  }
  return tables;
}

/** Returns the path in a document that is a header alone, of a table or of an array of tables. */
function pathIn(document: unknown): string[] {
  if (Array.isArray(document)) return pathIn(document[0]);
  return Object.entries(document as object).flatMap(([name, inner]) => [name, ...pathIn(inner)]);
}

function valueAt(document: unknown, [name, ...rest]: Path): unknown {
  if (name === undefined || typeof document !== "object" || document === null) return document;
  return valueAt((document as Record<string, unknown>)[name], rest);
}

function parsed(text: string): Record<string, unknown> | TomlError {
  try {
    return parse(text, { integersAsBigInt: "asNeeded" });
  } catch (error) {
    if (error instanceof TomlError) return error;
    throw error;
  }
}
