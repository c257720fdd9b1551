/** Quotes a text for a POSIX shell, as one word in which nothing is expanded. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Writes a text as one word of a shell, in quotes only where it needs them. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : shellQuoted(text);
}

/** Like `shellWord`, for a path or name that a command must not take for an option. */
export function argumentWord(text: string): string {
  return shellWord(text.startsWith("-") ? `./${text}` : text);
}
