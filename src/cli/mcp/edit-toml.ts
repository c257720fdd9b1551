/**
 * Returns the text of a TOML file with the table `name` replaced by `table`, or removed with the tables below it if that
 * is undefined. Everything else stays.
 */
export function editToml(text: string, name: string, table: string | undefined): string {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => {
    const header = headerOf(line);
    return header === name || (table === undefined && header?.startsWith(`${name}.`));
  });
  if (start < 0) {
    if (table === undefined) return text;
    return text.trim() === "" ? `${table}\n` : `${text.trimEnd()}\n\n${table}\n`;
  }
  const end = endOf(lines, start);
  if (table !== undefined) {
    if (lines.slice(start, end).join("\n").trim() === table) return text;
    return lines.toSpliced(start, end - start, table).join("\n");
  }
  let next = end;
  while (lines[next]?.trim() === "") next++;
  const rest = lines.toSpliced(start, next - start).join("\n");
  return editToml(next < lines.length ? rest : `${rest.trimEnd()}\n`, name, undefined);
}

function headerOf(line: string): string | undefined {
  return /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line)?.[1]?.trim();
}

/** Returns the first line behind the values of a table. Comments and blank lines there belong to the next one. */
function endOf(lines: readonly string[], start: number): number {
  const next = lines.findIndex((line, index) => index > start && /^\s*\[/.test(line));
  let end = next < 0 ? lines.length : next;
  while (end > start + 1 && /^\s*(?:#.*)?$/.test(lines[end - 1] as string)) end--;
  return end;
}
