import type { Frame } from "./reported-error.ts";

/** Shows the call of a frame: its function, with the class if the file does not tell it, and its place. */
export function callIn({ function: name, file, module }: Frame, place = file ?? "<unknown>"): string {
  if (name === undefined) return place;
  // `Shop.java` does not tell which class it is, while `shop/orders.py` does.
  const isNamed = file !== module && module?.includes(".") && !/[/\\]/.test(file ?? "");
  return `${isNamed && !name.startsWith(`${module}.`) ? `${module}.${name}` : name} (${place})`;
}
