import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { fakeClock } from "../../support/clock.ts";
import { envelopeOf, expectForBrowsers, sendReport, startReporting, thrown } from "./reporting.ts";

const EVENT = thrown("TypeError", "x is not a function", ["main", "run"]);

describe("a reported error", () => {
  it("is listed with its stack, route and trace, and answered with its event id", async () => {
    const app = await startReporting();
    const place = await app.placeOf();
    const answer = await app.report(place, {
      ...EVENT,
      timestamp: Date.now() / 1000 - 60,
      transaction: "GET /basket/:id",
      contexts: { trace: { trace_id: "0af7651916cd43dd8448eb211c80319c" } },
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ id: "0123456789abcdef0123456789abcdef" });
    expectForBrowsers(answer);
    const [error, ...others] = await app.errors();
    expect(others).toEqual([]);
    expect(error).toEqual({
      fingerprint: expect.stringMatching(/^err_[0-9a-f]{24}$/),
      type: "TypeError",
      message: "x is not a function",
      count: 1,
      firstSeenAt: expect.any(String),
      lastSeenAt: error.firstSeenAt,
      source: "client",
      state: "open",
      daily: { from: expect.any(String), counts: expect.arrayContaining([1]) },
      route: "GET /basket/:id",
      stack: "TypeError: x is not a function\n    at run (src/run.js:3)\n    at main (src/main.js:3)",
      traceId: "0af7651916cd43dd8448eb211c80319c",
    });
    expect(Date.now() - Date.parse(error.lastSeenAt)).toBeGreaterThan(59_000);
  });

  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["deflate", deflateRawSync],
    ["br", brotliCompressSync],
  ])("is accepted with Content-Encoding %s", async (encoding, pack) => {
    const app = await startReporting();
    const place = await app.placeOf();
    const headers = { "Content-Encoding": encoding };
    const answer = await sendReport(app.url, place, pack(Buffer.from(envelopeOf(EVENT))), headers);
    expect(answer.status, await answer.text()).toBe(200);
    expect(await app.errors()).toHaveLength(1);
  });

  it("is accepted with its key in the query, in a header or in the envelope", async () => {
    const app = await startReporting();
    const place = await app.placeOf();
    const path = `/api/${place.number}/envelope/`;
    const enclosed = `{"dsn":"${place.dsn}"}\n{"type":"event"}\n${JSON.stringify(EVENT)}`;
    const answers = [
      await sendReport(app.url, place, envelopeOf(EVENT)),
      await app.report(place, EVENT),
      await app.request("POST", path, { key: null, raw: enclosed }),
      await app.request("POST", path, {
        key: null,
        raw: envelopeOf(EVENT),
        headers: { Authorization: `Sentry sentry_key=${place.key}` },
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await app.errors())[0].count).toBe(4);
  });

  it("is accepted by the older store endpoint as a single event", async () => {
    const app = await startReporting();
    const { number, key } = await app.placeOf();
    const path = `/api/${number}/store/?sentry_key=${key}`;
    const answer = await app.request("POST", path, { key: null, raw: JSON.stringify(EVENT) });
    expect(answer.status).toBe(200);
    expect(await app.errors()).toMatchObject([{ type: "TypeError", count: 1 }]);
  });

  it("is found among sessions, transactions, client reports and attachments", async () => {
    const app = await startReporting();
    const place = await app.placeOf();
    const items = [
      '{"type":"session"}\n{"sid":"1"}',
      '{"type":"client_report"}\n{"discarded_events":[]}',
      '{"type":"attachment","length":11,"filename":"a.bin"}\n{"a"\n\n\0\xff"}'.replace("\xff", "."),
      `{"type":"event"}\n${JSON.stringify(EVENT)}`,
      '{"type":"transaction"}\n{"transaction":"GET /","spans":[]}',
      '{"type":"somebody\'s invention","length":0}\n',
    ];
    const answer = await sendReport(app.url, place, `{}\n${items.join("\n")}`);
    expect(answer.status, await answer.text()).toBe(200);
    expect(await app.errors()).toMatchObject([{ type: "TypeError", count: 1 }]);
    expect((await sendReport(app.url, place, `{}\n${items[0]}`)).status).toBe(200);
    expect(await app.errors()).toHaveLength(1);
  });

  it("is refused with 400 and the offset if the envelope is malformed", async () => {
    const app = await startReporting();
    const place = await app.placeOf();
    for (const [body, detail] of [
      ["", "byte 0"],
      ["nonsense", "byte 0"],
      ["{}\n[]", "byte 3"],
      ['{}\n{"type":"event","length":99}\n{}', "99 bytes"],
      ['{}\n{"type":"event","length":-1}\n{}', "-1 bytes"],
      ['{}\n{"type":"event"}\nnull', "byte 3"],
      [`{}\n${"\n".repeat(1_000_000)}`, "after 500 items"],
      [`{"a":"${"x".repeat(20_000)}"}\n`, "longer than 16384 bytes"],
    ] as const) {
      const answer = await sendReport(app.url, place, body);
      expect(answer.status, body).toBe(400);
      expect(((await answer.json()) as { detail: string }).detail).toContain(detail);
    }
    const unpacked = await sendReport(app.url, place, "{}", { "Content-Encoding": "gzip" });
    expect(unpacked.status).toBe(400);
    const unknown = await sendReport(app.url, place, "{}", { "Content-Encoding": "compress" });
    expect(unknown.status).toBe(415);
    expectForBrowsers(unknown);
  });

  it.each([
    ["nothing at all", {}],
    [
      "members of other types",
      { exception: 5, message: [], fingerprint: "x", timestamp: {}, contexts: null },
    ],
    ["null for everything", { exception: { values: [null] }, request: null, threads: null, level: null }],
  ])("is recorded as an empty message from an event with %s", async (_, event) => {
    const app = await startReporting();
    expect((await app.report(await app.placeOf(), event)).status).toBe(200);
    expect(await app.errors()).toMatchObject([{ type: "Message", message: "", count: 1 }]);
  });
});

