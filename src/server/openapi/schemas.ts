import * as z from "zod";
import { descriptions, namedSchemas, refinementRules } from "../../contract/components.ts";

export type Json = Record<string, unknown>;

/** Whether a client sends or receives it: defaults, conversions and strictness differ. */
export type Side = "input" | "output";

/** A zod type that the document uses, and its name unless it is registered with one. */
export interface Use {
  type: z.ZodType;
  side: Side;
  name?: string;
}

export interface Schemas {
  /** Returns a reference to a type in `uses`. */
  refer(type: z.ZodType, side: Side): Json;
  /** Returns the schema itself, which may contain references. */
  read(type: z.ZodType, side: Side): Json;
  /** Returns all schemas that are referred to, by name. */
  components(): Record<string, Json>;
}

const PREFIX = "#/components/schemas/";

/**
 * Creates JSON Schema 2020-12 of zod types, with each named type as a component. A type that is used on both sides and
 * differs between them has two names, of which the input's ends in `Input`.
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

/** Returns the schema of a type by itself, without references. */
export function inlineSchema(type: z.ZodType, side: Side): Json {
  return mapped(z.toJSONSchema(type, conversion(side)), side === "input" ? sent : received) as Json;
}

/** Leaves open what JSON Schema cannot express, apart from its rule in words, if it has one. */
function conversion(side: Side) {
  return {
    io: side,
    unrepresentable: "any",
    metadata: descriptions,
    override({
      zodSchema,
      jsonSchema,
    }: {
      zodSchema: z.core.$ZodTypes;
      jsonSchema: z.core.JSONSchema.BaseSchema;
    }) {
      const said = refinementRules.get(zodSchema);
      if (said && jsonSchema.$ref === undefined) jsonSchema["x-rule"] = said.rule;
      if (jsonSchema.$ref === undefined) nameMembers(zodSchema, jsonSchema);
    },
  } as const;
}

/** Lists the members of a record whose keys are known: generators read neither `propertyNames` nor `required` of others. */
function nameMembers({ _zod: { def } }: z.core.$ZodTypes, jsonSchema: z.core.JSONSchema.BaseSchema): void {
  const keys = def.type === "record" ? def.keyType._zod.values : undefined;
  const { additionalProperties: value } = jsonSchema;
  if (keys === undefined || typeof value !== "object") return;
  jsonSchema.properties = Object.fromEntries([...keys].map((key) => [String(key), { ...value }]));
  jsonSchema.additionalProperties = false;
  delete jsonSchema.propertyNames;
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
    schemas: Object.fromEntries(
      Object.entries(withNamedCycles(schemas)).map(([id, found]) => [id, clean(found)]),
    ),
  };
}

/** Makes schemas of their own of those that refer to themselves and have no name, which zod gathers under `__shared`. */
function withNamedCycles({ __shared: shared, ...schemas }: Record<string, unknown>): Record<string, unknown> {
  const cycles = Object.entries((shared as Json | undefined)?.$defs ?? {});
  const names = new Map<string, string>();
  let number = 0;
  for (const [key] of cycles) {
    do number++;
    while (Object.hasOwn(schemas, `Recursive${number}`));
    names.set(`${PREFIX}__shared#/$defs/${key}`, `Recursive${number}`);
  }
  const all = {
    ...schemas,
    ...Object.fromEntries([...names.values()].map((name, at) => [name, cycles[at]?.[1]])),
  };
  return eachOf(all, (one) =>
    mapped(one, (schema) => {
      const name = names.get(schema.$ref as string);
      return name === undefined ? schema : { ...schema, $ref: PREFIX + name };
    }),
  );
}

/** Returns all names that the used types reach, including their own unless they are only read. */
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

/** Prefix of the names of types that are only read. Nothing refers to them, so they become no components. */
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

/** Applies a change to every schema within, innermost first. */
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

/** Drops `additionalProperties: false`, since older clients must accept members that they do not know. */
function received({ $schema: _, $id: __, default: ___, additionalProperties, ...schema }: Json): Json {
  return worded(
    brief({
      ...schema,
      ...(additionalProperties !== undefined && additionalProperties !== false && { additionalProperties }),
    }),
  );
}

/**
 * Removes what carries no information: a pattern beside its format, the bounds of safe integers, string keys. Also
 * patterns with classes of Unicode, which Python's `re` and validators without the flag `u` cannot read.
 */
function brief(schema: Json): Json {
  const { pattern, propertyNames, minimum, maximum, ...rest } = schema;
  const isPlain = JSON.stringify(propertyNames) === '{"type":"string"}';
  return {
    ...rest,
    ...(pattern !== undefined &&
      typeof rest.format !== "string" &&
      !String(pattern).includes("\\p{") && { pattern }),
    ...(propertyNames !== undefined && !isPlain && { propertyNames }),
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
  };
}

function worded({ "x-rule": rule, ...schema }: Json): Json {
  return rule === undefined ? schema : described(schema, String(rule));
}

/**
 * Moves the defaults of bodies into descriptions: client generators treat members with a default as always present, and
 * require senders to write them.
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
