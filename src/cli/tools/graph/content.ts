import type { Definition } from "../../../repository/facts.ts";
import type { Repository } from "../../../repository/repository.ts";
import type { GraphContent } from "./transfer.ts";

/** Longest id and name that a server takes. */
const MAX_CHARACTERS = 256;

type Entity = GraphContent["entities"][number] & { id: string };

export interface Content extends GraphContent {
  entities: Entity[];
  /** Ids that are too long for a server. */
  tooLong: string[];
}

/** What a repository is as entities and relationships: files, what they define, packages; ids name the repository. */
export function contentOf(repository: Repository): Content {
  const { name, prefix } = repository;
  const entities = new Map<string, Entity>();
  const relationships: GraphContent["relationships"] = [];
  const tooLong = new Set<string>();
  const idOf = (path: string) => `${name}:${path}`;
  const add = (entity: Entity): boolean => {
    if (entity.id.length > MAX_CHARACTERS || entity.name.length > MAX_CHARACTERS) tooLong.add(entity.id);
    else if (!entities.has(entity.id)) entities.set(entity.id, entity);
    return entities.has(entity.id);
  };
  const addFile = (path: string) => {
    const file = repository.files.get(path);
    const properties = {
      repository: name,
      ...(file?.language && { language: file.language }),
      ...(file?.isTest && { test: true }),
    };
    return add({ id: idOf(path), type: "file", name: path, properties });
  };
  const isMeant = (path: string) => path.startsWith(prefix);

  for (const { path, language, definitions } of repository.files.values()) {
    if (!isMeant(path) || language === undefined || !addFile(path)) continue;
    for (const [id, { kind, name: symbol, from, to }] of symbols(idOf(path), definitions)) {
      const properties = { repository: name, file: path, from, to };
      if (add({ id, type: kind, name: symbol, properties }))
        relationships.push({ from: idOf(path), type: "defines", to: id });
    }
  }
  for (const { from, to } of repository.edges) {
    if (isMeant(from) && addFile(from) && addFile(to))
      relationships.push({ from: idOf(from), type: "imports", to: idOf(to) });
  }
  for (const { from, id, name: packageName } of repository.packages) {
    if (isMeant(from) && addFile(from) && add({ id, type: "package", name: packageName })) {
      relationships.push({ from: idOf(from), type: "imports", to: id });
    }
  }
  return { entities: [...entities.values()], relationships, tooLong: [...tooLong] };
}

/** What is defined twice is so by overloading, or for other machines: it is one, where it stands first. */
function symbols(file: string, definitions: readonly Definition[]): Map<string, Definition> {
  const found = new Map<string, Definition>();
  for (const definition of definitions) {
    const id = `${file}#${definition.name}`;
    if (!found.has(id)) found.set(id, definition);
  }
  return found;
}
