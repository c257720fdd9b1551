import type { Facts, Target } from "../facts.ts";

/** What a language's resolver may look at. */
export interface Project {
  /** All files that are there, whatever is in them. */
  paths: ReadonlySet<string>;
  /** Of the files of this language. */
  facts: ReadonlyMap<string, Facts>;
  /** Undefined where there is no such file, or it is too long. */
  text(path: string): string | undefined;
}

export interface Language {
  name: string;
  files: RegExp;
  read(text: string, path: string): Facts;
  /** Where what a file imports leads, as this language has it. */
  resolver(project: Project): (path: string, facts: Facts) => Target[];
}

export function fileTarget(path: string): Target {
  return { kind: "file", path };
}
