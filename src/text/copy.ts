/** What is kept longer than the text that it is a part of: a part holds the whole in memory, a copy does not. */
export function copyOf(text: string): string {
  return Buffer.from(text).toString();
}
