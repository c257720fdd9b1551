import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The longest that there are. One that began last would run alone while the other processors rest. */
const LONGEST = [
  "hardness/worst-cases",
  "acceptance/replays",
  "acceptance/instances",
  "hardness/replays",
  "store/postgres",
  "mcp/sessions",
  "server/indexing/projections",
  "store/postgres/frozen",
].map((file) => `/test/${file}.test.ts`);

/** Begins with those, also where no run before has noted how long each took. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((end) => moduleId.endsWith(end));
      return place < 0 ? LONGEST.length : place;
    };
    return sorted.toSorted((left, right) => rank(left) - rank(right));
  }
}
