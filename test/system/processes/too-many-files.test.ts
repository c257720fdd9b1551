import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { bundled } from "../../support/bundled.ts";

it.skipIf(process.platform === "win32")(
  "where no more files can be opened, what needs a process fails, and the next one starts it",
  async () => {
    const [program = ""] = await bundled("test/system/processes/crowded.ts");
    const others = await bundled(
      "test/server/compute/job-worker.ts",
      "test/server/compute/jobs.ts",
      "test/server/indexing/mirror-worker.ts",
      "test/server/indexing/mirror.ts",
    );
    const words = ["-c", 'ulimit -n 64 && exec "$0" "$@"', process.execPath, program, ...others];
    const { stdout, stderr } = spawnSync("sh", words, { encoding: "utf8" });
    expect(stderr).toBe("");
    const full =
      "Error: A process could not be started: this process may not open more files, see `ulimit -n`.";
    expect(JSON.parse(stdout)).toEqual({
      before: [full, full, "UpstreamFailure: Notes did not start."],
      after: [42, "gone", 202],
    });
  },
);
