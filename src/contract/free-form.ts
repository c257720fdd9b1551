import * as z from "zod";
import { isObject } from "../system/is-object.ts";
import { named, refinementRules } from "./components.ts";

const MAX_BYTES = 16 * 1024;
const MAX_DEPTH = 32;

/**
 * An object with any members: at most 16 KiB serialised and 32 levels deep. The value is passed on uncopied, so that
 * keys such as `__proto__` stay ordinary members.
 */
export const FreeForm = z
  .custom<Record<string, unknown>>(isObject, "must be an object")
  .superRefine((value, context) => {
    const fault = faultOf(value);
    if (fault) context.addIssue({ code: "custom", message: fault });
  })
  .meta({ type: "object", additionalProperties: true })
  .register(refinementRules, { rule: `At most ${MAX_BYTES} bytes as JSON, and ${MAX_DEPTH} levels deep.` });

named({ FreeForm });

function faultOf(value: Record<string, unknown>): string | undefined {
  if (deeperThan(value, MAX_DEPTH)) return `must be at most ${MAX_DEPTH} levels deep`;
  if (Buffer.byteLength(JSON.stringify(value)) > MAX_BYTES) return `must have at most ${MAX_BYTES} bytes`;
}

/**
 * Reports whether a value is nested more than `levels` deep. Iterative, because the input decides the depth and
 * recursion could overflow the stack.
 */
function deeperThan(root: unknown, levels: number): boolean {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true;
    level = level.flatMap((value) =>
      typeof value === "object" && value !== null
        ? Object.values(value).filter((member) => typeof member === "object")
        : [],
    );
  }
  return false;
}
