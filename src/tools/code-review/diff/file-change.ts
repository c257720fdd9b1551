/** A line of the new side of a hunk. */
export interface Line {
  /** 1-based, in the new file. */
  number: number;
  /** Without its line ending. */
  text: string;
  added: boolean;
}

/** Lines of the new file without a gap: context and what was added. */
export interface Hunk {
  lines: Line[];
}

/** What a diff says about one file. */
export interface FileChange {
  /** In the new tree; of a deleted file, in the old one. */
  path: string;
  kind: "added" | "modified" | "deleted" | "renamed" | "copied" | "mode";
  binary: boolean;
  hunks: Hunk[];
}
