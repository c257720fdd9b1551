import { z } from "zod";
import { inWords, namedSchemas } from "../../contract/components.ts";

export type Json = Record<string, unknown>;

/** What a client sends, or what it gets: defaults, conversions and strictness differ. */
export type Side = "input" | "output";

/** A zod type that the document speaks of, and what it is called unless it has a name of its own. */
export interface Use {
  type: z.ZodType;
  side: Side;
  name?: string;
}

export interface Schemas {
  /** A reference to one of the types that were announced. */
  refer(type: z.ZodType, side: Side): Json;
  /** The schema itself, with references within it. */
  read(type: z.ZodType, side: Side): Json;
  /** What all references lead to, by name. */
  components(): Record<string, Json>;
}

const PREFIX = "#/components/schemas/";

/**
 * JSON Schema 2020-12 of zod types, each named one in a place of its own. What differs between the two
 * sides and is used on both has two names, the second of them with `Input` behind it.
 */
export function createSchemas(uses: readonly Use[]): Schemas {
  const sides = { input: sideOf("input", uses), output: sideOf("output", uses) };
  const used = {
    input: closureOf(sides.input, uses, "input"),
    output: closureOf(sides.output, uses, "output"),
  };
  const split = splitNames(sides, used);

  function nameOf(type: z.ZodType, side: Side): string {
    const name = sides[side].names.get(type);
    if (name === undefined) throw new Error("The document speaks of a schema that was not announced.");
    return name;
  }

  function rename(json: unknown, side: Side): unknown {
    return mapped(json, (schema) =>
      typeof schema.$ref === "string"
        ? { ...schema, $ref: PREFIX + finalName(schema.$ref.slice(PREFIX.length), side) }
        : schema,
    );
  }

  function finalName(name: string, side: Side): string {
    return side === "input" && split.has(name) ? `${name}Input` : name;
  }

  return {
    refer: (type, side) => ({ $ref: PREFIX + finalName(nameOf(type, side), side) }),
    read: (type, side) => rename(sides[side].schemas[nameOf(type, side)], side) as Json,
    components() {
      const found = (["output", "input"] as const).flatMap((side) =>
        [...used[side]].map((name): [string, Json] => [
          finalName(name, side),
          withoutDefaults(rename(sides[side].schemas[name], side)) as Json,
        ]),
      );
      return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
    },
  };
}

/** A type's schema by itself, without references. */
export function inlineSchema(type: z.ZodType, side: Side): Json {
  return mapped(z.toJSONSchema(type, conversion(side)), side === "input" ? sent : received) as Json;
}

/** What JSON Schema cannot say is left open, but for the words that there are for it. */
function conversion(side: Side) {
  return {
    io: side,
    unrepresentable: "any",
    override({
      zodSchema,
      jsonSchema,
    }: {
      zodSchema: z.core.$ZodTypes;
      jsonSchema: z.core.JSONSchema.BaseSchema;
    }) {
      const said = inWords.get(zodSchema);
      if (said && jsonSchema.$ref === undefined) jsonSchema["x-rule"] = said.rule;
    },
  } as const;
}

interface OneSide {
  names: ReadonlyMap<z.ZodType, string>;
  schemas: Record<string, Json>;
}

function sideOf(side: Side, uses: readonly Use[]): OneSide {
  const registry = z.registry<{ id: string }>();
  const names = new Map([...namedSchemas()].map(([name, type]) => [type, name] as const));
  for (const { type, name } of uses.filter((use) => use.side === side)) {
    if (names.has(type)) continue;
    if (name === undefined) throw new Error("The document speaks of a schema that has no name.");
    names.set(type, name);
  }
  for (const [type, id] of names) registry.add(type, { id });
  const { schemas } = z.toJSONSchema(registry, { ...conversion(side), uri: (id) => PREFIX + id });
  const clean = (schema: unknown) => mapped(schema, side === "input" ? sent : received) as Json;
  return {
    names,
    schemas: Object.fromEntries(Object.entries(schemas).map(([id, found]) => [id, clean(found)])),
  };
}

