import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { inProcess } from "../../test/support/run/in-process/plugin.ts";
import { appliedMutant } from "./applied-mutant.ts";

/** Runs the tests of a mutant's folder, without those that start processes of the built program. */
export default defineConfig({
  plugins: [inProcess(), appliedMutant(process.env.MUTANT)],
  test: {
    // Stryker runs this in its copy of the tree.
    root: resolve(import.meta.dirname, "../.."),
    setupFiles: ["scripts/mutation/fresh-modules.ts"],
    globalSetup: ["test/support/services/shared-postgres.ts", "test/support/runs.ts"],
    include: [`${process.env.MUTATION_TESTS}/**/*.test.{ts,tsx}`],
    exclude: [
      "test/tools/*/postgres.test.ts",
      "test/tools/observability/sdks.test.ts",
      "test/store/json-file/kill.test.ts",
      "test/client/telemetry-processes.test.ts",
      "test/tools/code-review/bounds/large-files.test.ts",
    ],
    // Neither a busy machine nor a flaky test may kill a mutant.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    retry: 1,
    isolate: false,
    env: { IN_PROCESS_TESTS: "test/" },
  },
});
