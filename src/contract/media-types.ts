/** Returns the media type of a `Content-Type`, without its parameters; an empty text if there is none. */
export function mediaTypeOf(contentType: string | readonly string[] | undefined): string {
  return (String(contentType ?? "").split(";", 1)[0] as string).trim().toLowerCase();
}

interface Range {
  name: string;
  weight: number;
}

/**
 * Returns the offered media type that the client prefers (RFC 9110 §12.5.1). Among equal weights, a type that it
 * names comes before one that a wildcard matches, then the first one offered. Returns the first offered, too, where
 * the client accepts none.
 */
export function preferredType<T extends string>(
  accept: string | undefined,
  offered: readonly [T, ...T[]],
): T {
  const ranges = (accept ?? "").split(",").map(rangeOf);
  const weighed = offered.map((type) => ({ type, ...heaviest(ranges, type) }));
  weighed.sort((a, b) => b.weight - a.weight || b.exactness - a.exactness);
  return weighed[0]?.weight ? (weighed[0].type as T) : offered[0];
}

function rangeOf(text: string): Range {
  const [name = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const weight = Number(parameters.find((each) => each.startsWith("q="))?.slice(2) ?? 1);
  return { name, weight: weight >= 0 && weight <= 1 ? weight : 1 };
}

/** Returns the weight of the most specific range that matches a type. */
function heaviest(ranges: readonly Range[], type: string): { weight: number; exactness: number } {
  const names = ["*/*", type.replace(/\/.*/, "/*"), type];
  for (let exactness = names.length - 1; exactness >= 0; exactness--) {
    const range = ranges.find(({ name }) => name === names[exactness]);
    if (range) return { weight: range.weight, exactness };
  }
  return { weight: 0, exactness: 0 };
}
