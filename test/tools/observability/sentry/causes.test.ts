import { describe, expect, it } from "vitest";
import { occurrenceOf } from "../../../../src/tools/observability/occurrence.ts";
import { toldBy } from "../../../../src/tools/observability/sentry/event.ts";
import { withOriginals } from "../../../../src/tools/observability/source-maps/restored.ts";
import { startReporting } from "../reporting.ts";

const NOW = Date.UTC(2026, 0, 15);

/** Returns an exception. Its calls are given as `name:line`, the outermost first. */
const link = (type: string, value: string, ...calls: string[]) => ({
  type,
  value,
  stacktrace: {
    frames: calls.map((call) => {
      const [name, line] = call.split(":");
      return { function: name, filename: "src/shop.js", lineno: Number(line), colno: 2, in_app: true };
    }),
  },
});
const told = (...values: object[]) => toldBy({ exception: { values } }, NOW);
const fingerprint = (...values: object[]) => occurrenceOf(told(...values)).fingerprint;

const FAILED = link("Error", "sync failed", "main:1", "sync:5");
const REFUSED = link("TypeError", "no price", "main:1", "sync:4", "price:9");

describe("an error with causes", () => {
  it("is shown with each of them, the nearest first, without the calls that they have in common", async () => {
    const app = await startReporting();
    const place = await app.placeOf();
    const root = link("RangeError", "password=hunter2 is\nshort", "main:1", "sync:4", "price:8", "check:2");
    expect((await app.report(place, { exception: { values: [root, REFUSED, FAILED] } })).status).toBe(200);
    const [error] = await app.errors();
    expect(error).toMatchObject({ type: "Error", message: "sync failed" });
    expect(error.stack.split("\n")).toEqual([
      "Error: sync failed",
      "    at sync (src/shop.js:5:2)",
      "    at main (src/shop.js:1:2)",
      "Caused by: TypeError: no price",
      "    at price (src/shop.js:9:2)",
      "    at sync (src/shop.js:4:2)",
      "    … 1 more",
      "Caused by: RangeError: password=[masked] is short",
      "    at check (src/shop.js:2:2)",
      "    at price (src/shop.js:8:2)",
      "    … 2 more",
    ]);
  });

  it("keeps the four nearest causes, and twenty-five calls of each", () => {
    const many = Array.from({ length: 40 }, (_, at) => `f${at}:${at}`);
    const causes = ["A", "B", "C", "D", "E"].map((type) => link(type, "", `${type}:1`));
    const { calls = [], frames } = told(...causes, link("F", "", ...many));
    expect(frames).toHaveLength(25);
    expect(calls[25]).toBe("    … 15 more");
    expect(calls.filter((line) => line.startsWith("Caused by"))).toEqual(
      ["E", "D", "C", "B"].map((type) => `Caused by: ${type}`),
    );
    expect(told(link("F", "", ...many)).calls).toHaveLength(40);
  });

  it("is another error than one with a cause of another type or place, whatever its message", () => {
    const other = link("TypeError", "no price of 'tea' at line one", "main:1", "sync:40", "price:90");
    expect(fingerprint(REFUSED, FAILED)).toBe(fingerprint(other, FAILED));
    const elsewhere = link("TypeError", "no price", "main:1", "sync:4", "stock:9");
    const distinct = [
      fingerprint(FAILED),
      fingerprint(REFUSED, FAILED),
      fingerprint(elsewhere, FAILED),
      fingerprint({ ...REFUSED, type: "RangeError" }, FAILED),
      fingerprint(link("TypeError", "no price"), FAILED),
      fingerprint(link("TypeError", "no stock"), FAILED),
    ];
    expect(new Set(distinct).size).toBe(distinct.length);
  });

  it("is one error however many others it stands for, and in whatever order", () => {
    const [one, two] = [link("Error", "shop 17 is away"), link("TypeError", "b")];
    expect(fingerprint(one, two, FAILED)).toBe(fingerprint(two, one, one, FAILED));
    expect(fingerprint(one, two, FAILED)).toBe(fingerprint(link("Error", "shop 4 is away"), two, FAILED));
  });

  it("is grouped by the original calls of its causes where source maps have them", () => {
    const image = {
      type: "sourcemap",
      code_file: "src/shop.js",
      debug_id: "2dd09581-5d60-5c37-b71b-74f71c20e2e4",
    };
    const built = (name: string) => {
      const values = [link("TypeError", "no price", "main:1", `${name}:9`), FAILED];
      return toldBy({ exception: { values }, debug_meta: { images: [image] } }, NOW);
    };
    const error = built("a");
    const places = error.places ?? [];
    expect(places.map(({ call, line }) => [error.calls?.[call], line])).toEqual([
      ["    at sync (src/shop.js:5:2)", 5],
      ["    at main (src/shop.js:1:2)", 1],
      ["    at a (src/shop.js:9:2)", 9],
    ]);
    const originals = places.map(({ line }) => ({ file: `src/${line}.ts`, line, column: 1 }));
    const restored = (name: string) => occurrenceOf(withOriginals(built(name), { places, originals }));
    expect(restored("a").fingerprint).toBe(restored("b").fingerprint);
    expect(restored("a").route).toBe("src/5.ts");
    expect(occurrenceOf(built("a")).fingerprint).not.toBe(occurrenceOf(built("b")).fingerprint);
  });
});
