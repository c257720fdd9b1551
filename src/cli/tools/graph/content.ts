import type { Definition } from "../../../repository/facts.ts";
import type { Repository } from "../../../repository/repository.ts";
import type { GraphContent } from "./transfer.ts";

/** The longest id and name that a server accepts. */
const MAX_CHARACTERS = 256;

type Entity = GraphContent["entities"][number] & { id: string };

export interface Content extends GraphContent {
  entities: Entity[];
  /** Ids that are too long for a server. */
  tooLong: string[];
}

/** Returns a repository's files, definitions and packages as entities and relationships. Ids contain its name. */
export function contentOf(repository: Repository): Content {
  const { name, prefix } = repository;
  const entities = new Map<string, Entity>();
  const relationships: GraphContent["relationships"] = [];
  const tooLong = new Set<string>();
  const add = (entity: Entity): boolean => {
    if (entity.id.length > MAX_CHARACTERS || entity.name.length > MAX_CHARACTERS) tooLong.add(entity.id);
    else if (!entities.has(entity.id)) entities.set(entity.id, entity);
    return entities.has(entity.id);
  };
  const files = new Map<string, string | undefined>();
  /** Adds a file. Returns its id, or undefined if that is too long. */
  const addFile = (path: string): string | undefined => {
    if (!files.has(path)) {
      const file = repository.files.get(path);
      const properties = {
        repository: name,
        ...(file?.language && { language: file.language }),
        ...(file?.isTest && { test: true }),
      };
      const id = `${name}:${path}`;
      files.set(path, add({ id, type: "file", name: path, properties }) ? id : undefined);
    }
    return files.get(path);
  };
  const isMeant = (path: string) => path.startsWith(prefix);

  for (const { path, language, definitions } of repository.files.values()) {
    const file = isMeant(path) && language !== undefined ? addFile(path) : undefined;
    if (file === undefined) continue;
    for (const [id, { kind, name: symbol, from, to }] of symbols(file, definitions)) {
      const properties = { repository: name, file: path, from, to };
      if (add({ id, type: kind, name: symbol, properties }))
        relationships.push({ from: file, type: "defines", to: id });
    }
  }
  for (const edge of repository.edges) {
    const from = isMeant(edge.from) ? addFile(edge.from) : undefined;
    const to = from === undefined ? undefined : addFile(edge.to);
    if (from !== undefined && to !== undefined) relationships.push({ from, type: "imports", to });
  }
  for (const { from: path, id, name: packageName } of repository.packages) {
    const from = isMeant(path) ? addFile(path) : undefined;
    if (from !== undefined && add({ id, type: "package", name: packageName }))
      relationships.push({ from, type: "imports", to: id });
  }
  return { entities: [...entities.values()], relationships, tooLong: [...tooLong] };
}

/** Returns each definition once, by id: the first one of several, as for overloads or other platforms. */
function symbols(file: string, definitions: readonly Definition[]): Map<string, Definition> {
  const found = new Map<string, Definition>();
  for (const definition of definitions) {
    const id = `${file}#${definition.name}`;
    if (!found.has(id)) found.set(id, definition);
  }
  return found;
}
