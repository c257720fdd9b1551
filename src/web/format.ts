import { grouped } from "../text/grouped.ts";

/** Formats how often something happened: `once`, `12,345 times`. */
export function times(count: number): string {
  return count === 1 ? "once" : `${grouped(count)} times`;
}

/** Formats an identifier for people: `dependency_resolution` becomes `Dependency resolution`. */
export function titled(identifier: string): string {
  const words = identifier.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the beginning of a text that may be long. */
export function beginning(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;
}
