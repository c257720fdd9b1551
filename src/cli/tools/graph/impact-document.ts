import { type Found, type ImpactOptions, isTest } from "./impact-found.ts";

export type ImpactDocument = ReturnType<typeof impactDocument>;

/** Returns the document in the server's form, with the files' paths and the tests in addition. */
export function impactDocument(
  { repository, starts, reached, notFollowed, commands }: Found,
  options: Partial<ImpactOptions>,
) {
  const idOf = (path: string) => `${repository.name}:${path}`;
  const counts: Record<string, number> = {};
  for (const { distance } of reached) counts[distance] = (counts[distance] ?? 0) + 1;
  const entity = (path: string) => ({ id: idOf(path), type: "file", name: path });
  return {
    repository: repository.name,
    ...(options.diff === undefined
      ? { entity: entity(starts[0] as string) }
      : { changed: starts.map(entity) }),
    depth: options.depth ?? null,
    direction: options.direction ?? "in",
    entities: reached.map(({ path, distance, way }) => ({
      id: idOf(path),
      file: path,
      test: isTest(repository, path),
      distance,
      path: way.map(({ from, to }) => ({ type: "imports", from: idOf(from), to: idOf(to) })),
    })),
    counts,
    leftOut: repository.leftOut,
    notFollowed,
    testCommands: commands,
  };
}
