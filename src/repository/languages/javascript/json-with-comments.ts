import { membersOf } from "../members.ts";

/** Returns the members of an object in JSON with comments; none of any other text, or without one. */
export function membersOfJson(text = ""): Record<string, unknown> {
  return membersOf(parseJsonWithComments(text));
}

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
