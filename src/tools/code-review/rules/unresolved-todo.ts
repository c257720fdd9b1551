import type { Rule } from "../finding.ts";
import { PROGRAMS } from "../language/language.ts";

/** A mark in capitals anywhere, or in lower case at the start of a comment. */
const MARK =
  /(?<![\w-])(?:TODO|FIXME|XXX|HACK|BUG|TO-DO|FIX-ME|TBD)(?![\w-])|^\s{0,4}(?:todo|fixme|hack|Todo|Fixme)(?:\s{0,2}:|\s{1,2}-)/;
/** A reference to where the task is tracked: an issue, an owner, an address. */
const TRACKED =
  /^\s{0,2}(?:\(\s{0,2}[^)\s][^)]{0,80}\)|\[\s{0,2}[^\]\s][^\]]{0,80}\]|<[^>]{1,80}>|[:\s-]{0,6}@\w{2,40}\b|[:\s-]{0,6}(?:#\d{1,7}|[A-Z][A-Z0-9]{1,10}-\d{1,7}|gh-\d{1,7})\b)|https?:\/\/\S{1,200}(?:\/\d{1,9}|[?&]id=|\/browse\/|show_bug)|\b(?:issue|ticket|bug|see|PR)\s{0,2}#?\d{2,7}\b|#\d{2,7}\b|\b[A-Z][A-Z0-9]{1,9}-\d{1,7}\b/;

export const unresolvedTodo: Rule = {
  id: "unresolved-todo",
  category: "leftover",
  severity: "info",
  cwe: 546,
  languages: [...PROGRAMS, "shell", "yaml", "dockerfile", "markup", "other"],
  message: "A note says that something is still to be done here, but not by whom or in which issue.",
  suggestion: "Do it now, or open an issue and name it: TODO(#123).",
  *check(fragment) {
    for (const { text, line, column } of fragment.comments) {
      if (!/todo|fixme|xxx|hack|bug|to-do|fix-me|tbd/i.test(text)) continue;
      for (const [below, part] of text.split("\n").entries()) {
        const content = part.replace(/^[\s*/#!-]{0,12}/, "");
        const match = MARK.exec(content);
        if (!match || isName(content, match)) continue;
        const rest = content.slice(match.index + match[0].length, match.index + match[0].length + 300);
        if (TRACKED.test(rest)) continue;
        const whole = fragment.lines[line + below]?.text ?? "";
        const at = whole.indexOf(match[0].trimStart(), below === 0 ? column : 0);
        yield { places: [{ line: line + below, column: Math.max(0, at) }] };
      }
    }
  },
};

/** Whether a mark is only mentioned, or is part of a name: `XXX-XXX`, `TXXXXX/BXXX`, "the TODO list". */
function isName(content: string, { index, 0: mark }: RegExpExecArray): boolean {
  const before = content.slice(Math.max(0, index - 12), index);
  const after = content.slice(index + mark.length, index + mark.length + 12);
  if (/[/'"`=<.]$/.test(before) || /^['"`/=>.]/.test(after)) return true;
  if (/\b(?:a|an|the|no|any|all|of|these|those|each|list)\s$/i.test(before) && !/^\s{0,2}:/.test(after))
    return true;
  // `uses XXX for the offset`: placeholder letters within a sentence.
  if (mark === "XXX" && /\b[a-z]{2,20}\s$/.test(before) && /^\s[a-z]/.test(after)) return true;
  return /^BUG$/.test(mark) && !/^\s{0,2}[:!(]/.test(after);
}
