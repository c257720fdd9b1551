import { z } from "zod";

export type Schema = Record<string, unknown>;

/** What a tool's definition says of its input or output; `type: "object"` at the root, as MCP wants it. */
export interface ObjectSchema extends Schema {
  type: "object";
  properties?: Record<string, Schema>;
  required?: string[];
}

/** Of an output, so many levels of members are told; below them an object is any object. */
const OUTPUT_LEVELS = 2;
/** Longer lists of values are told of inputs alone. */
const MAX_VALUES = 8;
/** In characters: a reference to what is shorter would be longer. */
const MIN_ALIKE = 100;
/** Read by whoever sends a value, and of no use to whoever gets one. */
const OF_INPUTS_ALONE = new Set(["format", "pattern", "required"]);

/** Bounds that no sensible call comes near: who does is told by the answer. */
const FAR = 1000;
const BOUNDS = new Set([
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "minItems",
  "maxItems",
]);
/** Nobody reads a longer one. */
const MAX_PATTERN_LENGTH = 60;
const NOISE = new Set(["$schema", "minLength", "maxLength", "propertyNames"]);

/** What an agent must know to call, and no more. */
export function inputSchema(type: z.ZodType): ObjectSchema {
  return { ...(withoutNoise(jsonSchema(type, "input")) as ObjectSchema), additionalProperties: false };
}

/**
 * What an agent can expect of an answer, and no more: an agent pays for every word of it in each session.
 * Each answer fits it, and so would the answers of a server that has learnt more members.
 */
export function outputSchema(type: z.ZodType): ObjectSchema {
  const schema = outlined(withoutNoise(jsonSchema(type, "output")), OUTPUT_LEVELS) as Schema;
  return {
    type: "object",
    ...schema,
    ...(isSchema(schema.properties) && { properties: toldOnce(schema.properties) }),
  };
}

/** Members of one form, such as the best and a list of the next best: those after the first refer to it. */
function toldOnce(members: Schema): Record<string, Schema> {
  const told = new Map<string, string>();
  return Object.fromEntries(
    Object.entries(members as Record<string, Schema>).map(([name, member]) => {
      const isList = isSchema(member.items);
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
  return z.toJSONSchema(type, { io, unrepresentable: "any" });
}

function withoutNoise(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutNoise);
  if (!isSchema(schema)) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => {
    if (NOISE.has(key)) return false;
    if (key === "pattern") return !("format" in schema) && String(value).length <= MAX_PATTERN_LENGTH;
    // Every object of ours is strict; the root says it once.
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

/** A type or null, said in one. */
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
  if (!isSchema(schema)) return schema;
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

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
