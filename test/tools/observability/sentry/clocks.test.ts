import { expect, it } from "vitest";
import { fakeClock } from "../../../support/clock.ts";
import { sendReport, startReporting } from "../reporting.ts";

const DAY = 86_400_000;

it.each([
  ["short", 1],
  ["long", 20_000],
])(
  "an event that is %s happened when it did, though the clock of its sender is two days slow",
  async (_, values) => {
    const clock = fakeClock();
    const app = await startReporting({ clock });
    const place = await app.placeOf();
    const slow = clock.now() - 2 * DAY;
    const event = {
      message: "stock is low",
      timestamp: (slow - 1000) / 1000,
      extra: Object.fromEntries(Array.from({ length: values }, (_, at) => [`k${at}`, at])),
    };
    const header = { sent_at: new Date(slow).toISOString() };
    const body = `${JSON.stringify(header)}\n{"type":"event"}\n${JSON.stringify(event)}`;
    expect((await sendReport(app.url, place, body)).status).toBe(200);
    const [error] = await app.errors();
    expect(clock.now() - Date.parse(error.lastSeenAt)).toBe(1000);
  },
);
