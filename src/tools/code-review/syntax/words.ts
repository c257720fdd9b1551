/** Splits an identifier into its words, in lower case: `SSL_verifyPeer` → ssl, verify, peer. */
export function wordsOf(name: string): string[] {
  return name
    .split(/[^A-Za-z0-9]{1,4}|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}
