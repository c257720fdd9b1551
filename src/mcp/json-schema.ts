import * as z from "zod";
import { descriptions } from "../contract/components.ts";
import { isObject } from "../system/is-object.ts";
import { isTruthValue } from "./truth-values.ts";

export type Schema = Record<string, unknown>;

/** The JSON Schema of a tool's input or output. MCP requires `type: "object"` at the root. */
export interface ObjectSchema extends Schema {
  type: "object";
  properties?: Record<string, Schema>;
  required?: string[];
}

/** Levels of members that an output schema describes. Objects below are unconstrained. */
const OUTPUT_LEVELS = 2;
/** Longest enum in an output schema. */
const MAX_VALUES = 8;
/** In characters. Replacing a shorter form by a reference would make the schema longer. */
const MIN_ALIKE = 100;
/** Keywords that matter to the sender of a value, but not to its receiver. */
const OF_INPUTS_ALONE = new Set(["format", "pattern", "required"]);

/**
 * Bounds of this size are omitted, because normal calls do not reach them. The error of one that does states the
 * bound.
 */
const FAR = 1000;
const BOUNDS = new Set([
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "minItems",
  "maxItems",
]);
/** Longer patterns are omitted as unreadable. */
const MAX_PATTERN_LENGTH = 60;
const NOISE = new Set(["$schema", "minLength", "maxLength", "propertyNames"]);

/** Returns the input schema, reduced to what an agent needs for a call. */
export function inputSchema(type: z.ZodType): ObjectSchema {
  return { ...(withoutNoise(jsonSchema(type, "input")) as ObjectSchema), additionalProperties: false };
}

/**
 * Returns the output schema, reduced to an outline, because every word costs tokens in each session. It accepts every
 * answer, including those of a server with additional members. Answers that may be no objects are its `result`.
 */
export function outputSchema(type: z.ZodType): ObjectSchema {
  const schema = outlined(withoutNoise(jsonSchema(type, "output")), OUTPUT_LEVELS) as Schema;
  if (!describesObjects(schema)) {
    const { $defs, ...result } = schema;
    return {
      type: "object",
      properties: { result },
      required: ["result"],
      ...(isObject($defs) && { $defs }),
    };
  }
  return {
    type: "object",
    ...schema,
    ...(isObject(schema.properties) && { properties: toldOnce(schema.properties) }),
  };
}

const resultsAlone = new WeakMap<z.ZodType, boolean>();

/** Whether an answer of this type is the `result` of what its output schema describes, since it may be no object. */
export function isResultAlone(type: z.ZodType): boolean {
  if (type._zod.def.type === "object") return false;
  const known = resultsAlone.get(type) ?? !describesObjects(jsonSchema(type, "output") as Schema);
  resultsAlone.set(type, known);
  return known;
}

function describesObjects({ type, anyOf, oneOf, allOf, $ref }: Schema): boolean {
  const options = (anyOf ?? oneOf) as Schema[] | undefined;
  if (type !== undefined) return type === "object";
  if (options) return options.every(describesObjects);
  // What is not described may be an object.
  return allOf === undefined ? $ref === undefined : (allOf as Schema[]).every(describesObjects);
}

/** Describes members of equal form once. Later ones, such as a list of alternatives to the best, refer to the first. */
function toldOnce(members: Schema): Record<string, Schema> {
  const told = new Map<string, string>();
  return Object.fromEntries(
    Object.entries(members as Record<string, Schema>).map(([name, member]) => {
      const isList = isObject(member.items);
      const form = JSON.stringify((isList ? (member.items as Schema) : member).properties) ?? "";
      const first = told.get(form);
      if (first !== undefined) {
        const alike = { type: "object", description: `As \`${first}\`` };
        return [name, isList ? { ...member, items: alike } : alike];
      }
      if (form.length >= MIN_ALIKE) told.set(form, name);
      return [name, member];
    }),
  );
}

function jsonSchema(type: z.ZodType, io: "input" | "output"): unknown {
  return z.toJSONSchema(type, {
    io,
    unrepresentable: "any",
    metadata: descriptions,
    override({ zodSchema, jsonSchema }) {
      if (isTruthValue(zodSchema)) jsonSchema.type = "boolean";
    },
  });
}

function withoutNoise(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutNoise);
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => {
    if (NOISE.has(key)) return false;
    if (key === "pattern") return !("format" in schema) && String(value).length <= MAX_PATTERN_LENGTH;
    // Every object of the API is strict, and the root states that once.
    if (key === "additionalProperties") return value !== false;
    if (key === "default") return !isEmpty(value);
    return !(BOUNDS.has(key) && Math.abs(value as number) >= FAR);
  });
  return merged(
    Object.fromEntries(
      kept.map(([key, value]) => [
        key,
        key === "properties" ? eachOf(value as Schema, withoutNoise) : withoutNoise(value),
      ]),
    ),
  );
}

/** Merges a type or null into one schema. */
function merged({ anyOf, ...rest }: Schema): Schema {
  const [option, other] = (anyOf ?? []) as Schema[];
  const isNullable = other?.type === "null" && typeof option?.type === "string" && !("enum" in option);
  if (isNullable && (anyOf as Schema[]).length === 2) {
    return { ...option, ...rest, type: [option.type, "null"] };
  }
  return anyOf === undefined ? rest : { ...rest, anyOf };
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function outlined(schema: unknown, levels: number): unknown {
  if (!isObject(schema)) return schema;
  const { type } = schema;
  if (levels === 0 && [type].flat().some((each) => each === "object" || each === "array")) return { type };
  const outline: Schema = {};
  for (const [key, value] of Object.entries(schema)) {
    if (OF_INPUTS_ALONE.has(key) || BOUNDS.has(key)) continue;
    if (key === "description" && levels < OUTPUT_LEVELS - 1) continue;
    if (key === "enum" && (value as unknown[]).length > MAX_VALUES) continue;
    if (key === "properties") outline[key] = eachOf(value as Schema, (each) => outlined(each, levels - 1));
    else if (key === "anyOf" || key === "oneOf" || key === "allOf") {
      outline[key] = (value as unknown[]).map((each) => outlined(each, levels));
    } else if (key === "items" || key === "additionalProperties") outline[key] = outlined(value, levels);
    else outline[key] = value;
  }
  return outline;
}

function eachOf(members: Schema, change: (schema: unknown) => unknown): Schema {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member)]));
}
