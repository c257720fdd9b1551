import { describe, expect, it } from "vitest";
import { createHourly } from "../../../src/accounts/sign-in/hourly.ts";

import { fakeClock } from "../../support/clock.ts";
import { openTestStore } from "../../support/store.ts";
import { HOUR, MINUTE, problem } from "../fixture.ts";

const NOON = Date.UTC(2026, 0, 15, 12);

async function counting() {
  const clock = fakeClock(NOON);
  const store = await openTestStore({ clock });
  const hourly = (purpose: string) => createHourly({ store, clock, purpose });
  return { clock, store, hourly, ...hourly("letters") };
}

describe("hourly limits", () => {
  it("count all subjects of an action, or none if one of them is used up", async () => {
    const { take } = await counting();
    const both = { ann: 2, all: 3 };
    for (const admitted of [true, true, false, false]) expect((await take(both)).admitted).toBe(admitted);
    expect((await take({ all: 3 })).admitted).toBe(true);
    expect((await take({ all: 3 })).admitted).toBe(false);
    expect((await take({ bob: 2, all: 3 })).admitted).toBe(false);
    expect((await take({ bob: 1 })).admitted).toBe(true);
  });

  it("count each purpose separately and start again an hour later", async () => {
    const { clock, hourly } = await counting();
    const [letters, keys] = [hourly("letters"), hourly("keys")];
    const take = async () => [
      (await letters.take({ ann: 1 })).admitted,
      (await keys.take({ ann: 1 })).admitted,
    ];
    expect(await take()).toEqual([true, true]);
    expect(await take()).toEqual([false, false]);
    clock.advance(HOUR - 1);
    expect(await take()).toEqual([false, false]);
    clock.advance(1);
    expect(await take()).toEqual([true, true]);
  });

  it("come back evenly within the hour if they are of the kind bucket", async () => {
    const { clock, store } = await counting();
    const links = createHourly({ store, clock, purpose: "links", kind: "bucket" });
    const take = async () => (await links.take({ ann: 6 })).admitted;
    for (let index = 0; index < 6; index++) expect(await take()).toBe(true);
    clock.advance(10 * MINUTE - 1);
    expect(await take()).toBe(false);
    clock.advance(1);
    expect([await take(), await take()]).toEqual([true, false]);
  });

  it("refuse with the remaining wait in Retry-After, rounded up to seconds", async () => {
    const { clock, takeOrRefuse } = await counting();
    await takeOrRefuse({ ann: 1 }, "Too many.");
    clock.advance(MINUTE - 1500);
    await expect(takeOrRefuse({ ann: 1, bob: 9 }, "Too many.")).rejects.toMatchObject({
      ...problem("rate_limited"),
      detail: "Too many. Try again in 60 min.",
      extras: {
        headers: { "Retry-After": "3542" },
        members: { window: "letters", retryAfterSeconds: 3542 },
      },
    });
    clock.advance(59 * MINUTE + 1400);
    await expect(takeOrRefuse({ ann: 1 }, "Too many.")).rejects.toMatchObject({
      detail: "Too many. Try again in 1 min.",
      extras: { headers: { "Retry-After": "1" } },
    });
  });

  it("refuse until the full hour if one or several subjects are used up, in any order", async () => {
    const { clock, take } = await counting();
    await take({ ann: 1 });
    clock.advance(20 * MINUTE);
    await take({ bob: 1 });
    clock.advance(30 * MINUTE);
    for (const subjects of [
      ["ann", "eve"],
      ["eve", "ann"],
      ["ann", "bob"],
      ["bob", "eve", "ann"],
    ]) {
      const most = Object.fromEntries(subjects.map((subject) => [subject, 1]));
      expect(await take(most)).toEqual({ admitted: false, retryAfterSeconds: 600 });
    }
    clock.advance(10 * MINUTE);
    expect((await take({ bob: 1, eve: 1, ann: 1 })).admitted).toBe(true);
  });
});
