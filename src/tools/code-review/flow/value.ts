import type { Definition } from "../syntax/definitions/definitions.ts";
import { LEVEL, type Level } from "./level.ts";

/** What goes into an expression: how bad it is by itself, and the parameters that it comes from. */
export interface Value {
  level: Level;
  /** Their own levels are not in `level`: a caller may give something harmless, or worse. */
  parameters: readonly Definition[];
}

export const NOTHING: Value = { level: LEVEL.literal, parameters: [] };
export const UNKNOWN: Value = { level: LEVEL.unknown, parameters: [] };
/** Parameters that are kept apart; more are as bad as any. */
const MAX_PARAMETERS = 8;

export function valueAt(level: Level): Value {
  return { level, parameters: [] };
}

export function isNothing({ level, parameters }: Value): boolean {
  return level === LEVEL.literal && parameters.length === 0;
}

/** The worst of all. */
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
