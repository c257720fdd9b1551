import type { Variant } from "../finding.ts";
import type { Level } from "../flow/level.ts";
import type { Language } from "../language/language.ts";

/** The calls that an entry of the taint tables matches. */
export interface Called {
  /** Exact last words of the call, any of which may match. */
  names: readonly string[];
  /** Matches the call's whole path, with imports resolved. */
  path?: RegExp;
  /** Matches assignments to a member, `label.Text = value`, instead of calls. */
  assigned?: true;
  /** Matches arguments that make the call harmless. */
  unless?: RegExp;
  /** Matches arguments without which the call is harmless. */
  onlyWith?: RegExp;
  /** Reported even with a fixed argument, since the call itself is the fault. */
  always?: true;
  variant?: Variant;
  /** The message, if that of the rule does not fit. */
  says?: string;
}

/** A call that must not receive values that others control. */
export interface Sink extends Called {
  /** Index of the argument; the first by default. */
  argument?: number | "any" | "address";
  /** The name of the argument, instead of its index. */
  option?: string;
  /** The lowest level that is reported. */
  atLeast: Level;
}

export type Sinks = Partial<Record<Language, readonly Sink[]>>;

/** A call that creates any object that its input describes (unsafe deserialization). */
export type Reader = Called;
