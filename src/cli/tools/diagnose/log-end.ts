/** The most characters to keep of a log. The end is kept, since builds fail there. */
const MAX_KEPT = 16 << 20;

/** Returns a buffer for pieces of text that drops the oldest once there are too many. */
export function keepEnd() {
  let pieces: string[] = [];
  let length = 0;
  const add = (piece: string) => {
    pieces.push(piece);
    length += piece.length;
    if (length > 2 * MAX_KEPT) {
      pieces = [pieces.join("").slice(-MAX_KEPT)];
      length = MAX_KEPT;
    }
  };
  return {
    add,
    addLine(line: string) {
      const begun = pieces.findLast((piece) => piece !== "")?.endsWith("\n") === false;
      add(`${begun ? "\n" : ""}${line}\n`);
    },
    text: () => lastPart(pieces.join("")),
  };
}

/** Returns the log, or its end from the beginning of a line if it is too long. */
function lastPart(log: string): string {
  if (log.length <= MAX_KEPT) return log;
  const end = log.slice(-MAX_KEPT);
  return end.slice(end.indexOf("\n") + 1);
}
