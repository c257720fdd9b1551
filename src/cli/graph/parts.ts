/** What one import may hold, and well below what its body may be long. */
const MOST_ITEMS = 50_000;
const MOST_CHARACTERS = 16 << 20;

/** In order, in as few parts as may be sent. */
export function partsOf<T>(items: readonly T[]): T[][] {
  const parts: T[][] = [];
  let part: T[] = [];
  let characters = 0;
  for (const item of items) {
    const length = JSON.stringify(item).length;
    if (part.length === MOST_ITEMS || (part.length > 0 && characters + length > MOST_CHARACTERS)) {
      parts.push(part);
      part = [];
      characters = 0;
    }
    part.push(item);
    characters += length;
  }
  return part.length > 0 ? [...parts, part] : parts;
}
