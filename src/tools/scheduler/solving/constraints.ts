import type { Calendar } from "../calendar/calendar.ts";
import type { Demand } from "./instance.ts";

/** Constraints that few projects have, beyond dependencies, resources and releases. */
export interface Constraints {
  /** For each target of the predecessors, the time after it from which a task may start; negative for an overlap. */
  readonly lag: Float64Array;
  /** For each target of the predecessors, 1 if the lag counts from its start. */
  readonly fromStart: Uint8Array;
  /** By task, the index of the first of its ways. The arrays by way hold those of all tasks. */
  readonly firstWay: Int32Array;
  /** By task, the number of its ways. */
  readonly wayCount: Int32Array;
  /** Demand by way. */
  readonly demand: Demand;
  /** Calendar by way; undefined if it is always open. */
  readonly calendar: readonly (Calendar | undefined)[];
  /** By task, 1 if it must not be interrupted. */
  readonly whole: Uint8Array;
  /** Calendar of each resource by itself, outside of which none of it can be used. */
  readonly open: readonly (Calendar | undefined)[];
  /** Whether time runs backwards. */
  readonly isMirrored: boolean;
}
