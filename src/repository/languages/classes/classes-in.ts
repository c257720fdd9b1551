/** Parts of a name that are looked at. */
const MAX_PARTS = 16;

/**
 * Returns what may be the class in a name with its package: of `shop.Basket` all. No capital letter tells whether `shop.篮子.空`
 * is a class or what the class `shop.篮子` holds, so it may be both.
 */
export function classesIn(name: string): string[] {
  if (/^[\0-\x7f]*$/.test(name)) return [name];
  const parts = name.split(".", MAX_PARTS);
  return [
    ...parts.flatMap((part, index) => (/^[\0-\x7f]/.test(part) ? [] : parts.slice(0, index + 1).join("."))),
    name,
  ];
}
