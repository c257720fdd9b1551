import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The longest tests. If one started last, it would run alone while the other processors are idle. */
const LONGEST = [
  "test/api/lists.test.ts",
  "test/store/postgres.test.ts",
  "test/web/accessibility.test.ts",
  "test/hardness/worst-cases.test.ts",
  "test/acceptance/backup.test.ts",
  "test/acceptance/usage-origins.test.ts",
  "test/store/postgres/cluster/pooled.test.ts",
  "test/tools/code-review/bounds/large-files.test.ts",
  "test/cli/demo-kept.test.ts",
  "test/mcp/sessions.test.ts",
  "test/spec/interface.test.ts",
  "test/api/every-endpoint.test.ts",
];

/** Starts the longest tests first, even if no earlier run has recorded durations. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((left, right) => rankOf(left) - rankOf(right));
  }

  /** Deals the files out, so that each part gets a like share of the longest ones and of every folder. */
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index, count } = this.ctx.config.shard ?? { index: 1, count: 1 };
    return files
      .toSorted((left, right) => rankOf(left) - rankOf(right) || (left.moduleId < right.moduleId ? -1 : 1))
      .filter((_, place) => place % count === index - 1);
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const place = LONGEST.findIndex((end) => moduleId.endsWith(`/${end}`));
  return place < 0 ? LONGEST.length : place;
}
