import type { Input, Output } from "../../../contract/endpoint.ts";
import type { ProjectionKind } from "../../../store/projection.ts";
import type { Analysed } from "../analyse.ts";
import type { Verdict } from "../compare.ts";
import type { agentMemoryContract, NewMemory } from "../contract.ts";
import { memories, uses } from "../documents.ts";
import type { Reasons } from "./reasons.ts";

type Contract = typeof agentMemoryContract;

/** Where in a list a memory stands: what it is sorted by, and its id. */
export interface Place {
  value: number;
  id: string;
}

/** A memory that is to be read. */
export interface Listed {
  id: string;
  /** The memory that took its place. */
  supersededBy?: string;
  /** Of its document, about, in characters. */
  size: number;
}

/** One of what was recalled. */
export interface Recalled extends Listed, Reasons {
  score: number;
  relevance: number;
}

/** Statistics but for what is only counted. */
export type Statistics = Omit<Output<Contract["stats"]>, "recalls" | "duplicatesMerged" | "echoes">;

/** What is asked of a project's memories. Times are milliseconds since the epoch. */
export type MemoryQuestions = {
  recall: {
    asked: { input: Omit<Input<Contract["recall"]>, "uses">; now: number };
    answer: { items: Recalled[]; isPartial: boolean };
  };
  list: {
    asked: { input: Input<Contract["list"]>; after: Place | undefined; now: number };
    answer: { items: Listed[]; isPartial: boolean; next?: Place };
  };
  /** The memory that took the place of another. */
  supersededBy: { asked: string; answer: Pick<Listed, "supersededBy"> };
  statistics: { asked: undefined; answer: Statistics };
  /** What a text says that is to be stored, and whether that is known. */
  consider: {
    asked: { memory: NewMemory; recalledSince: number };
    answer: { analysed: Analysed; verdicts: Verdict[] };
  };
  /** The same for texts that were analysed already. */
  compare: {
    asked: { probes: Uint8Array; recalledSince: number };
    answer: { verdicts: Verdict[] };
  };
};

export const memoryKind: ProjectionKind<MemoryQuestions> = {
  name: "agent-memory",
  collections: [memories, uses],
};
