import type { LayoutSimulation } from "./simulation.ts";

/** What of a graph is drawn, and where. */
export interface KeptLayout {
  /** Of the graph. */
  version: number;
  nodes: number[];
  edges: number[];
  groups: { group: Int32Array; count: number };
  simulation: LayoutSimulation;
}

/** As many as somebody goes back and forth between. */
const MAX_KEPT = 3;

/** What was drawn last, by what was asked for: kept until the graph changes, and a start for the drawing after that. */
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

  /** Nodes of all of them. */
  get nodes(): number {
    return [...this.#kept.values()].reduce((sum, { nodes }) => sum + nodes.length, 0);
  }
}
