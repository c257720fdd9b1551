import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.{ts,tsx}"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: "forks",
    // Most tests wait for a process, a disk or a hash: both cores of a small machine are of use.
    maxWorkers: "100%",
    globalSetup: "test/support/build.ts",
  },
});
