import type { Rule } from "../finding.ts";
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
    const quoted = textsOfTests(fragment);
    for (const [line, { text }] of lines.entries()) {
      // Seven equals signs alone underline titles in Markdown and reStructuredText.
      if (BEGIN.test(text) || END.test(text) || BASE.test(text) || MIDDLE.test(text)) {
        const places = [{ line, column: 0 }];
        yield quoted.has(line) ? { places, message: IN_TEXT, severity: "info" } : { places };
      }
    }
  },
};

const IN_TEXT = "A text of this test holds the marker of a merge conflict, as a test of merging would.";

/** The lines behind the first of each string of a test. */
function textsOfTests({ path, tokens }: Fragment): ReadonlySet<number> {
  const lines = new Set<number>();
  if (!isAside(path)) return lines;
  for (const { kind, text, line } of tokens) {
    if (kind !== "string") continue;
    for (let at = text.indexOf("\n"), next = line + 1; at >= 0; at = text.indexOf("\n", at + 1))
      lines.add(next++);
  }
  return lines;
}
