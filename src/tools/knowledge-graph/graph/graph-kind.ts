import type { Input } from "../../../contract/endpoint.ts";
import type { ProjectionKind } from "../../../store/projection.ts";
import type { knowledgeGraphContract, Step } from "../contract.ts";
import { entities, relationships } from "../documents.ts";
import type { GraphLayout } from "../layout-contract.ts";
import type { Part } from "./graph-projection.ts";
import type { Ways } from "./reach.ts";

/** An entity found by a search. */
export interface Found {
  id: string;
  score: number;
  matched: string[];
  /** Length of its document, in characters. */
  size: number;
}

/** The questions to the graph of a project. */
export type GraphQuestions = {
  search: {
    asked: Input<typeof knowledgeGraphContract.search>;
    answer: { items: Found[]; isPartial: boolean };
  };
  /** Null where there is no such entity. */
  layout: { asked: Input<typeof knowledgeGraphContract.layout>; answer: GraphLayout | null };
  /** The text of the answer has the entities reached, as JSON values separated by commas. */
  impact: {
    asked: { entityId: string; depth: number; ways: Ways };
    answer: { counts: Record<string, number> };
  };
  path: { asked: { from: string; to: string; ways: Ways }; answer: { path: Step[] | null } };
  /** Keys of relationships at any of these entities, at most `limit`. */
  keysAt: { asked: { ids: string[]; limit: number }; answer: { keys: string[] } };
  /** Ids or keys in order, after a given one. */
  page: {
    asked: { part: Part; after: string | undefined; maxCharacters: number };
    answer: { names: string[] };
  };
};

export const graphKind: ProjectionKind<GraphQuestions> = {
  name: "knowledge-graph",
  collections: [entities, relationships],
};
