/** What a file says by itself, whatever else the repository holds: what is kept between runs. */
export interface Facts {
  imports: readonly Import[];
  definitions: readonly Definition[];
  /** What it belongs to by its own word, in languages where neighbours see each other without an import. */
  package?: string;
  /** Names of such neighbours that it may mean. */
  uses?: readonly string[];
  /** Whether tests stand in it, in languages that have them beside what they test. */
  holdsTests?: boolean;
}

export interface Import {
  /** As it is written: a specifier, or a dotted name. */
  module: string;
  /** What is taken out of the module, where it is named. */
  names?: readonly string[];
}

export interface Definition {
  /** Members are named with what holds them: `Store.open`. */
  name: string;
  kind: DefinitionKind;
  /** Lines, from 1; `to` is the last one. */
  from: number;
  to: number;
}

export type DefinitionKind =
  | "function"
  | "method"
  | "class"
  | "interface"
  | "type"
  | "enum"
  | "module"
  | "value";

/** Where an import leads; `missing` names a file of the repository that is not there. */
export type Target =
  | { kind: "file"; path: string }
  | { kind: "package"; id: string; name: string }
  | { kind: "missing"; module: string };
