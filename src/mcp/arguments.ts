import type * as z from "zod";
import { faultInWords } from "../contract/fault-words.ts";
import { nearNames, questionOf } from "../contract/near-names.ts";
import type { Fault } from "../contract/problem.ts";
import type { Schema } from "./json-schema.ts";
import type { Tool } from "./tool.ts";

const MAX_LISTED = 20;

/** Returns what is wrong with a call's arguments and how to fix it; empty if they are valid. */
export function faultsOfArguments(tool: Tool, given: Readonly<Record<string, unknown>>): Fault[] {
  const { inputSchema } = tool.definition;
  const wrong = noNumbers(given, inputSchema.properties);
  const told = new Set(wrong.map(({ path }) => path));
  const issues = tool.input.safeParse(given).error?.issues ?? [];
  const others = issues.slice(0, MAX_LISTED).flatMap((issue): Fault[] => {
    if (told.has(named(issue.path))) return [];
    if (issue.code === "unrecognized_keys") {
      const known = Object.keys(schemaAt(inputSchema, issue.path)?.properties ?? {});
      return issue.keys.slice(0, MAX_LISTED).map((key) => ({
        path: named([...issue.path, key]),
        message: `is no argument${questionOf(nearNames(key, known))}`,
      }));
    }
    return [{ path: named(issue.path), message: messageOf(issue, given, inputSchema) }];
  });
  return [...wrong, ...others];
}

/** Describes the arguments in one line: `q (string), type? (string), limit? (integer)`. */
export function describeArguments({ definition: { inputSchema } }: Tool): string {
  const required = new Set(inputSchema.required);
  const each = Object.entries(inputSchema.properties ?? {}).map(([name, schema]) => {
    const type = typeIn(schema);
    return `${name}${required.has(name) ? "" : "?"}${type ? ` (${type})` : ""}`;
  });
  return each.length > 0 ? `It takes ${each.join(", ")}.` : "It takes no arguments.";
}

/**
 * Returns the arguments that must be numbers, or numeric text, but are not. A query's schema would coerce any value.
 */
function noNumbers(
  given: Readonly<Record<string, unknown>>,
  properties: Record<string, Schema> = {},
): Fault[] {
  return Object.entries(given).flatMap(([name, value]) => {
    const type = Object.hasOwn(properties, name) ? properties[name]?.type : undefined;
    if (type !== "number" && type !== "integer") return [];
    const isNumber = typeof value === "number" || (typeof value === "string" && value.trim() !== "");
    return isNumber ? [] : [{ path: name, message: notOfType(value, type) }];
  });
}

function messageOf(issue: z.core.$ZodIssue, given: unknown, schema: Schema): string {
  const value = valueAt(given, issue.path);
  const type = typeIn(schemaAt(schema, issue.path));
  if (value === undefined) return type ? `is needed: ${type}` : "is needed";
  if (value === null || issue.code === "invalid_type") {
    return notOfType(value, type ?? ("expected" in issue ? String(issue.expected) : undefined));
  }
  if (issue.code === "invalid_value") {
    const meant = questionOf(nearNames(String(value), issue.values.map(String)));
    return `must be one of ${issue.values.map((each) => JSON.stringify(each)).join(", ")}${meant}`;
  }
  return faultInWords(issue);
}

function notOfType(value: unknown, type: string | undefined): string {
  if (value !== null) return `must be ${type}, not ${kindOf(value)}`;
  return `must not be null${type ? `, but ${type}` : ""}; leave it out where it is optional`;
}

/** Returns the part of a JSON Schema that describes the value at `path`. */
function schemaAt(schema: Schema, path: readonly PropertyKey[]): Schema | undefined {
  let at: Schema | undefined = schema;
  for (const key of path) {
    const properties = (at?.properties ?? {}) as Record<string, Schema>;
    if (typeof key === "number") at = at?.items as Schema | undefined;
    else at = Object.hasOwn(properties, key) ? properties[String(key)] : undefined;
  }
  return at;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return at;
}

function typeIn(schema: Schema | undefined): string | undefined {
  if (!schema) return undefined;
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  const options = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (options) return [...new Set(options.map(typeIn))].filter(Boolean).join(" or ") || undefined;
  return schema.type === undefined ? undefined : [schema.type].flat().join(" or ");
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function named(path: readonly PropertyKey[]): string {
  return path.map(String).join(".").slice(0, 256);
}
