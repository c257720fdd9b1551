import { describe, expect, it } from "vitest";
import { fakeClock } from "../../support/clock.ts";
import { startReporting, thrown } from "./reporting.ts";

const DAY = 24 * 60 * 60 * 1000;
const ERRORS = "/api/v1/tools/observability/errors";

describe("reported errors", () => {
  it("are grouped by type, message and calls, ignoring numbers, ids and quoted names in the message", async () => {
    const app = await startReporting();
    const place = await app.placeOf();
    const messages = [
      "order 17 of user usr_01m7z59p0f0wm8w0dr7se0d267 has no 'colour'",
      "order 4242 of user usr_01m7z59p3aezw5c1b7kyp0316p has no 'size'",
      "order 5 of user usr_01m7z59p516byxv804kphz9hjp has no 'weight'",
    ];
    for (const message of messages) await app.report(place, thrown("RangeError", message, ["main", "load"]));
    const others = [
      thrown("TypeError", messages[0] as string, ["main", "load"]),
      thrown("RangeError", "another thing altogether", ["main", "load"]),
      thrown("RangeError", messages[0] as string, ["main", "save"]),
    ];
    for (const event of others) await app.report(place, event);
    const errors = await app.errors();
    expect(errors.map(({ count }) => count)).toEqual([1, 1, 1, 3]);
    expect(errors[3].message).toBe(messages[2]);
  });

  it.each([
    ["addresses in memory", "no page at 0x7ffe12", "no page at 0xdeadbeef"],
    ["signs", "index -5 out of range", "index 7 out of range"],
    ["fractions", "took 1.5 s", "took 12 s"],
    ["thousands", "limit 1,234 exceeded", "limit 12 exceeded"],
    ["times", "no slot at 2026-01-01T10:00:00Z", "no slot at 2026-02-03T11:12:13.123Z"],
    ["short ids with a prefix", "no customer cus_NffrFeUfNV2Hib", "no customer cus_9s6XKzkNRiz8i3"],
    ["curly quotes", "user “anna” is unknown", "user “bob” is unknown"],
    ["low quotes", "Kunde „Anna“ fehlt", "Kunde „Bo“ fehlt"],
    [
      "paths of a URL",
      "404 Client Error: Not Found for url: https://api.example.com/users/bob?tab=keys",
      "404 Client Error: Not Found for url: https://api.example.com/users/ada@example.com/orders",
    ],
    [
      "paths of a request",
      "Max retries exceeded with url: /users/bob (Caused by a timeout)",
      "Max retries exceeded with url: /users/ada/keys (Caused by a timeout)",
    ],
    [
      "files",
      "open /home/bob/.forge/config: no such file or directory",
      "open /Users/ada/.forge/config: no such file or directory",
    ],
    ["files on Windows", "cannot read C:\\Users\\bob\\forge.json", "cannot read D:\\work\\forge.json"],
    ["guillemets", "client « Anna » inconnu", "client « Bo » inconnu"],
  ])("are grouped whatever %s they have", async (_, ...messages) => {
    const app = await startReporting();
    const place = await app.placeOf();
    for (const message of messages) await app.report(place, thrown("E", message, ["main"]));
    expect((await app.errors()).map(({ count }) => count)).toEqual([2]);
  });

  it("are told apart by names, words joined by a hyphen, and constants", async () => {
    const app = await startReporting();
    const place = await app.placeOf();
    const messages = ["no max_connections", "no max_retriesAllowed", "bad utf-8", "bad latin", "no DB_HOST"];
    for (const message of messages) await app.report(place, thrown("E", message, ["main"]));
    expect((await app.errors()).map(({ count }) => count)).toEqual([1, 1, 1, 1, 1]);
  });

  it("are told apart by the host of a URL, by words with a slash, and by paths where no calls are known", async () => {
    const app = await startReporting();
    const place = await app.placeOf();
    const messages = ["no answer of https://a.example/x", "no answer of https://b.example/x"];
    messages.push(
      "no and/or",
      "no either/or",
      "no text/html",
      "no text/plain",
      "no / here",
      "no /login here",
    );
    for (const message of messages) await app.report(place, thrown("E", message, ["main"]));
    for (const message of ["POST /api/checkout failed", "POST /api/login failed"]) {
      await app.report(place, { message });
    }
    expect((await app.errors()).map(({ count }) => count)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
  });

  it("are grouped by the fingerprint of their program, alone or combined with {{ default }}", async () => {
    const app = await startReporting();
    const place = await app.placeOf();
    const [one, two] = [thrown("A", "one"), thrown("B", "two")];
    for (const event of [one, two]) await app.report(place, { ...event, fingerprint: ["checkout"] });
    for (const event of [one, two]) {
      await app.report(place, { ...event, fingerprint: ["{{ default }}", "eu"] });
    }
    const counts = (await app.errors()).map(({ type, count }) => `${type} ${count}`);
    expect(counts.sort()).toEqual(["A 1", "B 1", "B 2"]);
  });

  it("keep first and last times and the latest route if reports arrive out of order", async () => {
    const clock = fakeClock();
    const app = await startReporting({ clock });
    const place = await app.placeOf();
    const now = clock.now() / 1000;
    for (const [at, release] of [
      [now - 100, "1"],
      [now - 10, "2"],
      [now - 50, "3"],
    ] as const) {
      await app.report(place, {
        ...thrown("Error", "broken"),
        timestamp: at,
        transaction: `route ${release}`,
      });
    }
    expect(await app.errors()).toMatchObject([
      {
        count: 3,
        firstSeenAt: new Date((now - 100) * 1000).toISOString(),
        lastSeenAt: new Date((now - 10) * 1000).toISOString(),
        route: "route 2",
      },
    ]);
  });

  it("are listed newest first, page by page and since a given time", async () => {
    const clock = fakeClock();
    const app = await startReporting({ clock });
    const place = await app.placeOf();
    const names = ["alpha", "beta", "gamma", "delta", "epsilon"];
    const times: string[] = [];
    for (const name of names) {
      await app.report(place, thrown("Error", name));
      times.push(new Date(clock.now()).toISOString());
      clock.advance(60_000);
    }
    await app.report(place, thrown("Error", "alpha"));
    const newestFirst = ["alpha", "epsilon", "delta", "gamma", "beta"];
    const messages = (items: { message: string }[]) => items.map(({ message }) => message);
    expect(messages(await app.errors())).toEqual(newestFirst);
    expect(messages(await app.errors(`since=${times[3]}`))).toEqual(["alpha", "epsilon", "delta"]);
    expect(messages(await app.errors("since=2026-01-15"))).toEqual(newestFirst);
    expect(await app.errors("since=2026-01-16")).toEqual([]);
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const query = new URLSearchParams({ limit: "2", ...(cursor !== undefined && { cursor }) });
      const { body } = await app.request("GET", `${ERRORS}?${query}`);
      pages.push(messages(body.items));
      cursor = body.nextCursor;
    } while (cursor !== undefined);
    expect(pages).toEqual([["alpha", "epsilon"], ["delta", "gamma"], ["beta"]]);
    for (const query of ["since=yesterday", "limit=0", "limit=201", "sinse=1"]) {
      expect((await app.request("GET", `${ERRORS}?${query}`)).status, query).toBe(400);
    }
  });

  it("expire 30 days after they were last seen", async () => {
    const clock = fakeClock();
    const app = await startReporting({ clock });
    const place = await app.placeOf();
    await app.report(place, thrown("Error", "once"));
    await app.report(place, thrown("Error", "again"));
    clock.advance(29 * DAY);
    await app.report(place, thrown("Error", "again"));
    clock.advance(2 * DAY);
    expect(await app.errors()).toMatchObject([{ message: "again", count: 2 }]);
    clock.advance(29 * DAY);
    expect(await app.errors()).toEqual([]);
  });

  it("are limited to the latest 1,000 of a project", async () => {
    const clock = fakeClock();
    const app = await startReporting({ clock });
    const place = await app.placeOf();
    const word = (index: number) => `a${index}`.replace(/\d/g, (digit) => "qwertzuiop"[Number(digit)] ?? "");
    for (let index = 0; index < 1005; index++) {
      if (index % 500 === 0) clock.advance(60_000);
      clock.advance(1);
      const { status } = await app.report(place, thrown("Error", word(index)));
      if (status !== 200) throw new Error(`${index}: ${status}`);
    }
    const found = new Set<string>();
    let cursor = "";
    do {
      const { body } = await app.request("GET", `${ERRORS}?limit=200${cursor}`);
      for (const { message } of body.items) found.add(message);
      cursor = body.nextCursor ? `&cursor=${encodeURIComponent(body.nextCursor)}` : "";
    } while (cursor);
    expect(found.size).toBe(1000);
    expect(found.has(word(4))).toBe(false);
    expect(found.has(word(5))).toBe(true);
    expect(found.has(word(1004))).toBe(true);
  });

  it("are visible in their own project and account only", async () => {
    const app = await startReporting();
    const other = await app.account("team");
    await app.report(await app.placeOf(), thrown("Error", "mine"));
    await app.report(await app.placeOf({ key: other.token }), thrown("Error", "theirs"));
    const messages = async (options: object) => (await app.errors("", options)).map(({ message }) => message);
    expect(await messages({})).toEqual(["mine"]);
    expect(await messages({ key: other.token })).toEqual(["theirs"]);
    expect(await messages({ headers: { "X-Project-Id": "another" } })).toEqual([]);
    expect((await app.request("GET", ERRORS, { key: null })).status).toBe(401);
    expect(await messages({ key: await app.key(["read"]) })).toEqual(["mine"]);
  });

  it("contain no secrets and no e-mail addresses in any field", async () => {
    const app = await startReporting();
    const place = await app.placeOf();
    const secrets = {
      key: await app.key(["read"]),
      github: `ghp_${"a1B2".repeat(9)}`,
      password: "correcthorse",
      mail: "jo.doe+shop@mail.example.com",
      cookie: "tse_abcdef",
      url: "swordfish",
    };
    const text = `failed for ${secrets.mail} with ${secrets.key}, token=${secrets.github}, "password":"${secrets.password}",
Cookie: sid=${secrets.cookie}
at postgres://app:${secrets.url}@db.internal/app?password=${secrets.password}`;
    await app.report(place, {
      exception: {
        values: [
          {
            type: `Error ${secrets.github}`,
            value: text,
            stacktrace: { frames: [{ function: text, filename: text, in_app: true }] },
          },
        ],
      },
      transaction: `GET /reset?token=${secrets.password}&mail=${secrets.mail}`,
      request: { url: `https://shop.example/?password=${secrets.password}` },
      user: { email: secrets.mail },
    });
    const { text: shown } = await app.request("GET", ERRORS);
    expect(JSON.parse(shown).items).toHaveLength(1);
    for (const [name, secret] of Object.entries(secrets)) expect(shown, name).not.toContain(secret);
    expect(shown).toContain("db.internal");
  });

  it("have type, message, stack and route truncated to their maximum lengths", async () => {
    const app = await startReporting();
    const place = await app.placeOf();
    const frames = Array.from({ length: 500 }, (_, index) => ({
      function: `f${index}`,
      filename: "x".repeat(500),
    }));
    const event = {
      exception: { values: [{ type: "T".repeat(5000), value: "v".repeat(50_000), stacktrace: { frames } }] },
      transaction: "r".repeat(5000),
    };
    expect((await app.report(place, event)).status).toBe(200);
    const [{ type, message, stack, route }] = await app.errors();
    expect([type.length, message.length, stack.length, route.length]).toEqual([200, 2000, 8000, 300]);
  });
});
