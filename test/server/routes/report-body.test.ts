import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { createReportBodies } from "../../../src/server/routes/report-body.ts";
import { fakeClock } from "../../support/clock.ts";

it.each([
  ["short", 20],
  ["long", 128 * 1024],
])("a %s packed report whose rest does not arrive is refused after ten seconds", async (_, bytes) => {
  const clock = fakeClock();
  const readBody = createReportBodies(clock);
  const request = Object.assign(new PassThrough(), { headers: { "content-encoding": "gzip" } });
  let refused: unknown;
  readBody(request as unknown as IncomingMessage, { maxBytes: 1024 * 1024, sender: "acc" }, async (body) => {
    for await (const _ of body);
  }).catch((error: unknown) => {
    refused = error;
  });
  // The header of gzip, and a stored block that is longer than what arrives of it.
  const begin = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0, 0xff, 0xff, 0, 0]);
  request.write(Buffer.concat([begin, Buffer.alloc(bytes)]).subarray(0, bytes));
  await setImmediate();
  clock.advance(9_999);
  await setImmediate();
  expect(refused).toBeUndefined();
  clock.advance(1);
  await setImmediate();
  expect(refused).toMatchObject({ error: "request_timeout", detail: expect.stringContaining("10 s") });
});
