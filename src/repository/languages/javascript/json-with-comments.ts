/** Parses JSON with comments and trailing commas, as in tsconfig.json. Returns undefined if that fails. */
export function parseJsonWithComments(text: string): unknown {
  const clean = text.replace(/^\uFEFF/, "");
  try {
    return JSON.parse(clean);
  } catch {
    const plain = clean
      .replace(
        /("[^"\\\n]*(?:\\.[^"\\\n]*)*"?)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g,
        (_, string?: string) => string ?? "",
      )
      .replace(/("[^"\\\n]*(?:\\.[^"\\\n]*)*"?)|,(?=\s*[\]}])/g, (_, string?: string) => string ?? "");
    try {
      return JSON.parse(plain);
    } catch {
      return undefined;
    }
  }
}
