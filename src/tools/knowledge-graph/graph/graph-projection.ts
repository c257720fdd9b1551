import { Problem } from "../../../contract/problem.ts";
import type { Projection, Steps } from "../../../store/projection.ts";
import { byUnits, SortedStrings } from "../../../store/sorted-strings.ts";
import type { EntityDocument, RelationshipDocument } from "../documents.ts";
import { Graph } from "./graph.ts";
import { KeptLayouts } from "./layout/kept-layouts.ts";
import { Numbering } from "./numbering.ts";
import { type Field, type Hit, SearchIndex } from "./search-index.ts";

/** Memory of an entity and of a relationship, in bytes. Measured with 100,000 and 400,000 of them. */
const ENTITY_BYTES = 350;
const RELATIONSHIP_BYTES = 280;
const SORTED_BYTES = 12;
/** Memory of a node in a drawing, in bytes. */
const DRAWN_BYTES = 800;

/** Maximum number of names in a page. */
const MAX_PAGE = 1000;

/** What a whole graph is listed by: ids of entities, or keys of relationships. */
export type Part = "entities" | "relationships";

/** The graph of a project, for traversal and search. The documents themselves stay in the store. */
export class GraphProjection implements Projection {
  readonly graph = new Graph();
  readonly #index = new SearchIndex();
  readonly #types = new Numbering();
  /** By node: its type and the length of its document. By edge: the length of its document. */
  readonly #typeOf: number[] = [];
  readonly #sizeOf: number[] = [];
  readonly #edgeSizeOf: number[] = [];
  /** Created on first use. */
  readonly #sorted = new Map<Part, SortedStrings>();
  /** Nodes whose words are indexed, in the order of writing. */
  readonly #indexed = new Set<number>();
  /** Kept, since a new iterator would have to pass all removed nodes again. Every node that it has passed is gone. */
  readonly #oldest = this.#indexed.values();
  readonly #maxBytes: number;
  readonly #nameOf: string[] = [];
  #idCharacters = 0;
  #nameCharacters = 0;
  /** Incremented with every write. */
  version = 0;
  readonly layouts = new KeptLayouts();
  /** Whether the words of the oldest entities were left out, because all together would take too much memory. */
  isPartial = false;

  constructor(maxBytes = Number.POSITIVE_INFINITY) {
    this.#maxBytes = maxBytes;
  }

  *putEntity(id: string, entity: EntityDocument, size: number): Steps<void> {
    const isNew = this.graph.nodes.find(id) === undefined;
    const node = this.graph.addNode(id);
    if (isNew) {
      this.#idCharacters += id.length;
      this.#sorted.get("entities")?.add(id);
    }
    this.version++;
    this.#nameCharacters += entity.name.length - (this.#nameOf[node]?.length ?? 0);
    this.#nameOf[node] = entity.name;
    this.#typeOf[node] = this.#types.obtain(entity.type);
    this.#sizeOf[node] = size;
    yield* this.#index.put(node, fieldsOf(entity));
    this.#indexed.delete(node);
    this.#indexed.add(node);
    yield* this.#keepToBytes();
  }

  *removeEntity(id: string): Steps<void> {
    const node = this.graph.nodes.find(id);
    if (node === undefined) return;
    this.#index.remove(node);
    this.#indexed.delete(node);
    yield* this.graph.removeNode(id);
    this.version++;
    this.#idCharacters -= id.length;
    this.#nameCharacters -= this.#nameOf[node]?.length ?? 0;
    this.#nameOf[node] = "";
    this.#sorted.get("entities")?.delete(id);
  }

  *putRelationship(key: string, relationship: RelationshipDocument, size: number): Steps<void> {
    const edge = this.graph.addEdge(key, relationship);
    if (edge === undefined) return;
    this.version++;
    this.#edgeSizeOf[edge] = size;
    this.#sorted.get("relationships")?.add(key);
    yield* this.#keepToBytes();
  }

  removeRelationship(key: string): void {
    this.version++;
    this.graph.removeEdge(key);
    this.#sorted.get("relationships")?.delete(key);
  }

