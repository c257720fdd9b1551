import { z } from "zod";
import { everyLanguageSchema, taintSchema } from "../src/tools/code-review/taint/schema.ts";
import { failuresSchema } from "../src/tools/self-healing/failures/schema.ts";

/** JSON schemas by path. Data files name them in `$schema`, so that editors validate them. */
export const DATA_SCHEMAS: Readonly<Record<string, string>> = {
  "src/tools/code-review/taint/taint.schema.json": jsonSchema(taintSchema),
  "src/tools/code-review/taint/every-language.schema.json": jsonSchema(everyLanguageSchema),
  "src/tools/self-healing/failures/failures.schema.json": jsonSchema(failuresSchema),
};

/** Returns a schema as JSON Schema draft 7, which every editor supports. */
function jsonSchema(schema: z.ZodType): string {
  return `${JSON.stringify(z.toJSONSchema(schema, { target: "draft-7" }), null, 2)}\n`;
}
