/** What a file says on its own, independent of the rest of the repository. Facts are cached between runs. */
export interface Facts {
  imports: readonly Import[];
  definitions: readonly Definition[];
  /** The package that the file declares, in languages whose packages share names without imports. */
  package?: string;
  /** The packages around it whose names the file shares as well, from near to far. */
  around?: readonly string[];
  /**
   * The full names by which other files can refer to what the file declares, in languages that name things by package or
   * namespace. That of an extension has a dot of its own: `shop.cart..total`. In C, what it leaves to others to define.
   */
  declares?: readonly string[];
  /** Names used in the file that may be defined in other files without an import. */
  uses?: readonly string[];
  /** The same by the namespace in which they are used, in languages that have several in a file. */
  scopes?: readonly (readonly [namespace: string, uses: readonly string[]])[];
  /** What the types around a place inherit from, by their names, in languages that look names up there. */
  ancestors?: readonly (readonly [namespace: string, names: readonly string[]])[];
  /** The parts of types that several files may define together. */
  parts?: readonly TypePart[];
  /** Macros that the file defines, in languages whose macros need no import; in PHP, constants that hold a path. */
  macros?: readonly string[];
  /** Whether the file contains tests, in languages that keep them beside the code that they test. */
  holdsTests?: boolean;
}

/** Cached facts, parsed when they are first needed: most commands need those of few files. */
export class LazyFacts {
  #facts: Facts | undefined;
  #bytes: Buffer | undefined;

  private constructor(facts: Facts | undefined, bytes: Buffer | undefined) {
    this.#facts = facts;
    this.#bytes = bytes;
  }

  static of(facts: Facts): LazyFacts {
    return new LazyFacts(facts, undefined);
  }

  static from(bytes: Buffer): LazyFacts {
    return new LazyFacts(undefined, bytes);
  }

  get value(): Facts {
    this.#facts ??= JSON.parse(this.bytes.toString()) as Facts;
    return this.#facts;
  }

  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(JSON.stringify(this.#facts));
    return this.#bytes;
  }
}

export interface Import {
  /** The module as written: a specifier or a dotted name. */
  module: string;
  /** Names taken from the module, if they are listed. In languages of namespaces, the one that the file gives it. */
  names?: readonly string[];
  /** Whether it also holds for the other files of its project. */
  isGlobal?: boolean;
}

export interface TypePart {
  /** Full name of the type. */
  type: string;
  /** What this part declares. */
  members: readonly string[];
  /** All names in it, of which those that other parts declare are uses of these. Without any, `uses` says. */
  names?: readonly string[];
}

export interface Definition {
  /** Members are prefixed with their holder: `Store.open`. */
  name: string;
  kind: DefinitionKind;
  /** First and last line, from 1. */
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

/** Where an import leads. `missing`: it names a file of the repository that does not exist. */
export type Target =
  | { kind: "file"; path: string }
  | { kind: "package"; id: string; name: string }
  | { kind: "missing"; module: string };
