import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type Occurrence, occurrenceOf } from "../../../src/tools/observability/occurrence.ts";
import type { ReportedError } from "../../../src/tools/observability/reported-error.ts";
import { toldBy } from "../../../src/tools/observability/sentry/event.ts";

const NOW = Date.UTC(2026, 0, 15);
const DAY = 86_400_000;

const framed = (...frames: unknown[]) => ({ exception: [{ type: "E", value: "v", stacktrace: { frames } }] });

describe("toldBy()", () => {
  it.each<[string, unknown, Partial<ReportedError>]>([
    [
      "the last exception",
      { exception: { values: [{ type: "A" }, { type: "B" }] } },
      { type: "B", message: "" },
    ],
    ["an exception alone", { exception: { type: "E", value: "v" } }, { type: "E", message: "v" }],
    ["a value alone", { exception: { value: "v" } }, { type: "Error", message: "v" }],
    [
      "an exception of nothing",
      { exception: { type: null }, message: "m" },
      { type: "Message", message: "m" },
    ],
    ["an exception without a type", { exception: [{ value: "v" }] }, { type: "Error", message: "v" }],
    [
      "a type alone, with what was said",
      { exception: [{ type: "A" }], message: "m" },
      { type: "A", message: "m" },
    ],
    ["a message", { message: "m" }, { type: "Message", message: "m" }],
    ["a formatted message", { logentry: { formatted: "f", message: "m" } }, { message: "f" }],
    ["a message of parts", { logentry: { message: "m" } }, { message: "m" }],
    [
      "the template of a message, whose values are of one word",
      { logentry: { formatted: "ann is 7", message: "%s is %d", params: ["ann", 7] } },
      { message: "ann is 7", template: "%s is %d" },
    ],
    [
      "… with values that say what failed",
      {
        logentry: {
          message: "{a} with {b} {c} {d}",
          params: { a: "x y", b: "IoError", c: "EPIPE", d: "EU" },
        },
      },
      { template: "{a} with {b} {c} {d}\nx y\nIoError\nEPIPE" },
    ],
    [
      "no template without a word",
      { logentry: { formatted: "broken: 7", message: "%(a)s: %-5.2f {b} %%d", params: ["broken", 7] } },
      { message: "broken: 7", template: undefined },
    ],
    ["no template without values", { logentry: { formatted: "f", message: "m" } }, { template: undefined }],
    [
      "no template of what was thrown",
      { exception: [{ type: "A" }], logentry: { message: "at %s", params: ["x"] } },
      { template: undefined },
    ],
    ["a message that is one of parts", { message: { formatted: "f" } }, { message: "f" }],
    ["nothing", {}, { type: "Message", message: "", tags: [], grouping: undefined, user: undefined }],
    ["no event", 7, { type: "Message", message: "" }],
    ["empty texts", { release: "", environment: "", event_id: "", message: "" }, { release: undefined }],
    ["release and environment", { release: "r", environment: "e" }, { release: "r", environment: "e" }],
    [
      "an id and a trace",
      { event_id: "i", contexts: { trace: { trace_id: "t" } } },
      { eventId: "i", traceId: "t" },
    ],
    [
      "a grouping of texts and numbers",
      { fingerprint: ["a", 1, true, null, {}] },
      { grouping: ["a", "1", "true"] },
    ],
    [
      "tags as an object",
      { tags: { a: "b", c: 1, d: true, e: null, f: {} } },
      {
        tags: [
          ["a", "b"],
          ["c", "1"],
          ["d", "true"],
        ],
      },
    ],
    ["tags as pairs", { tags: [["a", "b"], ["c"], "d", [1, "e"], ["", "f"]] }, { tags: [["a", "b"]] }],
    ["a user by id", { user: { id: "i", username: "u", email: "e", ip_address: "1.2.3.4" } }, { user: "i" }],
    ["a user by number", { user: { id: 7, username: "u" } }, { user: "7" }],
    ["a user by name", { user: { username: "u", email: "e" } }, { user: "u" }],
    ["a user by address of mail", { user: { email: "e", ip_address: "1.2.3.4" } }, { user: "e" }],
    ["a user by address", { user: { ip_address: "1.2.3.4" } }, { user: "1.2.3.4" }],
    ["no user by the sender's address", { user: { ip_address: "{{auto}}" } }, { user: undefined }],
    ["a transaction", { transaction: "t", request: { url: "/a" } }, { route: "t" }],
    ["an address", { request: { url: "HTTPS://shop.example/a/b?c=d#e" } }, { route: "/a/b" }],
    [
      "an address with its method",
      { request: { url: "http://a.example?c", method: "PUT" } },
      { route: "PUT /" },
    ],
    ["a path", { request: { url: "/a#b?c" } }, { route: "/a" }],
    ["a method alone", { request: { method: "PUT" } }, { route: undefined }],
    ["seconds", { timestamp: NOW / 1000 - 1.5 }, { at: NOW - 1500 }],
    ["a time", { timestamp: "2026-01-14T23:00:00Z" }, { at: NOW - 3_600_000 }],
    ["a time of thirty days ago", { timestamp: NOW / 1000 - 30 * 86_400 }, { at: NOW }],
    ["a time since then", { timestamp: (NOW - 30 * DAY + 1) / 1000 }, { at: NOW - 30 * DAY + 1 }],
  ])("reads %s", (_, event, told) => expect(toldBy(event, NOW)).toMatchObject(told));

  it("returns up to fifty calls of the exception, innermost first", () => {
    const { frames, calls } = toldBy(
      framed(
        { function: "main", filename: "main.js", lineno: 1, colno: 2, in_app: true },
        { function: "?", module: "shop.cart", lineno: 3 },
        { abs_path: "/app/a.js", colno: 4, in_app: 1 },
        null,
      ),
      NOW,
    );
    expect(frames.map(({ function: name, file, inApp }) => [name, file, inApp])).toEqual([
      [undefined, undefined, false],
      [undefined, "/app/a.js", false],
      [undefined, "shop.cart", false],
      ["main", "main.js", true],
    ]);
    expect(calls).toEqual([
      "    at <unknown>",
      "    at /app/a.js",
      "    at shop.cart:3",
      "    at main (main.js:1:2)",
    ]);
    const many = Array.from({ length: 60 }, (_, at) => ({ function: `f${at}` }));
    expect(toldBy(framed(...many), NOW).frames.map(({ function: name }) => name)).toEqual(
      many
        .map(({ function: name }) => name)
        .slice(10)
        .reverse(),
    );
    const [long] = toldBy(framed({ function: "f".repeat(3000), filename: "x".repeat(3000) }), NOW).frames;
    expect([long?.function?.length, long?.file?.length]).toEqual([2000, 2000]);
  });

  it("takes the calls of the first thread if the exception has none", () => {
    const threads = ["a", "b"].map((name) => ({ stacktrace: { frames: [{ function: name }] } }));
    for (const given of [threads, { values: threads }])
      expect(toldBy({ threads: given, message: "m" }, NOW).frames[0]?.function).toBe("a");
    expect(toldBy({ ...framed({ function: "own" }), threads }, NOW).frames[0]?.function).toBe("own");
  });

  it("returns places only for files with a debug id and whole numbers of line and column", () => {
    const id = "2dd09581-5d60-5c37-b71b-74f71c20e2e4";
    const image = { type: "sourcemap", code_file: "a.js", debug_id: id };
    const places = (frame: object, images: unknown = [image]) =>
      toldBy({ ...framed(frame, { function: "inner" }), debug_meta: { images } }, NOW).places;
    const place = { call: 1, debugId: id, line: 3, column: 4 };
    expect(places({ filename: "a.js", lineno: 3, colno: 4 })).toEqual([place]);
    expect(places({ filename: "b.js", abs_path: "a.js", lineno: 3, colno: 4 })).toEqual([place]);
    for (const frame of [
      { filename: "b.js", lineno: 3, colno: 4 },
      { filename: "a.js", lineno: 3 },
      { filename: "a.js", colno: 4 },
      { filename: "a.js", lineno: 0, colno: 4 },
      { filename: "a.js", lineno: 3, colno: -1 },
      { filename: "a.js", lineno: 3.5, colno: 4 },
      { filename: "a.js", lineno: 3, colno: 2 ** 31 },
      { filename: "a.js", lineno: "3", colno: 4 },
      { lineno: 3, colno: 4 },
    ])
      expect([frame, places(frame)]).toEqual([frame, []]);
    expect(places({ filename: "a.js", lineno: 3, colno: 2 ** 31 - 1 })).toHaveLength(1);
    for (const other of [{ type: "wasm" }, { code_file: 7 }, { debug_id: "none" }])
      expect(places({ filename: "a.js", lineno: 3, colno: 4 }, [{ ...image, ...other }])).toEqual([]);
  });
});

