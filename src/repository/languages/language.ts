import type { Facts, Import, Target } from "../facts.ts";

/** The parts of a repository that a language's resolver may use. */
export interface Project {
  /** All existing files, whatever they contain. */
  paths: ReadonlySet<string>;
  /** Facts of the files of this language, and of those that share its resolver. */
  facts: ReadonlyMap<string, Facts>;
  /** Undefined if the file does not exist or is too long. */
  text(path: string): string | undefined;
}

export interface Language {
  name: string;
  files: RegExp;
  /** The programs that run its scripts, without version numbers. */
  programs?: readonly string[];
  read(text: string, path: string): Facts;
  /** Reads the imports alone, where that is quicker. */
  readImports?(text: string, path: string): readonly Import[];
  /**
   * Creates a function that resolves the imports of a file by the rules of the language. Languages that use each other
   * have one resolver.
   */
  resolver(project: Project): (path: string, facts: Facts) => Target[];
}

export function fileTarget(path: string): Target {
  return { kind: "file", path };
}
