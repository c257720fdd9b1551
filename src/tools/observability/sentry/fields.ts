import { isObject } from "../../../system/is-object.ts";

/** A part of an event, whose fields can be missing or of any type. */
export type Json = Record<string, unknown>;

/** Elements that are read of each list that a client sends. */
const MAX_READ = 1000;

export function object(value: unknown): Json {
  return isObject(value) ? (value as Json) : {};
}

export function list(value: unknown): unknown[] | undefined {
  return Array.isArray(value) ? Array.from(value.slice(-MAX_READ)) : undefined;
}

export function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function number(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** Returns a text, or a number or truth value as text. */
export function scalar(value: unknown): string | undefined {
  return typeof value === "number" || typeof value === "boolean" ? String(value) : text(value);
}
