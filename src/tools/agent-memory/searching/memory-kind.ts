import type { Input, Output } from "../../../contract/endpoint.ts";
import type { ProjectionKind } from "../../../store/projection.ts";
import type { Analysed } from "../analyse.ts";
import type { Verdict } from "../compare.ts";
import type { agentMemoryContract } from "../contract.ts";
import { memories, uses } from "../documents.ts";
import type { NewMemory } from "../memory.ts";
import type { Reasons } from "./reasons.ts";

type Contract = typeof agentMemoryContract;

/** The position of a memory in a list: the value that the list is sorted by, and its id. */
export interface Place {
  value: number;
  id: string;
}

/** A memory to read from the store. */
export interface Listed {
  id: string;
  /** Id of the memory that superseded it. */
  supersededBy?: string;
  /** Approximate size of its document, in characters. */
  size: number;
}

/** A recalled memory. */
export interface Recalled extends Listed, Reasons {
  score: number;
  relevance: number;
}

/** The statistics without those that are counters. */
export type Statistics = Omit<Output<Contract["stats"]>, "recalls" | "duplicatesMerged" | "echoes">;

/** Questions to the index about a project's memories. Times are milliseconds since the epoch. */
export type MemoryQuestions = {
  recall: {
    asked: { input: Omit<Input<Contract["recall"]>, "uses">; now: number };
    answer: { items: Recalled[]; isPartial: boolean };
  };
  list: {
    asked: { input: Input<Contract["list"]>; after: Place | undefined; now: number };
    answer: { items: Listed[]; isPartial: boolean; next?: Place };
  };
  /** The id of the memory that superseded the one asked for. */
  supersededBy: { asked: string; answer: Pick<Listed, "supersededBy"> };
  statistics: { asked: undefined; answer: Statistics };
  /** Analyses a text to be stored, and compares it with what is known. */
  consider: {
    asked: { memory: NewMemory; recalledSince: number };
    answer: { analysed: Analysed; verdicts: Verdict[] };
  };
  /** Compares texts that were analysed already. */
  compare: {
    asked: { probes: Uint8Array; recalledSince: number };
    answer: { verdicts: Verdict[] };
  };
};

export const memoryKind: ProjectionKind<MemoryQuestions> = {
  name: "agent-memory",
  collections: [memories, uses],
};
