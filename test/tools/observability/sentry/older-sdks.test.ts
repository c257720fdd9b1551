import { deflateSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { readStoredEvent } from "../../../../src/tools/observability/sentry/envelope.ts";
import { toldBy } from "../../../../src/tools/observability/sentry/event.ts";
import { startReporting, thrown } from "../reporting.ts";

const NOW = Date.UTC(2026, 0, 15);
const packed = (event: object) => deflateSync(JSON.stringify(event)).toString("base64");

async function stored(...pieces: string[]) {
  return readStoredEvent(
    (async function* () {
      for (const piece of pieces) yield Buffer.from(piece);
    })(),
  );
}

describe("an event of a first-generation SDK", () => {
  it("is taken where it is packed by zlib in Base64, which no header says", async () => {
    const app = await startReporting();
    const { number, key } = await app.placeOf();
    const answer = await app.request("POST", `/api/${number}/store/`, {
      key: null,
      raw: packed({
        ...thrown("TypeError", "broken", ["main"]),
        event_id: "0123456789abcdef0123456789abcdef",
      }),
      headers: {
        "Content-Type": "application/octet-stream",
        "X-Sentry-Auth": `Sentry sentry_version=5, sentry_timestamp=1, sentry_client=old, sentry_key=${key}, sentry_secret=x`,
      },
    });
    expect(answer.text).toBe('{"id":"0123456789abcdef0123456789abcdef"}');
    expect(await app.errors()).toMatchObject([{ type: "TypeError", count: 1 }]);
  });

  it("is refused where it does not unpack, or is longer than 2 MiB then", async () => {
    const [long, whole] = [{ message: "x".repeat(2 * 1024 * 1024) }, packed({ message: "m" })];
    expect((await stored(whole.slice(0, 9), whole.slice(9))).events[0]?.json.toString()).toBe(
      '{"message":"m"}',
    );
    await expect(stored(packed(long))).rejects.toMatchObject({ error: "payload_too_large" });
    await expect(stored("eJwrong")).rejects.toMatchObject({ error: "invalid_request" });
  });

  it("has the stack of its message beside it", () => {
    const stacktrace = { frames: [{ function: "main" }, { function: "stock" }] };
    expect(toldBy({ message: "low", stacktrace }, NOW)).toMatchObject({
      type: "Message",
      frames: [{ function: "stock" }, { function: "main" }],
    });
  });

  describe("with a time of no zone", () => {
    afterEach(() => vi.unstubAllEnvs());

    it.each(["America/New_York", "Asia/Tokyo"])("happened then in UTC, also on a server in %s", (zone) => {
      vi.stubEnv("TZ", zone);
      for (const timestamp of [
        "2026-01-14T23:00:00",
        "2026-01-14T23:00:00.000",
        "2026-01-15T08:00:00+09:00",
      ]) {
        expect(toldBy({ timestamp }, NOW).at).toBe(NOW - 3_600_000);
      }
    });
  });
});

describe("a message", () => {
  it.each([
    ["order %s failed for %s", [17, "ann"], "order 17 failed for ann"],
    ["order %(id)d failed for %(who)s", { id: 17, who: "ann" }, "order 17 failed for ann"],
    ["order {} failed for {who}", [17, "ann"], "order 17 failed for ann"],
    ["order {0} failed for %s, %s", [17], "order 17 failed for %s, %s"],
    ["order %s failed", [null], "order %s failed"],
    ["all of 100% failed", [], "all of 100% failed"],
  ])("that comes without its values put in is shown with them: %j", (message, params, expected) => {
    expect(toldBy({ logentry: { message, params } }, NOW).message).toBe(expected);
  });

  it("is cut where its template names a long value often", () => {
    const params = { a: "x".repeat(1_000_000) };
    const { message } = toldBy({ logentry: { message: "%(a)s ".repeat(100_000), params } }, NOW);
    expect(message.length).toBeLessThan(4_000_000);
  });

  it("is one also where its stack comes as that of an exception without a type", () => {
    const stacktrace = { frames: [{ function: "stock" }] };
    expect(toldBy({ message: "low", exception: [{ value: "low", stacktrace }] }, NOW)).toMatchObject({
      type: "Message",
      message: "low",
      frames: [{ function: "stock" }],
    });
  });

  it("has the stack of the thread that crashed, else of the current one", () => {
    const thread = (name: string, more: object) => ({
      stacktrace: { frames: [{ function: name }] },
      ...more,
    });
    const innermost = (...values: object[]) => toldBy({ threads: { values } }, NOW).frames[0]?.function;
    const [idle, current, crashed] = [
      thread("idle", { id: 1 }),
      thread("current", { id: 2, current: true }),
      thread("crashed", { id: 3, crashed: true }),
    ];
    expect(innermost(idle, current, crashed)).toBe("crashed");
    expect(innermost(idle, current)).toBe("current");
    expect(innermost(idle)).toBe("idle");
  });
});