const told = (more: Partial<ReportedError> = {}): ReportedError => ({
  ...{ source: "client", type: "TypeError", message: "broken", frames: [], at: NOW },
  ...more,
});
const fingerprint = (more: Partial<ReportedError> = {}) => occurrenceOf(told(more)).fingerprint;

describe("occurrenceOf()", () => {
  it.each<[string, Partial<ReportedError>, Partial<Occurrence>]>([
    ["a type where there is none", { type: "" }, { type: "Error" }],
    ["its stack as it is", { stack: "E\n at a" }, { stack: "E\n at a" }],
    [
      "its calls below what it says",
      { calls: ["  at a\nb"], stack: "E" },
      { stack: "TypeError: broken\n  at a b" },
    ],
    [
      "its trace in small letters",
      { traceId: "0AF76519-16CD43DD8448EB211C80319C" },
      { traceId: "0af7651916cd43dd8448eb211c80319c" },
    ],
    [
      "its id",
      { eventId: "0AF76519-16CD-43DD-8448-EB211C80319C" },
      { eventId: "0AF76519-16CD-43DD-8448-EB211C80319C" },
    ],
    ["a release without the blanks around it", { release: " r " }, { release: "r" }],
    ["a hash of its user", { user: "ann" }, { user: hash("sha256", "ann", "base64url") }],
    ["a hash of a user of no name", { user: "" }, { user: hash("sha256", "", "base64url") }],
    ["its route", { route: "GET /a" }, { route: "GET /a" }],
    ["its tags", { tags: [["a", "b=c"]] }, { tags: { a: "b=c" } }],
    [
      "places",
      { places: [{ call: 0, debugId: "d", line: 1, column: 2 }] },
      { places: [{ call: 0, debugId: "d", line: 1, column: 2 }] },
    ],
  ])("records %s", (_, more, occurrence) => expect(occurrenceOf(told(more))).toMatchObject(occurrence));

  it("omits missing and invalid fields", () => {
    const plain = { ...{ source: "client", type: "TypeError", message: "broken" }, count: 1 };
    const expected = { ...plain, firstAt: NOW, lastAt: NOW, fingerprint: fingerprint() };
    expect(occurrenceOf(told())).toEqual(expected);
    const nothing: Partial<ReportedError>[] = [
      { traceId: "0".repeat(32) },
      { traceId: "a".repeat(31) },
      { traceId: "g".repeat(32) },
      { eventId: "a".repeat(31) },
      { eventId: "a".repeat(37) },
      { release: " \t " },
      { release: "a\u0007b" },
      { environment: "" },
      { route: "" },
      { stack: "" },
      { calls: [] },
      { places: [] },
      { tags: [] },
      { tags: [["a", ""]] },
      { tags: [["", "b"]] },
      { tags: [["a".repeat(101), "b"]] },
    ];
    for (const more of nothing) expect([more, occurrenceOf(told(more))]).toEqual([more, expected]);
  });

  it("truncates long fields and keeps the first ten tags", () => {
    const long = "x".repeat(20_000);
    const calls = Array.from({ length: 20 }, () => long);
    const { type, message, stack, route, release, environment, tags } = occurrenceOf(
      told({
        type: long,
        message: long,
        calls,
        route: long,
        release: long,
        environment: long,
        tags: [["a", long]],
      }),
    );
    expect([type, message, stack, route, release, environment].map((text) => text?.length)).toEqual([
      200, 2000, 8000, 300, 100, 60,
    ]);
    expect(stack?.split("\n")[1]).toHaveLength(1000);
    expect(tags?.a).toHaveLength(198);
    expect(occurrenceOf(told({ stack: long })).stack).toHaveLength(8000);
    const many = Array.from({ length: 12 }, (_, at) => [`t${at}`, "v"] as const);
    expect(Object.keys(occurrenceOf(told({ tags: many })).tags ?? {})).toEqual(
      many.slice(0, 10).map(([name]) => name),
    );
  });
});

