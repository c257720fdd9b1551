/** Returns the text of a TOML file with the table `name` replaced by `table`, or removed if that is undefined. */
export function editToml(text: string, name: string, table: string | undefined): string {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.trim() === `[${name}]`);
  if (start >= 0) {
    const length = lines.slice(start + 1).findIndex((line) => /^\s*\[/.test(line));
    const end = length < 0 ? lines.length : start + 1 + length;
    const kept = lines.slice(start, end).join("\n").trim();
    if (kept === table) return text;
    lines.splice(start, end - start, ...(table === undefined ? [] : [table, ""]));
    return `${lines.join("\n").trimEnd()}\n`;
  }
  if (table === undefined) return text;
  return text.trim() === "" ? `${table}\n` : `${text.trimEnd()}\n\n${table}\n`;
}