describe("error reports", () => {
  it("are allowed from any origin by a CORS preflight", async () => {
    const app = await startReporting();
    const place = await app.placeOf();
    for (const kind of ["envelope", "store"]) {
      const preflight = await app.request("OPTIONS", `/api/${place.number}/${kind}/`, {
        key: null,
        headers: { Origin: "https://shop.example", "Access-Control-Request-Method": "POST" },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get("access-control-allow-methods")).toBe("POST");
      expect(preflight.headers.get("access-control-allow-headers")).toContain("X-Sentry-Auth");
      expectForBrowsers(preflight);
    }
    const read = await app.request("GET", `/api/${place.number}/envelope/`, { key: null });
    expect(read.status).toBe(405);
    expect(read.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("are limited to 600 a minute per project, with Retry-After and X-Sentry-Rate-Limits", async () => {
    const app = await startReporting({ clock: fakeClock() });
    const place = await app.placeOf();
    const other = await app.placeOf({ headers: { "X-Project-Id": "other" } });
    const statuses = [];
    for (let batch = 0; batch < 24; batch++) {
      const answers = await Promise.all(Array.from({ length: 25 }, () => app.report(place, EVENT)));
      statuses.push(...answers.map(({ status }) => status));
    }
    expect(statuses).toEqual(Array(600).fill(200));
    const refused = await app.report(place, EVENT);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect(refused.headers.get("x-sentry-rate-limits")).toBe("60::key");
    expectForBrowsers(refused);
    expect((await app.report(other, EVENT)).status).toBe(200);
    expect((await app.request("GET", "/api/v1/account")).status).toBe(200);
    expect((await app.errors())[0].count).toBe(600);
  });

  it("are answered with what SDKs shall leave out, since it is not kept and would use up the limit", async () => {
    const app = await startReporting();
    const { headers } = await app.report(await app.placeOf(), EVENT);
    const [seconds, categories, scope] = headers.get("x-sentry-rate-limits")?.split(":") ?? [];
    expect([seconds, scope]).toEqual(["3600", "organization"]);
    expect(categories?.split(";")).toEqual(expect.arrayContaining(["transaction", "session", "replay"]));
    expect(categories?.split(";")).toEqual(expect.not.arrayContaining(["error", "default", ""]));
  });

  it("with wrong keys count towards the limit of their address, not of the project", async () => {
    const app = await startReporting({ clock: fakeClock() });
    const place = await app.placeOf();
    const wrong = { ...place, key: "f".repeat(32) };
    const answers = await Promise.all(Array.from({ length: 61 }, () => app.report(wrong, EVENT)));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
    expect((await app.report(place, EVENT)).status).toBe(200);
  });

  it("are refused if the body, an event or the number of events is too large", async () => {
    const app = await startReporting();
    const place = await app.placeOf();
    const long = await sendReport(app.url, place, Buffer.alloc(20 * 1024 * 1024 + 1)).catch(() => undefined);
    if (long) expect(long.status).toBe(413);
    const stranger = await sendReport(app.url, { ...place, key: "" }, Buffer.alloc(64 * 1024 + 1)).catch(
      () => undefined,
    );
    if (stranger) expect(stranger.status).toBeGreaterThanOrEqual(403);
    const event = await app.report(place, { message: "x".repeat(2 * 1024 * 1024) });
    expect(event.status).toBe(413);
    const many = `{}\n${`{"type":"event"}\n${JSON.stringify(EVENT)}\n`.repeat(11)}`;
    expect((await sendReport(app.url, place, many)).status).toBe(413);
    expect(await app.errors()).toEqual([]);
  });

  it("are refused with more than 100,000 values or 64 levels of nesting", async () => {
    const app = await startReporting();
    const place = await app.placeOf();
    const wide = (values: number) => ({ ...EVENT, extra: { list: Array(values).fill(1) } });
    const deep = (levels: number) => {
      let extra: object = {};
      for (let level = 2; level < levels; level++) extra = { extra };
      return { message: "deep", extra };
    };
    const statuses = [];
    for (const event of [wide(99_900), wide(100_001), deep(64), deep(65)]) {
      statuses.push((await app.report(place, event)).status);
    }
    expect(statuses).toEqual([200, 413, 200, 400]);
    const objects = `{"extra":[${Array(50_000).fill("[{}]").join(",")}]}`;
    const brackets = `{"extra":${"[".repeat(1_000_000)}`;
    for (const [json, status] of [
      [objects, 413],
      [brackets, 400],
    ] as const) {
      const answer = await sendReport(app.url, place, gzipSync(`{}\n{"type":"event"}\n${json}`), {
        "Content-Encoding": "gzip",
      });
      expect(answer.status).toBe(status);
      expect(((await answer.json()) as { detail: string }).detail).toContain("The event at byte 3");
    }
    expect(await app.errors()).toHaveLength(2);
  });

  it("that are long enough for a worker are grouped, refused and answered like short ones", async () => {
    const app = await startReporting();
    const place = await app.placeOf();
    const long = {
      ...EVENT,
      extra: Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, n])),
    };
    expect((await app.report(place, EVENT)).status).toBe(200);
    expect((await app.report(place, long)).status).toBe(200);
    expect(await app.errors()).toMatchObject([{ type: "TypeError", count: 2 }]);
    const broken = `{}\n{"type":"event"}\n${JSON.stringify(long).slice(0, -1)}`;
    expect((await sendReport(app.url, place, broken)).status).toBe(400);
    const path = `/api/${place.number}/store/?sentry_key=${place.key}`;
    const id = "0123456789abcdef0123456789abcdef";
    for (const event of [EVENT, long]) {
      const raw = JSON.stringify({ ...event, event_id: id });
      expect((await app.request("POST", path, { key: null, raw })).body).toEqual({ id });
    }
  });

  it("with the key in the envelope count towards the limits of their address and project", async () => {
    const app = await startReporting({ clock: fakeClock() });
    const place = await app.placeOf();
    const raw = `{"dsn":"${place.dsn}"}\n{"type":"event"}\n${JSON.stringify(EVENT)}`;
    const send = () => app.request("POST", `/api/${place.number}/envelope/`, { key: null, raw });
    const first = await send();
    expect(first.headers.get("ratelimit-policy")).toContain('"observability.report";q=600;w=60');
    for (let count = 0; count < 59; count++) expect((await send()).status).toBe(200);
    const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024));
    const refused = await fetch(`${app.url}/api/${place.number}/envelope/`, {
      method: "POST",
      body: bomb,
      headers: { "Content-Encoding": "gzip" },
    });
    expect(refused.status).toBe(429);
    expect((await app.report(place, EVENT)).headers.get("x-ratelimit-remaining")).toBe("539");
  });

  it("announce the limit for all projects of an account in RateLimit-Policy", async () => {
    const app = await startReporting({ clock: fakeClock() });
    const place = await app.placeOf();
    const { headers } = await app.report(place, EVENT);
    expect(headers.get("ratelimit-policy")).toBe(
      '"observability.report";q=600;w=60, "observability.report.account";q=6000;w=60',
    );
  });
});
