import type { Rule, Sighting } from "../finding.ts";
import { isAside } from "../severity.ts";
import type { Fragment } from "../syntax/fragment.ts";

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
  *check(fragment) {
    const { lines } = fragment;
    const marked = lines.some(({ text }) => BEGIN.test(text) || END.test(text) || BASE.test(text));
    if (!marked) return;
    const quoted = conflictsInTexts(fragment);
    for (const [line, { text }] of lines.entries()) {
      // Seven equals signs alone underline titles in Markdown and reStructuredText.
      if (BEGIN.test(text) || END.test(text) || BASE.test(text) || MIDDLE.test(text)) {
        const isQuoted = quoted.some(({ from, to }) => from < line && line < to);
        const places = [{ line, column: 0 }];
        yield isQuoted ? { places, message: IN_TEXT, severity: "info" } : ({ places } satisfies Sighting);
      }
    }
  },
};

const IN_TEXT = "A text of this test holds the markers of a merge conflict, as a test of merging would.";

/** Lines of the strings of a test that hold a whole conflict. */
function conflictsInTexts({ path, tokens }: Fragment): { from: number; to: number }[] {
  if (!isAside(path)) return [];
  return tokens.flatMap(({ kind, text, line }) => {
    if (kind !== "string" || !text.includes(MARK)) return [];
    const within = text.split("\n");
    const isWhole = within.some((each) => BEGIN.test(each)) && within.some((each) => END.test(each));
    return isWhole ? [{ from: line - 1, to: line + within.length }] : [];
  });
}

const MARK = "<".repeat(7);
