import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it, vi } from "vitest";
import type { ApiClient } from "../../src/client/api-client.ts";
import { Unreachable } from "../../src/client/errors.ts";
import { flushQueue } from "../../src/client/telemetry/flush-queue.ts";
import { createTelemetryQueue } from "../../src/client/telemetry/telemetry-queue.ts";
import { seededRandom } from "../support/random.ts";
import { runs } from "../support/runs.ts";
import { temporaryDirectory } from "../support/store.ts";
import { hurryingClock } from "./support/clock.ts";
import { type Counter, createCounter } from "./support/counter.ts";

/** Number of changes to the disk after which the process is "killed". */
const life = vi.hoisted(() => ({ left: Number.POSITIVE_INFINITY }));

// Test files share modules. These are loaded again with the fake node:fs, and dropped afterwards.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.doUnmock("node:fs");
  vi.resetModules();
});

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const mortal = <A extends unknown[], R>(change: (...args: A) => R) => {
    return (...args: A): R => {
      if (life.left-- <= 0) throw new Error("killed");
      return change(...args);
    };
  };
  return {
    ...fs,
    renameSync: mortal(fs.renameSync),
    unlinkSync: mortal(fs.unlinkSync),
    writeFileSync: mortal(fs.writeFileSync as (...args: unknown[]) => void),
    /** Writes only half of the line on the last change. */
    writeSync: (file: number, line: Buffer) => {
      const torn = life.left-- <= 0;
      fs.writeSync(file, torn ? line.subarray(0, line.length / 2) : line);
      if (torn) throw new Error("killed");
      return line.length;
    },
  };
});

type Weather = "fine" | "answer lost" | "unreachable";

/** Returns a client of the server behind `counter`, over a network in this state. */
function apiTo(counter: Counter, weather: () => Weather): ApiClient {
  const credential = { accessToken: "tak_1" };
  return {
    credential: async () => credential,
    async request(
      method: string,
      path: string,
      raw: { body: unknown; idempotencyKey: string; projectId: string },
    ) {
      if (weather() === "unreachable") throw new Unreachable("http://x", "down", { delivery: "never" });
      const headers = { "idempotency-key": raw.idempotencyKey, "x-project-id": raw.projectId };
      const reaction = counter.receive({ method, path, headers, body: JSON.stringify(raw.body) });
      if (weather() === "answer lost") throw new Unreachable("http://x", "torn", { delivery: "unknown" });
      return { status: 200, headers: {}, body: (reaction as { body: unknown }).body };
    },
  } as unknown as ApiClient;
}

const steps = fc.array(
  fc.record({
    step: fc.oneof(
      fc.record({
        record: fc.constantFrom("api.call", "mcp.call"),
        projectId: fc.constantFrom(undefined, "shop"),
      }),
      fc.record({ track: fc.constantFrom<Weather>("fine", "answer lost", "unreachable") }),
      fc.record({ flush: fc.constantFrom<Weather>("fine", "answer lost", "unreachable") }),
      fc.record({ flush: fc.constantFrom<Weather>("fine", "answer lost", "unreachable") }),
    ),
    /** Changes to the disk after which the process is killed in this step. */
    killedAfter: fc.option(fc.nat(25), { freq: 2, nil: Number.POSITIVE_INFINITY }),
  }),
  { minLength: 5, maxLength: 40 },
);

it("the telemetry queue loses no event and counts none twice if a process is killed at any write", async () => {
  const base = temporaryDirectory();
  let round = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      const directory = join(base, String(round++));
      const clock = hurryingClock();
      const random = seededRandom(clock, directory);
      const queue = createTelemetryQueue({ directory, clock, random });
      const counter = createCounter();
      let weather: Weather = "fine";
      const options = { directory, api: apiTo(counter, () => weather), clock, random };
      const acknowledged: string[] = [];

      async function perform(step: (typeof plan)[number]["step"]): Promise<void> {
        if ("flush" in step) {
          weather = step.flush;
          await flushQueue(options);
          return;
        }
        if ("track" in step) return track(step.track);
        const recorded = queue.record({ event: step.record, projectId: step.projectId });
        if (recorded.recorded) acknowledged.push(recorded.id);
      }

      /** Tracks as the command does: queues the use, sends it, then removes it from the queue or leaves it there. */
      async function track(now: Weather): Promise<void> {
        weather = now;
        const idempotencyKey = random.id("key");
        const use = { idempotencyKey, body: { type: "api_calls" } } as const;
        const held = queue.hold(use);
        if (!held.recorded) return;
        acknowledged.push(held.id);
        try {
          await options.api.request("POST", "/api/v1/track", { ...use, projectId: null });
          held.settle();
        } catch (error) {
          if (!(error instanceof Unreachable)) throw error;
          held.leave(error.delivery);
        }
      }

      for (const { step, killedAfter } of plan) {
        life.left = killedAfter;
        await perform(step).catch((error: Error) => expect(error.message).toBe("killed"));
        life.left = Number.POSITIVE_INFINITY;
        letGoOfLocks(directory);
      }
      weather = "fine";
      await flushQueue(options);
      expect(queue.contents()).toMatchObject({ events: 0, refused: [], dropped: 0 });
      expect(acknowledged.filter((id) => counter.counted.get(id) !== 1)).toEqual([]);
      expect([...counter.counted.values()].filter((times) => times !== 1)).toEqual([]);
    }),
    { numRuns: runs(60) },
  );
});

/** Releases locks as the end of a process does. */
function letGoOfLocks(directory: string): void {
  try {
    for (const name of readdirSync(directory)) if (name.includes(".lock.")) rmSync(join(directory, name));
  } catch {
    // Nothing was recorded yet.
  }
}
