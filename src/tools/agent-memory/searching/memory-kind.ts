import type { Input, Output } from "../../../contract/endpoint.ts";
import type { ProjectionKind } from "../../../store/projection.ts";
import type { Analysed } from "../analyse.ts";
import type { Verdict } from "../compare.ts";
import type { agentMemoryContract, NewMemory } from "../contract.ts";
import { memories, uses } from "../documents.ts";
import type { Reasons } from "./reasons.ts";

type Contract = typeof agentMemoryContract;

/** One of what was recalled. */
export interface Recalled extends Reasons {
  id: string;
  score: number;
  relevance: number;
  /** The memory that took its place. */
  supersededBy?: string;
  /** Of its document, about, in characters. */
  size: number;
}

/** Statistics but for what is only counted. */
export type Statistics = Omit<Output<Contract["stats"]>, "recalls" | "duplicatesMerged" | "echoes">;

/** What is asked of a project's memories. Times are milliseconds since the epoch. */
export type MemoryQuestions = {
  recall: {
    asked: { input: Input<Contract["recall"]>; now: number };
    answer: { items: Recalled[]; isPartial: boolean };
  };
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
