import type { Category } from "../../../../src/tools/self-healing/categories.ts";

/** A small project with a known fault, and what a diagnosis of the tool that meets it has to say. */
export interface FailingProject {
  name: string;
  /** Programs that have to be on the path, or in `node_modules/.bin` of this repository. */
  needs: readonly string[];
  files: Readonly<Record<string, string>>;
  /** Run by the shell in the project's folder; fails. */
  run: string;
  /** The line of the log that tells why. */
  cause: RegExp;
  /** Where the fault is; left out where no file of the project has it. */
  place?: { file: string; line?: number };
  categories: readonly Category[];
  /** What one of the suggestions has to speak of. */
  advice?: RegExp;
}
