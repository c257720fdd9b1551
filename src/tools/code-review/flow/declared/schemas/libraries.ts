import type { Fragment } from "../../../syntax/fragment.ts";
import { oncePerFragment } from "../../../syntax/lookup/once-per-fragment.ts";
import type { Range } from "../../../syntax/range.ts";
import { type Part, partsOf } from "./parts.ts";

/** Modules with which a program of JavaScript declares what it takes. */
const MODULES =
  /^(?:@hapi\/joi|joi|yup|zod|valibot|@valibot|superstruct|@sinclair\/typebox|typebox|elysia|celebrate)\b/;
/** What such a module calls itself by, if it is imported as one name of it. */
const NAMESPACE = /\.(?:default|Joi|Type|Value|t|v|z)$/;
/** Names by which modules are known where a file does not show their import. */
const CUSTOMARY = /^(?:Joi|yup|z)$/;

/** How a file speaks of schemas. */
export const librariesIn = oncePerFragment((fragment: Fragment) => {
  const isOfLibrary = (name: string) =>
    CUSTOMARY.test(name) || MODULES.test(fragment.names.imports.get(name) ?? "");
  const isNamespace = (name: string) => {
    const module = fragment.names.imports.get(name) ?? "";
    return (
      CUSTOMARY.test(name) || (MODULES.test(module) && (!module.includes(".") || NAMESPACE.test(module)))
    );
  };
  return {
    isUsed:
      fragment.language === "javascript" &&
      (["z", "Joi", "yup"].some((name) => fragment.words.has(name)) ||
        [...fragment.names.imports.values()].some((module) => MODULES.test(module))),
    isOfLibrary,
    isNamespace,
  };
});

/** A schema as it is written: `z.string().uuid()` is made as a `string`, and more is required behind it. */
export interface Written {
  made: Part;
  behind: readonly Part[];
}

/** Returns a schema that is written with a library; undefined for another expression. */
export function writtenSchema(fragment: Fragment, range: Range): Written | undefined {
  const { isNamespace, isOfLibrary } = librariesIn(fragment);
  const [first, ...rest] = partsOf(fragment, range) ?? [];
  if (!first || !isOfLibrary(first.name)) return undefined;
  if (!isNamespace(first.name)) return { made: first, behind: rest };
  const [made, ...behind] = rest.filter(({ name }) => name !== "coerce");
  return made && { made, behind };
}

/** Calls that return what a client sent only if it fits a schema. */
export const PARSING =
  /^(?:(?:parse|safeParse|decode|safeDecode|validate)(?:Async|Sync)?|cast|attempt|create|mask|Parse|Decode)$/;