/** Every name that the used types lead to, and their own unless they are only read. */
function closureOf({ names, schemas }: OneSide, uses: readonly Use[], side: Side): Set<string> {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    for (const other of referencesIn(schemas[name])) visit(other);
  };
  for (const use of uses.filter((one) => one.side === side)) {
    const name = names.get(use.type) as string;
    if (use.name?.startsWith(READ_ONLY)) for (const other of referencesIn(schemas[name])) visit(other);
    else visit(name);
  }
  return found;
}

/** Begins the name of what is read alone: nothing refers to it, so that it is no component. */
export const READ_ONLY = "~";

function splitNames(sides: Record<Side, OneSide>, used: Record<Side, Set<string>>): Set<string> {
  const both = [...used.input].filter((name) => used.output.has(name));
  const split = new Set(both.filter((name) => text(sides.input, name) !== text(sides.output, name)));
  for (let before = -1; before !== split.size; ) {
    before = split.size;
    for (const name of both) {
      if (referencesIn(sides.input.schemas[name]).some((other) => split.has(other))) split.add(name);
    }
  }
  return split;
}

function text({ schemas }: OneSide, name: string): string {
  return JSON.stringify(withoutDefaults(schemas[name]));
}

function referencesIn(json: unknown): string[] {
  const found = new Set<string>();
  mapped(json, (schema) => {
    if (typeof schema.$ref === "string") found.add(schema.$ref.slice(PREFIX.length));
    return schema;
  });
  return [...found];
}

const SCHEMAS_BY_NAME = new Set(["properties", "patternProperties", "$defs"]);
const SCHEMAS_WITHIN = new Set([
  "items",
  "additionalProperties",
  "propertyNames",
  "not",
  "anyOf",
  "oneOf",
  "allOf",
]);

/** Every schema within, innermost first, changed. */
function mapped(schema: unknown, change: (schema: Json) => Json): unknown {
  if (Array.isArray(schema)) return schema.map((option) => mapped(option, change));
  if (typeof schema !== "object" || schema === null) return schema;
  const members = Object.entries(schema).map(([keyword, value]) => {
    if (SCHEMAS_BY_NAME.has(keyword)) return [keyword, eachOf(value, (one) => mapped(one, change))];
    return [keyword, SCHEMAS_WITHIN.has(keyword) ? mapped(value, change) : value];
  });
  return change(Object.fromEntries(members));
}

function eachOf(members: Json, change: (member: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member)]));
}

function sent({ $schema: _, $id: __, ...schema }: Json): Json {
  return worded(brief(schema));
}

/** A client of an older version is to bear with members that it does not know. */
function received({ $schema: _, $id: __, default: ___, additionalProperties, ...schema }: Json): Json {
  return worded(
    brief({
      ...schema,
      ...(additionalProperties !== undefined && additionalProperties !== false && { additionalProperties }),
    }),
  );
}

/** Without what says nothing: a pattern beside its format, the bounds of exact integers, keys that are strings. */
function brief(schema: Json): Json {
  const { pattern, propertyNames, minimum, maximum, ...rest } = schema;
  const isPlain = JSON.stringify(propertyNames) === '{"type":"string"}';
  return {
    ...rest,
    ...(pattern !== undefined && typeof rest.format !== "string" && { pattern }),
    ...(propertyNames !== undefined && !isPlain && { propertyNames }),
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
  };
}

function worded({ "x-rule": rule, ...schema }: Json): Json {
  return rule === undefined ? schema : described(schema, String(rule));
}

/**
 * Generators of clients take a member that has a default for one that is always there, and make whoever sends
 * it write it: in bodies the default is said in words.
 */
function withoutDefaults(json: unknown): unknown {
  return mapped(json, (schema) => {
    if (!("default" in schema)) return schema;
    const { default: value, ...rest } = schema;
    return described(rest, `Default: \`${JSON.stringify(value)}\`.`);
  });
}

export function described(schema: Json, ...more: readonly string[]): Json {
  const { description, ...rest } = schema;
  const sentences = [...(typeof description === "string" ? [description] : []), ...more];
  const whole = sentences.map((sentence) => (/[.!?:`]$/.test(sentence) ? sentence : `${sentence}.`));
  const words = sentences.length > 1 ? whole : sentences;
  return { description: words.join(" "), ...rest };
}
