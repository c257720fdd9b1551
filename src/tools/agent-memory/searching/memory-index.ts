import { deserialize } from "node:v8";
import type { HostedKind } from "../../../store/projection.ts";
import { source } from "../../../store/projection.ts";
import { analyse, type ComparisonKey } from "../analyse.ts";
import { compare } from "../compare.ts";
import { memories, uses } from "../documents.ts";
import { list } from "./list.ts";
import { type MemoryQuestions, memoryKind } from "./memory-kind.ts";
import { MemoryProjection } from "./memory-projection.ts";
import { recall, supersededBy } from "./recall.ts";
import { statisticsOf } from "./statistics.ts";

/** The projection of projects' memories, as the index process hosts it. */
export const memoryIndex: HostedKind<MemoryProjection, MemoryQuestions> = {
  kind: memoryKind,
  sources: [
    source(memories, (projection: MemoryProjection, { id, value, size }) => {
      if (value) return projection.put(id, value, size);
      projection.remove(id);
    }),
    source(uses, (projection: MemoryProjection, { id, value }) => {
      if (value) projection.use(id, value);
    }),
  ],
  empty: (maxBytes) => new MemoryProjection(maxBytes),
  answers: {
    *recall(projection, { input, now }) {
      yield;
      return { items: recall(projection, input, now), isPartial: projection.isPartial };
    },
    *list(projection, { input, after, now }) {
      const page = yield* list(projection, input, { after, now });
      return { ...page, isPartial: projection.isPartial };
    },
    *supersededBy(projection, id) {
      yield;
      const memory = projection.numberOf(id);
      return memory === undefined ? {} : supersededBy(projection, memory);
    },
    *statistics(projection) {
      yield;
      return statisticsOf(projection);
    },
    *consider(projection, { memory, recalledSince }) {
      const { analysed, probe } = yield* analyse(memory);
      return { analysed, verdicts: yield* compare(projection, [probe], recalledSince) };
    },
    *compare(projection, { probes, recalledSince }) {
      return { verdicts: yield* compare(projection, deserialize(probes) as ComparisonKey[], recalledSince) };
    },
  },
};
