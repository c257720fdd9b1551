import { ANY, TOOLS } from "../failures/files.ts";
import type { SuggestionTemplate } from "./suggestion.ts";

export const SUGGESTIONS: readonly SuggestionTemplate[] = [...TOOLS, ANY].flatMap(
  ({ ecosystem, suggestions = [] }) =>
    suggestions.map(({ example: _, ...suggestion }) => ({
      ...suggestion,
      ...(ecosystem && { ecosystems: [ecosystem] }),
    })),
);