  *search({ q, type, limit }: { q: string; type?: string | undefined; limit: number }): Steps<Hit[]> {
    const { nodes } = this.graph;
    const onlyType = type === undefined ? undefined : this.#types.find(type);
    if (type !== undefined && onlyType === undefined) return [];
    return yield* this.#index.search(
      q,
      limit,
      (node) => onlyType === undefined || this.#typeOf[node] === onlyType,
      (node, other) => nodes.nameOf(node) < nodes.nameOf(other),
    );
  }

  entityAt(node: number): { id: string; name: string; type: string } {
    const type = this.#types.nameOf(this.#typeOf[node] as number);
    return { id: this.graph.nodes.nameOf(node), name: this.#nameOf[node] ?? "", type };
  }

  /** Returns the number of relationships that an entity takes part in. */
  degreeOf(node: number): number {
    return this.graph.out(node).length + this.graph.in(node).length;
  }

  typeNumber(type: string): number | undefined {
    return this.#types.find(type);
  }

  isOfType(node: number, type: number | undefined): boolean {
    return type !== undefined && this.#typeOf[node] === type;
  }

  /** Returns the number of entities of each of the 50 most frequent types. */
  *typeCounts(): Steps<{ type: string; count: number }[]> {
    const counts = new Map<number, number>();
    let looked = 0;
    for (const id of this.graph.nodes.names()) {
      if (++looked % 5000 === 0) yield;
      const type = this.#typeOf[this.graph.nodes.find(id) as number] as number;
      counts.set(type, (counts.get(type) ?? 0) + 1);
    }
    return [...counts]
      .map(([type, count]) => ({ type: this.#types.nameOf(type), count }))
      .sort((a, b) => b.count - a.count || byUnits(a.type, b.type))
      .slice(0, 50);
  }

  sizeOf(node: number): number {
    return this.#sizeOf[node] ?? 0;
  }

  /** Returns the ids or keys after one, in order: as many as have documents of about `maxCharacters`, at least one. */
  *page(part: Part, after: string | undefined, maxCharacters: number): Steps<string[]> {
    const sorted = this.#sorted.get(part) ?? (yield* this.#sort(part));
    const names: string[] = [];
    let characters = 0;
    for (const name of sorted.from(after ?? "")) {
      if (name === after) continue;
      if (characters >= maxCharacters || names.length === MAX_PAGE) break;
      names.push(name);
      characters += this.#lengthOf(part, name);
    }
    return names;
  }

  get bytes(): number {
    let sorted = 0;
    for (const { size } of this.#sorted.values()) sorted += size;
    return (
      ENTITY_BYTES * this.graph.nodes.size +
      RELATIONSHIP_BYTES * this.graph.edgeCount +
      4 * this.#idCharacters +
      2 * this.#nameCharacters +
      DRAWN_BYTES * this.layouts.nodes +
      SORTED_BYTES * sorted +
      this.#index.bytes
    );
  }

  /** Throws `Problem` `quota_exceeded` if entities and relationships alone do not fit. */
  requireWhole(): void {
    if (this.bytes <= this.#maxBytes || this.#indexed.size > 0) return;
    throw new Problem(
      "quota_exceeded",
      `This project's ${this.graph.nodes.size} entities and ${this.graph.edgeCount} relationships take more memory than one graph may. Delete some of them, or part the graph into several projects.`,
      { members: { bound: "indexMemory", limit: this.#maxBytes } },
    );
  }

  *#keepToBytes(): Steps<void> {
    while (this.bytes > this.#maxBytes && this.#indexed.size > 0) {
      this.#leaveOutOldest();
      yield;
    }
  }

  #leaveOutOldest(): void {
    const node = this.#oldest.next().value as number;
    this.#index.remove(node);
    this.#indexed.delete(node);
    this.isPartial = true;
  }

  *#sort(part: Part): Steps<SortedStrings> {
    const sorted = new SortedStrings();
    const names = part === "entities" ? this.graph.nodes.names() : this.graph.keys();
    for (const name of names) {
      sorted.add(name);
      yield;
    }
    this.#sorted.set(part, sorted);
    return sorted;
  }

  #lengthOf(part: Part, name: string): number {
    const { nodes } = this.graph;
    if (part === "entities") return this.sizeOf(nodes.find(name) as number);
    return this.#edgeSizeOf[this.graph.edgeOf(name) ?? -1] ?? 0;
  }
}

function fieldsOf({ name, type, properties }: EntityDocument): Field[] {
  return [
    { text: name, weight: 2 },
    { text: type, weight: 1 },
    { text: textsIn(properties).join("\n"), weight: 1 },
  ];
}

/** Returns strings and numbers at any depth. Names of members are left out: all entities of a type share them. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
