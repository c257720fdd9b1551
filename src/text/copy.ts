/** What is kept longer than the text that it is a part of: a part holds the whole in memory, a copy does not. */
export function copyOf(text: string): string {
  const copy = Buffer.from(text).toString();
  // Half of a pair has no UTF-8.
  return copy === text ? copy : text;
}
