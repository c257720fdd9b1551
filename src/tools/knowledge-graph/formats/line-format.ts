import type { WholeGraph } from "../graph/whole-graph.ts";
import type { Entity, Relationship } from "../graph-contract.ts";

/** A text format with a line for each entity and each relationship. */
export interface LineFormat {
  contentType: string;
  head: readonly string[];
  /** @param number the number of the entity, from 0. */
  entity(entity: Entity, number: number): string;
  /**
   * @param from number of its first end.
   * @param to number of its second end.
   */
  relationship(relationship: Relationship, from: number, to: number): string;
  foot: readonly string[];
}

export async function* inLines(
  format: LineFormat,
  graph: Pick<WholeGraph, "entities" | "relationships">,
): AsyncGenerator<string> {
  const numbers = new Map<string, number>();
  // Sent with what follows it, so that a graph that cannot be read is refused.
  let head = joined(format.head);
  for await (const page of graph.entities()) {
    const lines = page.map((entity) => {
      const number = numbers.size;
      numbers.set(entity.id, number);
      return format.entity(entity, number);
    });
    yield head + joined(lines);
    head = "";
  }
  for await (const page of graph.relationships()) {
    const numberOf = (id: string) => numbers.get(id) as number;
    yield joined(page.map((each) => format.relationship(each, numberOf(each.from), numberOf(each.to))));
  }
  yield head + joined(format.foot);
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
