import type { Calendar } from "../calendar/calendar.ts";
import type { Demand } from "./instance.ts";

/** What few projects have, beyond dependencies, resources and releases. */
export interface Constraints {
  /** For each target of the predecessors: how long behind it a task may start; negative where they overlap. */
  readonly lag: Float64Array;
  /** For each target of the predecessors: 1 where the lag counts from its start. */
  readonly fromStart: Uint8Array;
  /** By task: the first of the ways in which it can be done, and how many there are. */
  readonly firstWay: Int32Array;
  readonly wayCount: Int32Array;
  /** By way. */
  readonly demand: Demand;
  readonly calendar: readonly (Calendar | undefined)[];
  /** By task: 1 where it must not be interrupted. */
  readonly whole: Uint8Array;
  /** For each resource, when any of it can be used. */
  readonly open: readonly (Calendar | undefined)[];
  /** Time runs backwards. */
  readonly isMirrored: boolean;
}
