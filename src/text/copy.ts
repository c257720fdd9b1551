/** Copies a string that outlives the text it is a substring of. A substring would keep the whole text in memory. */
export function copyOf(text: string): string {
  const copy = Buffer.from(text).toString();
  // A lone surrogate cannot be encoded in UTF-8.
  return copy === text ? copy : text;
}
