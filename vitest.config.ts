import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.{ts,tsx}"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: "forks",
    // Loading the modules anew for each of hundreds of files takes longer than many of their tests.
    isolate: false,
    // Many tests wait, for a process, a disk or five seconds between two polls: meanwhile others run.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    globalSetup: ["test/support/build.ts", "test/support/shared-postgres.ts"],
    env: { TOOLPLANE_BUILT_WORKERS: "1" },
  },
});
