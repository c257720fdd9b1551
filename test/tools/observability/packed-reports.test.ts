import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { openConnection } from "../../hardness/raw-connection.ts";
import { fakeClock } from "../../support/clock.ts";
import { envelopeOf, sendReport, startReporting, thrown } from "./reporting.ts";

const EVENT = thrown("TypeError", "x is not a function", ["main", "run"]);

describe("compressed reports", () => {
  it("are refused with 413 and bounded memory if they unpack beyond the limit", async () => {
    const app = await startReporting();
    const place = await app.placeOf();
    const head = Buffer.from('{}\n{"type":"attachment"}\n');
    const bomb = gzipSync(Buffer.concat([head, Buffer.alloc(256 * 1024 * 1024)]));
    expect(bomb.length).toBeLessThan(300 * 1024);
    const before = process.memoryUsage.rss();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => sendReport(app.url, place, bomb, { "Content-Encoding": "gzip" })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(413));
    expect(process.memoryUsage.rss() - before).toBeLessThan(256 * 1024 * 1024);
    expect((await app.report(place, EVENT)).status).toBe(200);
  });

  it("that arrive slowly do not delay those of another account, and time out with 408 after ten seconds", async () => {
    const clock = fakeClock();
    const app = await startReporting({ clock });
    const place = await app.placeOf();
    const { token } = await app.account("pro");
    const other = await app.placeOf({ key: token });
    const packed = gzipSync(Buffer.from(envelopeOf(EVENT)));
    const head = `POST /api/${place.number}/envelope/?sentry_key=${place.key} HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`;
    const slow = await Promise.all(Array.from({ length: 6 }, () => openConnection(app.url)));
    const begun = clock.now();
    for (const { send } of slow) {
      send(head);
      send(packed.subarray(0, 20));
    }
    const headers = { "Content-Encoding": "gzip" };
    for (let count = 0; count < 5; count++) {
      expect((await sendReport(app.url, other, packed, headers)).status).toBe(200);
    }
    const waiting = sendReport(app.url, place, packed, headers);
    const answers = Promise.all(
      slow.map(async ({ answers }) => {
        const [answer] = await answers(1);
        return { status: answer?.status, isEarly: clock.now() - begun < 10_000 };
      }),
    );
    // Advances slowly enough that a request that is being sent arrives in time.
    const ticking = setInterval(() => clock.advance(500), 20);
    onTestFinished(() => clearInterval(ticking));
    expect((await waiting).status).toBe(200);
    expect(await answers).toEqual(Array(6).fill({ status: 408, isEarly: false }));
  });

  it("that arrive slowly from several accounts do not delay a report that is sent whole", async () => {
    // The clock is stopped, so nothing times out.
    const app = await startReporting({ clock: fakeClock() });
    const packed = gzipSync(Buffer.from(envelopeOf(EVENT)));
    for (let sender = 0; sender < 4; sender++) {
      const { token } = await app.account("pro");
      const place = await app.placeOf({ key: token });
      const head = `POST /api/${place.number}/envelope/?sentry_key=${place.key} HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`;
      for (const { send } of await Promise.all(Array.from({ length: 3 }, () => openConnection(app.url)))) {
        send(head);
        send(packed.subarray(0, 20));
      }
    }
    const own = await app.placeOf();
    expect((await sendReport(app.url, own, packed, { "Content-Encoding": "gzip" })).status).toBe(200);
  });

  it("whose senders disconnected do not delay later reports", async () => {
    // The clock is stopped, so nothing times out.
    const app = await startReporting({ clock: fakeClock() });
    const place = await app.placeOf();
    const packed = gzipSync(Buffer.from(envelopeOf(EVENT)));
    const head = `POST /api/${place.number}/envelope/?sentry_key=${place.key} HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`;
    const slow = await Promise.all(Array.from({ length: 60 }, () => openConnection(app.url)));
    for (const { send } of slow) {
      send(head);
      send(packed.subarray(0, 20));
    }
    const left = async () => {
      const { headers } = await sendReport(app.url, place, envelopeOf(EVENT));
      return Number(headers.get("x-ratelimit-remaining"));
    };
    await expect.poll(left).toBeLessThan(540);
    for (const { socket } of slow) socket.destroy();
    expect((await sendReport(app.url, place, packed, { "Content-Encoding": "gzip" })).status).toBe(200);
  });
});
