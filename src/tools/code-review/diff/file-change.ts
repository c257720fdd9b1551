/** A line of the new side of a hunk. */
export interface Line {
  /** 1-based, in the new file. */
  number: number;
  /** Without its line ending. */
  text: string;
  added: boolean;
}

/** Consecutive lines of the new file: context and added ones. */
export interface Hunk {
  lines: Line[];
}

/** The change of one file. */
export interface FileChange {
  /** Path in the new tree, or in the old one for a deleted file. */
  path: string;
  kind: "added" | "modified" | "deleted" | "renamed" | "copied" | "mode";
  binary: boolean;
  hunks: Hunk[];
}
