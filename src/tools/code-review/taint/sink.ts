import type { Variant } from "../finding.ts";
import type { Level } from "../flow/level.ts";
import type { Language } from "../language/language.ts";

/** A call that must not get what others control. */
export interface Sink {
  /** The last words of the call. */
  names: readonly string[];
  /** Of its whole path, imports resolved. */
  path?: RegExp;
  /** Which argument; the first unless said. */
  argument?: number | "any";
  /** From here on it is reported. */
  atLeast: Level;
  variant?: Variant;
}

export type Sinks = Partial<Record<Language, readonly Sink[]>>;

/** A call that makes whatever object a text describes. */
export interface Reader {
  names: RegExp;
  path?: RegExp;
  /** An argument that makes it harmless. */
  unless?: RegExp;
  /** An argument without which it is harmless. */
  onlyWith?: RegExp;
  /** Reported even with a fixed argument, since the type itself is the fault. */
  always?: boolean;
  variant?: Variant;
}
