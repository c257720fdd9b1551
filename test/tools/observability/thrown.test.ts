import { describe, expect, it } from "vitest";
import { occurrenceOf } from "../../../src/tools/observability/occurrence.ts";
import { toldBy } from "../../../src/tools/observability/sentry/event.ts";
import { toldByThrown } from "../../../src/tools/observability/thrown.ts";

const NOW = Date.UTC(2026, 0, 15);

describe("toldByThrown()", () => {
  it("returns the calls, innermost first, and which are the program's own", () => {
    const error = new TypeError("no such size");
    error.stack = [
      "TypeError: no such size at all (at 7)",
      "    at sizeOf (/app/src/size.js:3:9)",
      "    at async Layer.handle (/app/node_modules/express/index.js:95:5)",
      "    at /app/src/main.js:1:1",
      "    at node:internal/main:7:2",
      "not a call",
    ].join("\n");
    const told = toldByThrown(error, { at: NOW, route: "GET /sizes" });
    expect(told).toMatchObject({
      source: "server",
      type: "TypeError",
      message: "no such size",
      route: "GET /sizes",
    });
    expect(told.frames).toEqual([
      { function: "sizeOf", file: "/app/src/size.js", inApp: true },
      { function: "Layer.handle", file: "/app/node_modules/express/index.js", inApp: false },
      { function: undefined, file: "/app/src/main.js", inApp: true },
      { function: undefined, file: "node:internal/main", inApp: false },
    ]);
  });

  it("accepts thrown values that are not errors", () => {
    expect(toldByThrown("broken", { at: NOW })).toMatchObject({
      type: "Error",
      message: "broken",
      frames: [],
    });
    expect(toldByThrown(undefined, { at: NOW }).message).toBe("undefined");
  });
});

describe("toldBy()", () => {
  it("returns no frames for an event without a stack", () => {
    const told = toldBy({ message: "Saved twice" }, NOW);
    expect(told).toMatchObject({ type: "Message", message: "Saved twice", frames: [] });
    expect(occurrenceOf(told)).not.toHaveProperty("stack");
  });

  it("takes the stack of the thread if the exception has none", () => {
    const stacktrace = { frames: [{ function: "?", abs_path: "/a.py", lineno: 1, colno: 2 }] };
    const event = { exception: [{ value: "broken" }], threads: { values: [{ stacktrace }] } };
    const occurrence = occurrenceOf(toldBy(event, NOW));
    expect(occurrence).toMatchObject({ type: "Error", stack: "Error: broken\n    at /a.py:1:2" });
  });

  it("takes the route without the query, and the timestamp if it is in the last 30 days", () => {
    const request = { method: "GET", url: "https://shop.example/cart?token=1#top" };
    expect(toldBy({ request, timestamp: NOW / 1000 - 60 }, NOW)).toMatchObject({
      route: "GET /cart",
      at: NOW - 60_000,
    });
    expect(toldBy({ request: { url: "https://shop.example" } }, NOW).route).toBe("/");
    expect(toldBy({ timestamp: "2026-01-14T00:00:00Z" }, NOW).at).toBe(Date.UTC(2026, 0, 14));
    for (const timestamp of [NOW / 1000 + 60, NOW / 1000 - 31 * 86_400, "yesterday", null]) {
      expect(toldBy({ timestamp }, NOW).at).toBe(NOW);
    }
  });
});