describe("the fingerprint of an error", () => {
  const frame = (name: string | undefined, inApp = true, file = "a.js") => ({ function: name, file, inApp });

  it.each([
    ['no "a" of it', "no 'b' of it"],
    ["no `a` of it", 'no "" of it'],
    ["job 5f2b9c1e-1111-4222-8333-444455556666 lost", "job 00000000-aaaa-4bbb-8ccc-ddddeeeeffff lost"],
    ["user usr_01m7z59p0f0wm8w0dr7se0d267", "user acc_01m7z59p3aezw5c1b7kyp0316p"],
    ["commit 0a1b2c3", "commit deadbeef1"],
    ["took 12 ms", "took 7 ms"],
    ["port80", "port8080"],
  ])("is the same for messages that differ in variable parts only: %j and %j", (one, other) => {
    expect(fingerprint({ message: one })).toBe(fingerprint({ message: other }));
  });

  it.each([
    ['no "a\nb" of it', 'no "c\nd" of it'],
    [`no "${"a".repeat(301)}" of it`, `no "${"b".repeat(301)}" of it`],
    ["the facade is", "the facede is"],
    ["usr_short", "usr_other"],
    ["a_01m7z59p0f0wm8w0dr7se0d267x", "a_01m7z59p3aezw5c1b7kyp0316pq"],
  ])("differs for messages that differ in other parts: %j and %j", (one, other) => {
    expect(fingerprint({ message: one })).not.toBe(fingerprint({ message: other }));
  });

  it("depends on the five innermost calls of the program, or on library calls if it has none", () => {
    const calls = (...names: string[]) => ({ frames: names.map((name) => frame(name)) });
    expect(fingerprint(calls(..."abcdef"))).toBe(fingerprint(calls(..."abcdex")));
    expect(fingerprint(calls(..."abcdef"))).not.toBe(fingerprint(calls(..."abcdxf")));
    const library = [frame("lib", false), frame("a"), frame("other", false)];
    expect(fingerprint({ frames: library })).toBe(fingerprint(calls("a")));
    const foreign = (name: string) => ({ frames: [frame(name, false)] });
    expect(fingerprint(foreign("a"))).not.toBe(fingerprint(foreign("b")));
    expect(fingerprint(foreign("a"))).not.toBe(fingerprint());
    expect(fingerprint({ frames: [frame("a", true, "b.js")] })).toBe(fingerprint(calls("a")));
    const nameless = (file: string) => fingerprint({ frames: [frame(undefined, true, file)] });
    expect(nameless("a.js")).not.toBe(nameless("b.js"));
  });

  it("depends on source, type and the program's grouping", () => {
    const others = [{ source: "server" as const }, { type: "RangeError" }, { grouping: ["a"] }];
    for (const more of others) expect([more, fingerprint(more)]).not.toEqual([more, fingerprint()]);
    expect(fingerprint({ grouping: [] })).toBe(fingerprint());
    expect(fingerprint({ grouping: ["{{ default }}"] })).toBe(fingerprint());
    expect(fingerprint({ grouping: ["{{default}}"] })).toBe(fingerprint());
    expect(fingerprint({ grouping: ["{{ default }} x"] })).not.toBe(fingerprint());
    expect(fingerprint({ grouping: ["a"], type: "X", message: "y" })).toBe(fingerprint({ grouping: ["a"] }));
    expect(fingerprint({ grouping: ["a", "{{ default }}"], type: "X" })).not.toBe(
      fingerprint({ grouping: ["a", "{{ default }}"] }),
    );
    expect(fingerprint()).toMatch(/^err_[0-9a-f]{24}$/);
  });
});
