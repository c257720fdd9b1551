import { serialize } from "node:v8";
import { jobOf, jsonBytes } from "../../contract/job.ts";
import { finish } from "../../store/projection.ts";
import { type Analysed, analyse, type ComparisonKey } from "./analyse.ts";
import { agentMemoryContract } from "./contract.ts";
import type { NewMemory } from "./memory.ts";

/** Bounds of what is compared and written at a time, small enough not to delay other requests. */
const MAX_SLICE_ITEMS = 100;
const MAX_SLICE_BYTES = 256 * 1024;

/**
 * Analyses new memories in slices. Yields the memories (`Analysed[]` as JSON) and, for the index process, the
 * keys to compare them by (`Probe[]`, serialised).
 */
export const storeManyJob = jobOf(agentMemoryContract.storeMany, function* ({ memories }) {
  for (const slice of slicesOf(memories)) {
    const analysed: Analysed[] = [];
    const probes: ComparisonKey[] = [];
    for (const memory of slice) {
      const each = finish(analyse(memory));
      analysed.push(each.analysed);
      probes.push(each.probe);
    }
    yield { analysed: jsonBytes(analysed), probes: serialize(probes) };
  }
});

function* slicesOf(memories: readonly NewMemory[]): Generator<NewMemory[]> {
  let slice: NewMemory[] = [];
  let bytes = 0;
  for (const memory of memories) {
    const { length } = memory.content;
    // A single memory has at most 64 KiB.
    if (slice.length === MAX_SLICE_ITEMS || bytes + length > MAX_SLICE_BYTES) {
      yield slice;
      slice = [];
      bytes = 0;
    }
    slice.push(memory);
    // An allowance for metadata, at its bound, and for tags.
    bytes += length + (memory.metadata ? 16 * 1024 : 0) + 1024;
  }
  yield slice;
}
