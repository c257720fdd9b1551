import { Numbering } from "./numbering.ts";

/**
 * A directed multigraph. Nodes and edges are numbers, so that walking it touches arrays alone; adding
 * costs the same however large it is, removing grows with the edges of the nodes concerned.
 */
export class Graph {
  readonly nodes = new Numbering();
  readonly types = new Numbering();
  readonly #edges = new Numbering();
  /** By edge. */
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly #type: number[] = [];
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

  /** With its edges. */
  removeNode(id: string): void {
    const node = this.nodes.find(id);
    if (node === undefined) return;
    // The last edge of a list goes without a search for it.
    const edges = [...this.out(node), ...this.in(node)].reverse();
    for (const edge of edges) this.removeEdge(this.#edges.nameOf(edge));
    this.nodes.remove(id);
  }

  /** @param key stands for the same ends and type for good. */
  addEdge(key: string, { from, to, type }: { from: string; to: string; type: string }): void {
    if (this.#edges.find(key) !== undefined) return;
    const [source, target] = [this.nodes.find(from), this.nodes.find(to)];
    if (source === undefined || target === undefined) return;
    const edge = this.#edges.obtain(key);
    this.#from[edge] = source;
    this.#to[edge] = target;
    this.#type[edge] = this.types.obtain(type);
    this.#out[source]?.push(edge);
    this.#in[target]?.push(edge);
  }

  removeEdge(key: string): void {
    const edge = this.#edges.find(key);
    if (edge === undefined) return;
    this.#edges.remove(key);
    removeFrom(this.out(this.from(edge)), edge);
    removeFrom(this.in(this.to(edge)), edge);
  }

  /** Edges that leave a node … */
  out(node: number): number[] {
    return this.#out[node] as number[];
  }

  /** … and that lead to it. */
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

  /** Keys of the edges at a node. */
  keysAt(id: string): string[] {
    const node = this.nodes.find(id);
    if (node === undefined) return [];
    return [...new Set([...this.out(node), ...this.in(node)])].map((edge) => this.#edges.nameOf(edge));
  }
}

/** The order does not matter. */
function removeFrom(edges: number[], edge: number): void {
  const last = edges.pop() as number;
  if (last !== edge) edges[edges.indexOf(edge)] = last;
}
