import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The longest that there are. One that began last would run alone while the other processors rest. */
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

/** Begins with those, also where no run before has noted how long each took. */
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
