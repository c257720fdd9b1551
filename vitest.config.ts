import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.{ts,tsx}"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: "forks",
    // Loading the modules anew for each of hundreds of files takes longer than many of their tests.
    isolate: false,
    // Most tests wait for a process, a disk or a hash: both cores of a small machine are of use.
    maxWorkers: "100%",
    globalSetup: "test/support/build.ts",
  },
});
