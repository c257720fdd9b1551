import type { CallElsewhere } from "../finding.ts";
import type { Definition } from "../syntax/definitions/definition.ts";
import { LEVEL, type Level } from "./level.ts";

/** The taint of an expression: its own level, and the parameters that flow into it. */
export interface Value {
  level: Level;
  /** Not counted in `level`, because their levels depend on the callers. */
  parameters: readonly Definition[];
}

export const NOTHING: Value = { level: LEVEL.literal, parameters: [] };
export const UNKNOWN: Value = { level: LEVEL.unknown, parameters: [] };
/** Maximum parameters that are tracked. With more, the level is at least that of a parameter. */
const MAX_PARAMETERS = 8;

export function valueAt(level: Level): Value {
  return { level, parameters: [] };
}

export function isNothing({ level, parameters }: Value): boolean {
  return level === LEVEL.literal && parameters.length === 0;
}

/** Joins values: the highest level, and all parameters. */
export function joined(values: readonly Value[]): Value {
  if (values.length === 1) return values[0] as Value;
  let level: Level = LEVEL.literal;
  const parameters = new Set<Definition>();
  for (const value of values) {
    if (value.level > level) level = value.level;
    for (const parameter of value.parameters) parameters.add(parameter);
  }
  if (parameters.size > MAX_PARAMETERS) {
    return {
      level: Math.max(level, LEVEL.parameter) as Level,
      parameters: [...parameters].slice(0, MAX_PARAMETERS),
    };
  }
  return { level, parameters: [...parameters] };
}

/** How far clients control what an expression holds and, if calls in other files pass that on, which ones. */
export interface Given {
  level: Level;
  by?: readonly CallElsewhere[];
}

/** Returns the highest of any number of them, the first of equal ones. */
export function highestOf(all: readonly Given[]): Given {
  return all.reduce(higher, { level: LEVEL.literal });
}

/** Returns the higher of two, the first of equal ones. */
export function higher(first: Given, second: Given): Given {
  return second.level > first.level ? second : first;
}
