import { ANY, TOOLS } from "../failures/files.ts";
import type { Suggestion } from "./suggestion.ts";

export const SUGGESTIONS: readonly Suggestion[] = [...TOOLS, ANY].flatMap(({ ecosystem, suggestions = [] }) =>
  suggestions.map(({ example: _, ...suggestion }) => ({
    ...suggestion,
    ...(ecosystem && { ecosystems: [ecosystem] }),
  })),
);
