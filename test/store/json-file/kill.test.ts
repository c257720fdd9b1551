import { fork } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GLOBAL } from "../../../src/store/store.ts";
import { bundled } from "../../support/bundled.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { notesOf, openAt, recordingLog } from "./directory.ts";

const KILLS = 10;

describe("kill -9 under load", () => {
  it("loses no acknowledged write and invents none, even with compactions", async () => {
    const [writer = ""] = await bundled(
      "test/store/json-file/writer.ts",
      "src/store/json-file/journal/compaction-worker.ts",
    );
    const directory = temporaryDirectory();
    const acknowledged = new Set<string>();
    const sent = new Set<string>();
    for (let kill = 0; kill < KILLS; kill++) {
      for (const line of await runAndKill(writer, directory, kill, 31 * kill)) {
        const [what, id] = line.split(" ") as [string, string];
        (what === "ack" ? acknowledged : sent).add(id);
      }
      const { log, lines } = recordingLog();
      const store = await openAt(directory, { log });
      const recovered = new Set(Object.keys(await notesOf(store)));
      expect([...acknowledged].filter((id) => !recovered.has(id))).toEqual([]);
      expect([...recovered].filter((id) => !sent.has(id))).toEqual([]);
      expect(await store.transact((tx) => tx.increment("writes", GLOBAL, "all", 0))).toBe(recovered.size);
      expect(lines.filter(({ level }) => level === "error")).toEqual([]);
      await store.close();
    }
    expect(acknowledged.size).toBeGreaterThan(100);
    expect(existsSync(join(directory, "store.json"))).toBe(true);
  });
});

/** Lets a process write until it is killed `ms` after its first acknowledgement. Returns its output. */
async function runAndKill(writer: string, directory: string, run: number, ms: number): Promise<string[]> {
  const path = join(temporaryDirectory(), "printed");
  const printed = openSync(path, "w");
  const child = fork(writer, [directory, `${run}`], {
    stdio: ["ignore", printed, "inherit", "ipc"],
    execArgv: [],
  });
  child.once("message", () => setTimeout(() => child.kill("SIGKILL"), ms));
  const signal = await new Promise((resolve) => child.once("exit", (_, reason) => resolve(reason)));
  closeSync(printed);
  expect(signal).toBe("SIGKILL");
  return readFileSync(path, "utf8").split("\n").slice(0, -1);
}
