import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";
import { createApiClient } from "../../src/client/api-client.ts";
import { flushQueue } from "../../src/client/telemetry/flush-queue.ts";
import { createTelemetryQueue } from "../../src/client/telemetry/telemetry-queue.ts";
import { systemClock as clock } from "../../src/system/clock.ts";
import { createRandom } from "../../src/system/random.ts";
import { bundled } from "../support/bundled.ts";
import { temporaryDirectory } from "../support/store.ts";
import { createCounter } from "./support/counter.ts";
import { tokenFromEnvironment } from "./support/credentials.ts";
import { kill, startProcess } from "./support/processes.ts";
import { startServer } from "./support/server.ts";

const RECORDERS = 5;
const SENDERS = 3;
const KILLS = 40;

it("the telemetry queue counts each event once with eight processes that are killed at any time", async () => {
  const counter = createCounter();
  let requests = 0;
  const server = await startServer((request) => {
    const reaction = counter.receive(request);
    return requests++ % 4 === 3 ? "tear" : reaction;
  });
  onTestFinished(() => server.stop());
  const base = temporaryDirectory();
  const directory = join(base, "queue");
  const [program = ""] = await bundled("test/client/support/queue-process.ts");

  const acknowledged: string[] = [];
  const processes: ChildProcess[] = [];
  function start(place: number): void {
    const child = startProcess(program, place < RECORDERS ? "record" : "send", directory, server.baseUrl);
    createInterface(child.stdout).on("line", (id) => acknowledged.push(id));
    processes[place] = child;
  }

  for (let place = 0; place < RECORDERS + SENDERS; place++) start(place);
  while (acknowledged.length === 0) await clock.sleep(10);
  const random = createRandom(clock);
  for (let kills = 0; kills < KILLS; kills++) {
    await clock.sleep(random.fraction() * 50);
    const place = kills % processes.length;
    await kill(processes[place] as ChildProcess);
    start(place);
  }
  await expect.poll(() => counter.batches).toBeGreaterThan(10);
  await Promise.all(processes.map(kill));

  const api = createApiClient({
    baseUrl: server.baseUrl,
    clock,
    random,
    credentials: tokenFromEnvironment("tak_test"),
  });
  const options = { directory, api, clock, random };
  for (let round = 0; round < 10; round++) if (!(await flushQueue(options)).error) break;
  const { events, refused } = createTelemetryQueue(options).contents();
  expect({ events, refused }).toEqual({ events: 0, refused: [] });
  expect(acknowledged.length).toBeGreaterThan(100);
  expect(acknowledged.filter((id) => counter.counted.get(id) !== 1)).toEqual([]);
  expect([...counter.counted.values()].every((times) => times === 1)).toBe(true);
});
