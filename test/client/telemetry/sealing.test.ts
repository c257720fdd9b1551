import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readBatch } from "../../../src/client/telemetry/batch-files.ts";
import { append, entriesOf } from "../../../src/client/telemetry/journal.ts";
import {
  countWaiting,
  dropOldest,
  droppedFrom,
  isEmpty,
  mayExceed,
  oldestWaiting,
  seal,
  sealedBatches,
  unsealedEntries,
} from "../../../src/client/telemetry/sealing.ts";
import { fakeClock } from "../../support/clock.ts";
import { seededRandom } from "../../support/random.ts";
import { temporaryDirectory } from "../../support/store.ts";

const NOW = Date.UTC(2026, 0, 15, 12);

function open() {
  const directory = temporaryDirectory();
  const random = seededRandom(fakeClock(NOW), directory);
  let recorded = 0;
  return {
    directory,
    record: (count: number, projectId?: string) => {
      for (let index = 0; index < count; index++) {
        const number = recorded++;
        append(directory, {
          id: `evt_${number}`,
          at: NOW + number,
          event: { event: `e${number}` },
          ...(projectId && { projectId }),
        });
      }
    },
    seal: () => seal(directory, random),
    drop: (most: number) => dropOldest(directory, most, random),
    sealed: () =>
      sealedBatches(directory).flatMap((file) => {
        const { body } = readBatch(directory, file) ?? {};
        return (body as { events: { event: string }[] }).events.map(({ event }) => event);
      }),
    names: () => readdirSync(directory),
  };
}

describe("seal()", () => {
  it("turns the journal into batches and removes the journal", () => {
    const { directory, record, seal, sealed, names } = open();
    expect(isEmpty(directory)).toBe(true);
    record(3);
    expect(isEmpty(directory)).toBe(false);
    seal();
    expect(sealed()).toEqual(["e0", "e1", "e2"]);
    expect(names()).toEqual([expect.stringMatching(/^batch-jrn_.+-000000\.3\.json$/)]);
    expect(unsealedEntries(directory)).toEqual([]);
    expect(isEmpty(directory)).toBe(false);
  });

  it("writes no files if nothing was recorded", () => {
    const { seal, names } = open();
    seal();
    expect(names()).toEqual([]);
  });

  it("starts over with a journal that a killed process left half sealed", () => {
    const { directory, record, seal, sealed, names } = open();
    record(2);
    const line = (id: string) => `${JSON.stringify({ id, at: NOW - 1, event: { event: id } })}\n`;
    writeFileSync(join(directory, "taken-jrn_dead.jsonl"), line("d0") + line("d1"));
    const half = {
      id: "bat_dead",
      path: "/api/v1/events/batch",
      events: 1,
      body: { events: [{ event: "d0" }] },
    };
    writeFileSync(join(directory, "batch-jrn_dead-000000.1.json"), JSON.stringify(half));
    writeFileSync(join(directory, "batch-jrn_dead-000001.1.json.tmp"), "{");
    expect(sealedBatches(directory)).toEqual([]);
    expect(countWaiting(directory)).toBe(4);
    expect(oldestWaiting(directory)).toBe(NOW - 1);
    seal();
    expect(sealed().sort()).toEqual(["d0", "d1", "e0", "e1"]);
    expect(names().every((name) => /^batch-.*\.2\.json$/.test(name))).toBe(true);
  });

  it("keeps sealed events in the count of waiting events and in the oldest time", () => {
    const { directory, record, seal } = open();
    expect(oldestWaiting(directory)).toBeUndefined();
    writeFileSync(join(directory, "policy.json"), "{}");
    expect(countWaiting(directory)).toBe(0);
    record(2);
    expect(oldestWaiting(directory)).toBe(NOW);
    seal();
    record(3);
    expect(countWaiting(directory)).toBe(5);
    expect(oldestWaiting(directory)).toBe(NOW);
    expect(mayExceed(directory, 4)).toBe(true);
    expect(mayExceed(directory, 1000)).toBe(false);
  });
});

describe("dropOldest()", () => {
  it("drops whole batches and the first part of another, and adds up the number dropped", () => {
    const { directory, record, seal, drop, sealed, names } = open();
    record(3);
    seal();
    record(4);
    seal();
    drop(5);
    expect(sealed()).toEqual(["e2", "e3", "e4", "e5", "e6"]);
    expect(droppedFrom(directory)).toBe(2);
    drop(3);
    expect(sealed()).toEqual(["e4", "e5", "e6"]);
    expect(droppedFrom(directory)).toBe(4);
    expect(oldestWaiting(directory)).toBe(NOW + 4);
    expect(names().filter((name) => name !== "dropped.json")).toEqual([
      expect.stringMatching(/^batch-jrn_[^.]+-000000\.3\.json$/),
    ]);
  });

  it("seals the journal only if dropping all sealed events is not enough", () => {
    const { directory, record, seal, drop } = open();
    record(3);
    seal();
    record(3);
    drop(3);
    expect(sealedBatches(directory)).toEqual([]);
    expect(unsealedEntries(directory)).toHaveLength(3);
    drop(1);
    expect(unsealedEntries(directory)).toEqual([]);
    expect(countWaiting(directory)).toBe(1);
    expect(droppedFrom(directory)).toBe(5);
  });

  it("changes nothing while the queue is within its bound", () => {
    const { directory, record, drop, names } = open();
    record(3);
    drop(3);
    expect(names()).toEqual(["pending.jsonl"]);
    expect(droppedFrom(directory)).toBe(0);
  });
});

it("entriesOf() reads the end of a journal that is longer than a string may be", () => {
  const directory = temporaryDirectory();
  const entry = (id: string) => ({ id, at: 1, event: { event: "api.call" } });
  for (const id of ["a", "b", "c"]) append(directory, entry(id));
  const { size } = statSync(join(directory, "pending.jsonl"));
  for (const maxBytes of [size, size + 1]) {
    expect(entriesOf(directory, undefined, maxBytes).map(({ id }) => id)).toEqual(["a", "b", "c"]);
  }
  expect(entriesOf(directory, undefined, size - 5).map(({ id }) => id)).toEqual(["b", "c"]);
});
