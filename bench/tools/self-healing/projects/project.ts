import type { Category } from "../../../../src/tools/self-healing/categories.ts";

/** A small project with a known fault, and the expected diagnosis of a tool's log of it. */
export interface FailingProject {
  name: string;
  /** Programs that must be on the path, or in `node_modules/.bin` of this repository. */
  needs: readonly string[];
  files: Readonly<Record<string, string>>;
  /** A failing shell command, run in the project's folder. */
  run: string;
  /** Matches the log's line that states the cause. */
  cause: RegExp;
  /** Place of the fault. Absent if it is in no file of the project. */
  place?: { file: string; line?: number };
  categories: readonly Category[];
  /** Matches at least one of the suggestions. */
  advice?: RegExp;
}
