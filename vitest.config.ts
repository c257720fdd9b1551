import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { inProcess } from "./test/support/run/in-process/plugin.ts";
import { LONG } from "./test/support/run/long.ts";
import { LongestFirst } from "./test/support/run/longest-first.ts";

/** Only what never comes to an end takes so long, however busy the machine: no test is about time itself. */
const NEVER_MS = 300_000;

export default defineConfig(({ mode }) => ({
  plugins: [inProcess()],
  test: {
    ...(mode === "long" ? { include: LONG } : { include: ["test/**/*.test.{ts,tsx}"], exclude: LONG }),
    testTimeout: NEVER_MS,
    hookTimeout: NEVER_MS,
    expect: { poll: { timeout: NEVER_MS / 2 } },
    pool: "forks",
    // A twentieth of all processor time less than with young objects collected every 16 MB.
    execArgv: ["--max-semi-space-size=64"],
    // Loading the modules anew for each of hundreds of files takes longer than many of their tests.
    isolate: false,
    // Many tests wait, for a process, a disk or five seconds between two polls: meanwhile others run.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    globalSetup: [
      "test/support/run/build.ts",
      "test/support/services/shared-postgres.ts",
      "test/support/runs.ts",
      ...(mode === "long" ? [] : ["test/support/run/long.ts"]),
    ],
    // Ink draws nothing before the end under CI: what is drawn is to be the same wherever the tests run.
    env: {
      TOOLPLANE_BUILT_WORKERS: "1",
      // Hundreds of servers, of which each would start two processes. Those of other tests, and of all long ones, do.
      ...(mode !== "long" && { IN_PROCESS_TESTS: "test/tools/" }),
      CI: "false",
      CONTINUOUS_INTEGRATION: "false",
    },
  },
}));
