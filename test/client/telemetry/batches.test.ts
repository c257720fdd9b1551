import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeJson } from "../../../src/client/private-files.ts";
import {
  readBatch,
  readRefused,
  refusedFiles,
  removeBatchesOf,
  sealedFiles,
  setAside,
  writeBatch,
} from "../../../src/client/telemetry/batch-files.ts";
import { type Batch, batchesOf } from "../../../src/client/telemetry/batches.ts";
import type { Entry } from "../../../src/client/telemetry/journal.ts";
import { temporaryDirectory } from "../../support/store.ts";

const NOON = Date.UTC(2026, 0, 15, 12);
const MOST_BYTES = 768 * 1024;

interface Body {
  source: string;
  batch?: { id: string };
  events: { id: string; timestamp: string; event: string; payload?: object }[];
}
const bodyOf = ({ body }: Batch) => body as Body;

function numbered(): () => string {
  let last = 0;
  return () => `bat_${++last}`;
}

const event = (id: string, projectId?: string, payload?: Record<string, unknown>): Entry => ({
  id,
  at: NOON,
  ...(projectId !== undefined && { projectId }),
  event: { event: "tool_used", ...(payload && { payload }) },
});

describe("batchesOf()", () => {
  it("groups telemetry events by project and sends each usage event by itself", () => {
    const track = { type: "api_calls", count: 2 };
    const batches = batchesOf(
      [
        event("a", "web"),
        { id: "t", at: NOON + 1, projectId: "web", track },
        event("b"),
        { ...event("c", "web", { x: 1 }), at: NOON + 2 },
      ],
      numbered(),
    );
    const at = (ms: number) => new Date(NOON + ms).toISOString();
    expect(batches).toEqual([
      {
        id: "bat_1",
        path: "/api/v1/events/batch",
        projectId: "web",
        events: 2,
        oldestAt: at(0),
        body: {
          source: "tool-cli",
          batch: { id: "bat_1" },
          events: [
            { id: "a", timestamp: at(0), event: "tool_used" },
            { id: "c", timestamp: at(2), event: "tool_used", payload: { x: 1 } },
          ],
        },
      },
      { id: "t", path: "/api/v1/track", projectId: "web", events: 1, oldestAt: at(1), body: track },
      {
        id: "bat_2",
        path: "/api/v1/events/batch",
        projectId: undefined,
        events: 1,
        oldestAt: at(0),
        body: {
          source: "tool-cli",
          batch: { id: "bat_2" },
          events: [{ id: "b", timestamp: at(0), event: "tool_used" }],
        },
      },
    ]);
    expect(batchesOf([event("a")], () => undefined)[0]).not.toHaveProperty("body.batch");
    expect(batchesOf([], numbered())).toEqual([]);
  });

  it("puts at most a thousand events into one request", () => {
    const entries = Array.from({ length: 2001 }, (_, index) => event(`e${index}`, "web"));
    const batches = batchesOf(entries, numbered());
    expect(batches.map(({ events }) => events)).toEqual([1000, 1000, 1]);
    expect(batches.flatMap((batch) => bodyOf(batch).events.map(({ id }) => id))).toEqual(
      entries.map(({ id }) => id),
    );
  });

  it("fills a request up to the byte limit, and sends a larger event alone", () => {
    const bytesOf = (events: readonly object[]) =>
      events.reduce((sum, each) => sum + Buffer.byteLength(JSON.stringify(each)), 0);
    const wire = (payload: object) => ({
      id: "a",
      timestamp: new Date(NOON).toISOString(),
      event: "tool_used",
      payload,
    });
    const rest = MOST_BYTES / 2 - bytesOf([wire({ text: "" })]);
    // Sizes count in bytes of UTF-8, of which ü has two.
    const half = { text: "ü".repeat(Math.floor(rest / 2)) + "x".repeat(rest % 2) };
    expect(bytesOf([wire(half), wire(half)])).toBe(MOST_BYTES);
    const sizes = (...payloads: Record<string, unknown>[]) =>
      batchesOf(
        payloads.map((payload) => event("a", "web", payload)),
        numbered(),
      ).map(({ events }) => events);
    expect(sizes(half, half)).toEqual([2]);
    expect(sizes(half, { text: `${half.text}x` })).toEqual([1, 1]);
    // An event that alone exceeds the limit is sent alone.
    expect(sizes({ text: "x".repeat(MOST_BYTES) }, half, half)).toEqual([1, 2]);
  });

  it("sends each event exactly once, in order, under its own project", () => {
    const entry = fc.record({
      projectId: fc.constantFrom(undefined, "web", "shop"),
      isTrack: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 30 }), (given) => {
        const entries = given.map(({ projectId, isTrack }, index): Entry => {
          const kept = { id: `e${index}`, at: NOON + index, ...(projectId && { projectId }) };
          return isTrack ? { ...kept, track: { type: "api_calls" } } : { ...kept, event: { event: "e" } };
        });
        const batches = batchesOf(entries, numbered());
        for (const projectId of [undefined, "web", "shop"]) {
          const own = batches.filter((batch) => batch.projectId === projectId);
          const sent = own.flatMap((batch) =>
            batch.path === "/api/v1/track" ? [] : bodyOf(batch).events.map(({ id }) => id),
          );
          const of = (isTrack: boolean) =>
            entries.filter((each) => each.projectId === projectId && "track" in each === isTrack);
          expect(sent).toEqual(of(false).map(({ id }) => id));
          expect(own.flatMap(({ path, id }) => (path === "/api/v1/track" ? [id] : []))).toEqual(
            of(true).map(({ id }) => id),
          );
        }
        // Batches are sent in the order of their oldest events.
        const times = batches.map(({ oldestAt }) => Date.parse(oldestAt));
        expect(times).toEqual(times.toSorted((a, b) => a - b));
      }),
    );
  });
});

