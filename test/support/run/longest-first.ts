import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The longest tests. If one started last, it would run alone while the other processors are idle. */
const LONGEST = [
  "test/package/extending.test.ts",
  "test/hardness/worst-cases.test.ts",
  "test/hardness/replays.test.ts",
  "test/acceptance/replays.test.ts",
  "test/acceptance/instances.test.ts",
  "test/store/postgres.test.ts",
  "test/mcp/sessions.test.ts",
  "test/server/indexing/projections.test.ts",
  "test/store/postgres/cluster/frozen.test.ts",
];

/** Starts the longest tests first, even if no earlier run has recorded durations. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((end) => moduleId.endsWith(`/${end}`));
      return place < 0 ? LONGEST.length : place;
    };
    return sorted.toSorted((left, right) => rank(left) - rank(right));
  }
}
