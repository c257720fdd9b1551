import type { Category, Ecosystem } from "../categories.ts";

/**
 * How near to the reason a line is: the reason itself; a tool that says its part failed; a word of
 * failure without a reason; the news that something ended.
 */
export type Role = "cause" | "wrapper" | "symptom" | "exit";

/** A line that tells of a failure, recognised by its form. */
export interface Signature {
  id: string;
  role: Role;
  /** Missing where the line says nothing of the kind of failure. */
  category?: Category;
  /** Missing where tools of several ecosystems write it. */
  ecosystem?: Ecosystem;
  /** Of a cleaned line. Its named groups fill in suggestions: module, package, file, command, version, … */
  pattern: RegExp;
  weight: number;
  /** Programs print it and go on: only what follows shows whether it mattered. */
  survivable?: boolean;
  /** A line that it recognises, and no signature before it. */
  example: string;
}

const WEIGHTS: Record<Role, number> = { cause: 90, wrapper: 66, symptom: 42, exit: 30 };

type Make = (
  id: string,
  category: Category | undefined,
  pattern: RegExp,
  example: string,
  weight?: number,
) => Signature;

const of =
  (role: Role): Make =>
  (id, category, pattern, example, weight = WEIGHTS[role]) => ({
    id,
    role,
    ...(category && { category }),
    pattern,
    weight,
    example,
  });

export const cause = of("cause");
export const wrapper = of("wrapper");
export const symptom = of("symptom");
export const exit = of("exit");

/** The signatures of one ecosystem's tools. */
export function within(ecosystem: Ecosystem, signatures: readonly Signature[]): Signature[] {
  return signatures.map((signature) => ({ ecosystem, ...signature }));
}

export function survivable(signatures: readonly Signature[]): Signature[] {
  return signatures.map((signature) => ({ ...signature, survivable: true }));
}
