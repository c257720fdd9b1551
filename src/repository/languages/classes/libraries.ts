import type { Target } from "../../facts.ts";

/** Returns the package of another library that a name begins with. */
export function libraryOf(module: string): Target {
  const parts = module.split(".");
  const isStandard = /^(?:java|javax|jdk|sun|kotlin|kotlinx|scala)$/.test(parts[0] as string);
  const name = parts.slice(0, isStandard ? 2 : 3).join(".");
  return { kind: "package", id: `java:${name}`, name };
}
