/** Quotes a word for cmd.exe and the C runtime of the program. Does not escape `%`, which cmd expands. */
export function quotedForCmd(word: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(word)) return word;
  return `"${word.replace(/(\\*)("|$)/g, (_, slashes: string, quote: string) => slashes + slashes + (quote && '\\"'))}"`;
}
