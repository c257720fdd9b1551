import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { inProcess } from "./test/support/run/in-process/plugin.ts";
import { LONG } from "./test/support/run/long.ts";
import { LongestFirst } from "./test/support/run/longest-first.ts";

/** Generous on purpose: a test only reaches this timeout if it hangs. No test asserts timings. */
const NEVER_MS = 300_000;

export default defineConfig(({ mode }) => ({
  plugins: [inProcess()],
  // The development form of JSX takes a stack trace of each element.
  oxc: { jsx: { development: false } },
  test: {
    ...(mode === "long" ? { include: LONG } : { include: ["test/**/*.test.{ts,tsx}"], exclude: LONG }),
    testTimeout: NEVER_MS,
    hookTimeout: NEVER_MS,
    expect: { poll: { timeout: NEVER_MS / 2 } },
    pool: "forks",
    execArgv: [
      // Saves a twentieth of all processor time over a young generation of 16 MB.
      "--max-semi-space-size=64",
      // Whoever loads undici changes Node's own `fetch`, which is stricter from then on: in all tests, whatever the order.
      "--import=undici",
    ],
    // Loading the modules again for each of hundreds of files takes longer than many of their tests.
    isolate: false,
    // Many tests wait for a process, a disk or the next poll, so more workers than cores pay off.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    globalSetup: [
      "test/support/run/build.ts",
      "test/support/services/shared-postgres.ts",
      "test/support/runs.ts",
      ...(mode === "long" ? [] : ["test/support/run/long.ts"]),
    ],
    // Under CI, Ink draws only the last frame. Its output has to be the same wherever the tests run.
    env: {
      TOOLPLANE_BUILT_WORKERS: "1",
      // In-process for these tests: each of their hundreds of servers would start two processes. The servers of other
      // tests, and of all long ones, do start them.
      ...(mode !== "long" && { IN_PROCESS_TESTS: "test/tools/" }),
      CI: "false",
      CONTINUOUS_INTEGRATION: "false",
    },
  },
}));
