import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { createReportBodies } from "../../../src/server/routes/report-body.ts";
import { fakeClock } from "../../support/clock.ts";

it.each([
  { bytes: 20, limited: 1 },
  // Its beginning and its rest are limited one after the other.
  { bytes: 128 * 1024, limited: 2 },
])(
  "a packed report that stops after $bytes bytes is refused after ten seconds",
  async ({ bytes, limited }) => {
    const clock = fakeClock();
    let limits = 0;
    const readBody = createReportBodies({
      ...clock,
      sleep: (ms, signal) => {
        limits++;
        return clock.sleep(ms, signal);
      },
    });
    const request = Object.assign(new PassThrough(), { headers: { "content-encoding": "gzip" } });
    let refused: unknown;
    readBody(
      request as unknown as IncomingMessage,
      { maxBytes: 1024 * 1024, sender: "acc" },
      async (body) => {
        for await (const _ of body);
      },
    ).catch((error: unknown) => {
      refused = error;
    });
    request.write(gzipSync(randomBytes(2 * bytes)).subarray(0, bytes));
    await expect.poll(() => limits).toBe(limited);
    clock.advance(9_999);
    await setImmediate();
    expect(refused).toBeUndefined();
    clock.advance(1);
    await setImmediate();
    expect(refused).toMatchObject({ error: "request_timeout" });
  },
);
