import { parse } from "smol-toml";

/** Returns the members of an object, and none for any other value. */
export function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** Returns the members of a TOML document; none of any other text, or without one. */
export function membersOfToml(text = ""): Record<string, unknown> {
  try {
    return parse(text);
  } catch {
    return {};
  }
}
