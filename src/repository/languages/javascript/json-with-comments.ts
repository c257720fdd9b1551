/** JSON as in tsconfig.json, with comments and commas too many. Undefined where it is not even that. */
export function parseJsonWithComments(text: string): unknown {
  const clean = text.replace(/^\uFEFF/, "");
  try {
    return JSON.parse(clean);
  } catch {
    const plain = clean
      .replace(
        /("[^"\\]*(?:\\.[^"\\]*)*")|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g,
        (_, string?: string) => string ?? "",
      )
      .replace(/("[^"\\]*(?:\\.[^"\\]*)*")|,(?=\s*[\]}])/g, (_, string?: string) => string ?? "");
    try {
      return JSON.parse(plain);
    } catch {
      return undefined;
    }
  }
}
