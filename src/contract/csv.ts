/** Returns one CSV line (RFC 4180), with its line break. Numbers are written unquoted; absent values are empty. */
export function csvLine(cells: readonly (string | number | null | undefined)[]): string {
  return `${cells.map(cellOf).join(",")}\r\n`;
}

function cellOf(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  // A spreadsheet would run the value as a formula, in some languages also after full-width signs. Ids and names come
  // from strangers.
  const text = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
