/** Of a longer log the end is kept: that is where builds fail. */
const MAX_KEPT = 16 << 20;

/** Pieces of text, of which the oldest are let go once there are too many. */
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

/** The end of a log that is too long, from the beginning of a line. */
function lastPart(log: string): string {
  if (log.length <= MAX_KEPT) return log;
  const end = log.slice(-MAX_KEPT);
  return end.slice(end.indexOf("\n") + 1);
}
