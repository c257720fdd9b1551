/** Length from which V8 represents a substring as a reference to the whole string. */
const MIN_SLICED = 13;

/** Copies a string that outlives the text it is a substring of. A substring would keep the whole text in memory. */
export function copyOf(text: string): string {
  if (text.length < MIN_SLICED) return text;
  const copy = Buffer.from(text).toString();
  // A lone surrogate cannot be encoded in UTF-8.
  return copy === text ? copy : text;
}
