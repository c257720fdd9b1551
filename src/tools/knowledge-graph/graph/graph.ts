import type { Steps } from "../../../store/projection.ts";
import { Numbering } from "./numbering.ts";

/**
 * A directed multigraph. Nodes and edges are numbers, so that traversal only touches arrays. The cost of adding and
 * removing does not depend on its size.
 */
export class Graph {
  readonly nodes = new Numbering();
  readonly types = new Numbering();
  readonly #edges = new Numbering();
  /** Ends and type, by edge. */
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly #type: number[] = [];
  /** By edge: its places in the lists of its ends. */
  readonly #outPlace: number[] = [];
  readonly #inPlace: number[] = [];
  /** Edges by node. */
  readonly #out: number[][] = [];
  readonly #in: number[][] = [];

  get edgeCount(): number {
    return this.#edges.size;
  }

  addNode(id: string): number {
    const node = this.nodes.obtain(id);
    this.#out[node] ??= [];
    this.#in[node] ??= [];
    return node;
  }

  /** Removes a node with its edges. */
  *removeNode(id: string): Steps<void> {
    const node = this.nodes.find(id);
    if (node === undefined) return;
    for (const edges of [this.out(node), this.in(node)]) {
      for (let edge = edges.at(-1); edge !== undefined; edge = edges.at(-1)) {
        this.removeEdge(this.#edges.nameOf(edge));
        yield;
      }
    }
    this.nodes.remove(node);
  }

  /**
   * Adds an edge and returns its number; undefined if one of its ends does not exist.
   *
   * @param key always stands for the same ends and type.
   */
  addEdge(key: string, { from, to, type }: { from: string; to: string; type: string }): number | undefined {
    const known = this.#edges.find(key);
    if (known !== undefined) return known;
    const [source, target] = [this.nodes.find(from), this.nodes.find(to)];
    if (source === undefined || target === undefined) return undefined;
    const edge = this.#edges.obtain(key);
    this.#from[edge] = source;
    this.#to[edge] = target;
    this.#type[edge] = this.types.obtain(type);
    this.#outPlace[edge] = this.out(source).push(edge) - 1;
    this.#inPlace[edge] = this.in(target).push(edge) - 1;
    return edge;
  }

  removeEdge(key: string): void {
    const edge = this.#edges.find(key);
    if (edge === undefined) return;
    this.#edges.remove(edge);
    removeFrom(this.out(this.from(edge)), edge, this.#outPlace);
    removeFrom(this.in(this.to(edge)), edge, this.#inPlace);
  }

  edgeOf(key: string): number | undefined {
    return this.#edges.find(key);
  }

  /** Returns the edges that leave a node. */
  out(node: number): number[] {
    return this.#out[node] as number[];
  }

  /** Returns the edges that lead to a node. */
  in(node: number): number[] {
    return this.#in[node] as number[];
  }

  from(edge: number): number {
    return this.#from[edge] as number;
  }

  to(edge: number): number {
    return this.#to[edge] as number;
  }

  otherEnd(edge: number, node: number): number {
    const from = this.from(edge);
    return from === node ? this.to(edge) : from;
  }

  typeOf(edge: number): number {
    return this.#type[edge] as number;
  }

  /** Returns the keys of edges at any of these nodes, each once, at most `limit`. */
  keysAt(ids: readonly string[], limit: number): string[] {
    const edges = new Set<number>();
    for (const id of ids) {
      const node = this.nodes.find(id);
      if (node === undefined) continue;
      for (const each of [this.out(node), this.in(node)]) {
        for (const edge of each) {
          if (edges.size === limit) break;
          edges.add(edge);
        }
      }
    }
    return [...edges].map((edge) => this.#edges.nameOf(edge));
  }

  /** Returns the keys of all edges. */
  keys(): Iterable<string> {
    return this.#edges.names();
  }
}

/** Removes an edge by moving the last one into its place: the order does not matter. */
function removeFrom(edges: number[], edge: number, places: number[]): void {
  const last = edges.pop() as number;
  if (last === edge) return;
  edges[places[edge] as number] = last;
  places[last] = places[edge] as number;
}
