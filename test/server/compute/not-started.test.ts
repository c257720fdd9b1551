import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWorkerPool } from "../../../src/server/compute/pool.ts";
import { createIndexProcess, ProcessEnded } from "../../../src/server/indexing/index-process.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { recordingLog } from "../../store/json-file/directory.ts";
import { bundled } from "../../support/bundled.ts";

const [jobWorker = "", jobs = "", mirrorWorker = "", mirror = ""] = await bundled(
  "test/server/compute/job-worker.ts",
  "test/server/compute/jobs.ts",
  "test/server/indexing/mirror-worker.ts",
  "test/server/indexing/mirror.ts",
);

/** Does something while no process can be started, as where `TasksMax=` of a unit is reached. */
async function withoutProcesses<T>(work: () => Promise<T>): Promise<T> {
  const { execPath } = process;
  process.execPath = "/nowhere/node";
  try {
    return await work();
  } finally {
    process.execPath = execPath;
  }
}

describe("a worker that the system refuses to start", () => {
  it("costs a job an answer to try again, which says why in the log, and the next job has another", async () => {
    const { log, lines } = recordingLog();
    const pool = createWorkerPool({ path: jobWorker, clock: systemClock, log });
    onTestFinished(() => pool.close());
    const double = () =>
      pool.run({
        account: "acc_a",
        bounds: { computeSecondsPerMinute: 600, jobsInFlight: 64 },
        job: "double",
        module: pathToFileURL(jobs),
        pace: "short",
        body: Buffer.from('{"value":21}'),
        contentType: "application/json",
        context: undefined,
        signal: new AbortController().signal,
      });
    await expect(withoutProcesses(double)).rejects.toMatchObject({ error: "overloaded" });
    expect(lines.filter(({ level }) => level === "warn")).toMatchObject([
      { details: { err: { code: "ENOENT" } }, message: expect.stringContaining("could not be started") },
    ]);
    expect(await double()).toBe(42);
  });

  it("is tried again as the index process with the next question, and the log says why", async () => {
    const { log, lines } = recordingLog();
    const index = createIndexProcess({
      path: mirrorWorker,
      clock: systemClock,
      log,
      maxHeapMb: 64,
      maxBytes: 1e6,
      maxSpaceBytes: 1e6,
      modules: { mirror: pathToFileURL(mirror) },
    });
    onTestFinished(() => index.close());
    const asked = { type: "ask", kind: "mirror", space: "acc_a/x", name: "all", asked: undefined } as const;
    const question = async () => (await index.send(asked).reply).type;
    await expect(withoutProcesses(question)).rejects.toThrow(ProcessEnded);
    expect(lines.filter(({ level }) => level === "warn")).toMatchObject([
      { details: { err: { code: "ENOENT" } }, message: expect.stringContaining("could not be started") },
    ]);
    expect(await question()).toBe("gone");
  });
});
