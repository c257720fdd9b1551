import type { LayoutSimulation } from "./simulation.ts";

/** A drawing: the part of a graph that it shows, and where. */
export interface KeptLayout {
  /** Version of the graph. */
  version: number;
  nodes: number[];
  edges: number[];
  groups: { group: Int32Array; count: number };
  simulation: LayoutSimulation;
}

/** Enough for a user who goes back and forth between drawings. */
const MAX_KEPT = 3;

/** The latest drawings, by request. Each is valid until the graph changes, and then the start of the next one. */
export class KeptLayouts {
  readonly #kept = new Map<string, KeptLayout>();

  get(key: string): KeptLayout | undefined {
    return this.#kept.get(key);
  }

  put(key: string, layout: KeptLayout): void {
    this.#kept.delete(key);
    this.#kept.set(key, layout);
    if (this.#kept.size <= MAX_KEPT) return;
    const [oldest] = this.#kept.keys();
    this.#kept.delete(oldest as string);
  }

  /** Number of nodes in all drawings. */
  get nodes(): number {
    return [...this.#kept.values()].reduce((sum, { nodes }) => sum + nodes.length, 0);
  }
}
