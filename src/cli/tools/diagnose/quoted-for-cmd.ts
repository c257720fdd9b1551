/** A word as cmd.exe and the C runtime behind it read it back; `%` stays cmd's own. */
export function quotedForCmd(word: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(word)) return word;
  return `"${word.replace(/(\\*)("|$)/g, (_, slashes: string, quote: string) => slashes + slashes + (quote && '\\"'))}"`;
}
