import { ANY, TOOLS } from "../failures/files.ts";
import type { FailuresFile, SignatureEntry } from "../failures/schema.ts";
import type { LineSignature, Role } from "./signature.ts";

/** Weights of signatures that state none. */
const WEIGHTS: Record<Role, number> = { cause: 90, wrapper: 66, symptom: 42, exit: 30 };

/**
 * All signatures in the order in which they are tried: exits, which leave no doubt; those of single tools,
 * the heaviest first; those of any tool.
 */
export const SIGNATURES: readonly LineSignature[] = [
  ...TOOLS.flatMap(signaturesOf).sort(
    (a, b) => Number(b.role === "exit") - Number(a.role === "exit") || b.weight - a.weight,
  ),
  ...signaturesOf(ANY).sort((a, b) => b.weight - a.weight),
];

function signaturesOf({ ecosystem, signatures = [] }: FailuresFile): LineSignature[] {
  return signatures.map((entry) => ({
    id: entry.id,
    role: entry.role,
    ...(entry.category && { category: entry.category }),
    ...(ecosystem && { ecosystem }),
    weight: entry.weight ?? WEIGHTS[entry.role],
    ...(entry.survivable && { survivable: true }),
    pattern: compiled(entry),
  }));
}

/** Compiles a signature's pattern. Throws an error with the signature's id if it is invalid. */
function compiled({ id, pattern, ignoreCase }: SignatureEntry): RegExp {
  const source = typeof pattern === "string" ? pattern : pattern.join("|");
  try {
    return new RegExp(source, ignoreCase ? "i" : "");
  } catch (error) {
    throw new Error(`The pattern of the signature ${id} is not a regular expression.`, { cause: error });
  }
}
