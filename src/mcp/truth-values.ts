import type * as z from "zod";

/**
 * A query holds text, so its truth values are `z.stringbool()`. Agents are told of `true` and `false`, which JSON has,
 * and give them; what their clients send as text is taken, too.
 */
export function isTruthValue({ _zod: { def } }: z.core.$ZodTypes): boolean {
  if (def.type !== "pipe") return false;
  const [from, to] = [def.in, def.out].map((each) => (each as z.core.$ZodTypes)._zod.def);
  return from?.type === "string" && to?.type === "boolean" && to.coerce !== true;
}

/** Returns the arguments with truth values as the text that the input takes. */
export function withTruthAsText(
  { shape }: z.ZodObject,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const truths = Object.keys(given).filter(
    (name) =>
      typeof given[name] === "boolean" && Object.hasOwn(shape, name) && isTruthValue(innermost(shape[name])),
  );
  if (truths.length === 0) return given;
  return { ...given, ...Object.fromEntries(truths.map((name) => [name, String(given[name])])) };
}

/** Returns what is optional or has a default without that. */
function innermost(type: unknown): z.core.$ZodTypes {
  const found = type as z.core.$ZodTypes;
  const { def } = found._zod;
  return "innerType" in def ? innermost(def.innerType) : found;
}
