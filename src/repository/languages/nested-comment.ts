const MARK = /\/\*|\*\//g;

/** Returns where a comment ends that may have others in it, in languages whose comments nest. */
export function nestedCommentEnd(text: string, start: number): number {
  let depth = 0;
  MARK.lastIndex = start;
  for (let mark = MARK.exec(text); mark; mark = MARK.exec(text)) {
    depth += mark[0] === "/*" ? 1 : -1;
    if (depth === 0) return MARK.lastIndex;
  }
  return text.length;
}
