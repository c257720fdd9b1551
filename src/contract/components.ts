import * as z from "zod";

const names = new Map<string, z.ZodType>();

/** Registers each schema under its key, which names it in the OpenAPI document and in clients generated from it. */
export function named(schemas: Readonly<Record<string, z.ZodType>>): void {
  for (const [name, schema] of Object.entries(schemas)) {
    if ((names.get(name) ?? schema) !== schema)
      throw new Error(`Two schemas are named ${name}: give one of them another name.`);
    names.set(name, schema);
  }
}

/** Returns every named schema, by name. */
export function namedSchemas(): ReadonlyMap<string, z.ZodType> {
  return names;
}

/**
 * The rules that the refinements of a schema enforce, one sentence each, for readers of the OpenAPI document: JSON
 * Schema cannot express refinements. Usage: `z.string().refine(…).register(refinementRules, { rule: "…" })`. A test finds
 * refinements without a rule.
 */
export const refinementRules = z.registry<{ rule: string }>();

/**
 * What `.meta()` and `.describe()` say of schemas, apart from their ids. An id would become a reference to a definition
 * that the converted document lacks, and two alike would fail the conversion. `named` is what gives schemas names.
 */
export const descriptions: typeof z.globalRegistry = z.registry();
descriptions.get = (schema) => {
  const { id: _, ...said } = z.globalRegistry.get(schema) ?? {};
  return said as ReturnType<typeof z.globalRegistry.get>;
};
