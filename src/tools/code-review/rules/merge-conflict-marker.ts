import type { Rule } from "../finding.ts";

const BEGIN = /^<{7}(?: |$)/;
const MIDDLE = /^={7}$/;
const BASE = /^\|{7}(?: |$)/;
const END = /^>{7}(?: |$)/;

export const mergeConflictMarker: Rule = {
  id: "merge-conflict-marker",
  category: "correctness",
  severity: "error",
  languages: "any",
  everywhere: true,
  message: "A marker of an unresolved merge conflict is left in the file.",
  suggestion: "Decide for one side of the conflict, or join both, and remove the markers.",
  *check({ lines }) {
    const marked = lines.some(({ text }) => BEGIN.test(text) || END.test(text) || BASE.test(text));
    if (!marked) return;
    for (const [line, { text }] of lines.entries()) {
      // Seven equals signs alone underline titles in Markdown and reStructuredText.
      if (BEGIN.test(text) || END.test(text) || BASE.test(text) || MIDDLE.test(text)) {
        yield { places: [{ line, column: 0 }] };
      }
    }
  },
};
