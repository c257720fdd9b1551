import type { Variant } from "../finding.ts";
import type { Level } from "../flow/level.ts";
import type { Language } from "../language/language.ts";

/** Which calls an entry speaks of. */
export interface Called {
  /** Exactly the last words of the call. */
  names: readonly string[];
  /** Of its whole path, imports resolved. */
  path?: RegExp;
  /** A member that gets a value, `label.Text = value`, instead of a call. */
  assigned?: true;
  /** An argument that makes it harmless. */
  unless?: RegExp;
  /** An argument without which it is harmless. */
  onlyWith?: RegExp;
  /** Reported even with a fixed argument, since the call itself is the fault. */
  always?: true;
  variant?: Variant;
  /** What is said of it, where the rule's own words would not fit. */
  says?: string;
}

/** A call that must not get what others control. */
export interface Sink extends Called {
  /** Which argument; the first unless said. */
  argument?: number | "any";
  /** The name of the argument, in place of its number. */
  option?: string;
  /** From here on it is reported. */
  atLeast: Level;
}

export type Sinks = Partial<Record<Language, readonly Sink[]>>;

/** A call that makes whatever object a text describes. */
export type Reader = Called;
