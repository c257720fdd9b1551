/** Whether a word of a query matches an indexed one. */
export function stands(asked: string, word: string): boolean {
  return word.startsWith(asked) || (asked.length >= 3 && typosBetween(asked, word) <= 1);
}

/** Computes the optimal string alignment distance by its table. */
export function typosBetween(left: string, right: string): number {
  const rows = Array.from({ length: left.length + 1 }, (_, row) => {
    return Array.from({ length: right.length + 1 }, (_, column) =>
      row === 0 ? column : column === 0 ? row : 0,
    );
  });
  const at = (row: number, column: number) => rows[row]?.[column] as number;
  for (let row = 1; row <= left.length; row++) {
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1] ? 0 : 1;
      const steps = [at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + same];
      if (
        row > 1 &&
        column > 1 &&
        left[row - 1] === right[column - 2] &&
        left[row - 2] === right[column - 1]
      ) {
        steps.push(at(row - 2, column - 2) + 1);
      }
      (rows[row] as number[])[column] = Math.min(...steps);
    }
  }
  return at(left.length, right.length);
}