describe("batch files", () => {
  const batch: Batch = {
    id: "bat_1",
    path: "/api/v1/track",
    body: {},
    events: 7,
    oldestAt: "2026-01-15T12:00:00.000Z",
  };

  it("have their key and number of events in their names, and are read back unchanged", () => {
    const directory = temporaryDirectory();
    writeBatch(directory, "jrn_b-000001", batch);
    writeBatch(directory, "jrn_a-000002", { ...batch, events: 12 });
    for (const other of [
      "batch-.json",
      "batch-x.json",
      "abatch-x.1.json",
      "batch-x.1.json.tmp",
      "refused-x.1.json",
    ]) {
      writeJson(directory, other, batch);
    }
    const files = sealedFiles(directory);
    expect(files).toEqual([
      { name: "batch-jrn_a-000002.12.json", key: "jrn_a-000002", events: 12 },
      { name: "batch-jrn_b-000001.7.json", key: "jrn_b-000001", events: 7 },
    ]);
    expect(readBatch(directory, files[1]!)).toEqual(batch);
    expect(readBatch(directory, { name: "batch-gone.1.json", key: "gone", events: 1 })).toBeUndefined();
    expect(refusedFiles(directory).map(({ key }) => key)).toEqual(["x"]);
    removeBatchesOf(directory, "jrn_a");
    expect(sealedFiles(directory).map(({ key }) => key)).toEqual(["jrn_b-000001"]);
  });

  it("are set aside with the reason of the refusal", () => {
    const directory = temporaryDirectory();
    const refused = { ...batch, refusedAt: "2026", error: "rejected", detail: "why" };
    setAside(directory, { name: "", key: "jrn-1", events: 7 }, { ...refused, events: 3 });
    expect(refusedFiles(directory)).toEqual([{ name: "refused-jrn-1.3.json", key: "jrn-1", events: 3 }]);
    expect(readRefused(directory)).toEqual([{ ...refused, events: 3 }]);
    expect(sealedFiles(directory)).toEqual([]);
  });
});
