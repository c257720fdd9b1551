import { BaseSequencer, type TestSpecification } from "vitest/node";
import { LONG } from "./long.ts";

/** The longest that there are. One that began last would run alone while the other processors rest. */
const LONGEST = [
  ...LONG,
  "test/store/postgres.test.ts",
  "test/mcp/sessions.test.ts",
  "test/server/indexing/projections.test.ts",
  "test/store/postgres/frozen.test.ts",
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
