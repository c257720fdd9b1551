import * as z from "zod";
import { refinementRules } from "./components.ts";

/**
 * An object whose members the client names. A member `__proto__` is rejected by name. Zod's own record would silently
 * drop it.
 */
export function recordOf<K extends z.ZodType<string, string>, V extends z.ZodType>(key: K, value: V) {
  const record = z.record(key, value);
  const { $schema: _, ...schema } = z.toJSONSchema(record, { io: "input" });
  return z
    .custom<z.input<typeof record>>()
    .superRefine((given, context) => {
      if (typeof given !== "object" || given === null || !Object.hasOwn(given, "__proto__")) return;
      context.addIssue({
        code: "custom",
        path: ["__proto__"],
        message: "is not a name that a member may have",
      });
    })
    .meta(schema)
    .register(refinementRules, { rule: "No member is named `__proto__`." })
    .pipe(record);
}
