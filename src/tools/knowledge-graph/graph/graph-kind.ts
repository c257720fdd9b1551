import type { Input } from "../../../contract/endpoint.ts";
import type { ProjectionKind } from "../../../store/projection.ts";
import type { knowledgeGraphContract, Step } from "../contract.ts";
import { entities, relationships } from "../documents.ts";
import type { GraphLayout } from "../layout-contract.ts";
import type { Part } from "./graph-projection.ts";
import type { Ways } from "./reach.ts";

/** An entity that was found. */
export interface Found {
  id: string;
  score: number;
  matched: string[];
  /** Of its document, in characters. */
  size: number;
}

/** What is asked of a project's graph. */
export type GraphQuestions = {
  search: {
    asked: Input<typeof knowledgeGraphContract.search>;
    answer: { items: Found[]; isPartial: boolean };
  };
  /** Null where there is no such entity. */
  layout: { asked: Input<typeof knowledgeGraphContract.layout>; answer: GraphLayout | null };
  /** The text holds what was reached, as JSON values parted by commas. */
  impact: {
    asked: { entityId: string; depth: number; ways: Ways };
    answer: { counts: Record<string, number> };
  };
  path: { asked: { from: string; to: string; ways: Ways }; answer: { path: Step[] | null } };
  /** Keys of relationships at an entity, so many at most. */
  keysAt: { asked: { id: string; limit: number }; answer: { keys: string[] } };
  /** Ids or keys in order, behind one. */
  page: {
    asked: { part: Part; after: string | undefined; maxCharacters: number };
    answer: { names: string[] };
  };
};

export const graphKind: ProjectionKind<GraphQuestions> = {
  name: "knowledge-graph",
  collections: [entities, relationships],
};
