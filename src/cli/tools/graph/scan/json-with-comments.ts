/** What TypeScript takes for JSON: with comments and commas too many. Undefined where it is not even that. */
export function parseJsonWithComments(text: string): unknown {
  const plain = text
    .replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string?: string) => string ?? "")
    .replace(/("(?:\\.|[^"\\])*")|,(?=\s*[\]}])/g, (_, string?: string) => string ?? "");
  try {
    return JSON.parse(plain);
  } catch {
    return undefined;
  }
}
