import { z } from "zod";

const names = new Map<string, z.ZodType>();

/** Gives schemas the names of their members in the OpenAPI document, and so in clients generated from it. */
export function named(schemas: Readonly<Record<string, z.ZodType>>): void {
  for (const [name, schema] of Object.entries(schemas)) {
    if ((names.get(name) ?? schema) !== schema) throw new Error(`Two schemas are named ${name}.`);
    names.set(name, schema);
  }
}

/** Every schema with a name of its own. */
export function namedSchemas(): ReadonlyMap<string, z.ZodType> {
  return names;
}

/**
 * What the refinements of a schema demand, in a sentence for whoever reads the OpenAPI document, since JSON
 * Schema knows nothing of them: `z.string().refine(…).register(inWords, { rule: "…" })`. A test finds
 * refinements that nobody put into words.
 */
export const inWords = z.registry<{ rule: string }>();
