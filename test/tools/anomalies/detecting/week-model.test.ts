import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lengthOf, memoryOver } from "../../../../src/tools/anomalies/detecting/memory.ts";
import { createWeek, type Departure } from "../../../../src/tools/anomalies/detecting/week.ts";
import { runs } from "../../../support/runs.ts";
import { noise } from "../series.ts";

const HOUR = 3_600_000;
const within = (value: number, bound: number) => Math.max(-bound, Math.min(bound, value));

interface Hour {
  hour: number;
  mean: number;
}

/** Models the departure that is reported at the end of each hour, as the source's header describes. */
function model(hours: readonly Hour[]): (Departure | undefined)[] {
  const usual = new Map<number, { mean: number; spread: number; weeks: number }>();
  let overall = 0;
  let behind = 0;
  let row: number[] = [];
  let isStrange = false;
  return hours.map(({ hour, mean }, index) => {
    const next = hours[index + 1]?.hour ?? hour + 1;
    if (hour !== (hours[index - 1]?.hour ?? hour - 1) + 1) row = [];
    const place = ((hour % 168) + 168) % 168;
    const before = usual.get(place);
    if (!before) {
      usual.set(place, { mean, spread: 0, weeks: 1 });
      row = [];
      return undefined;
    }
    const scale = Math.max(before.spread, overall / 2) / 0.8;
    const isKnown = before.weeks >= 3;
    const expected = before.mean + behind;
    const off = mean - expected;
    const step = isKnown ? within(off, 3 * scale) : off;
    const rate = Math.max(1 / 4, 1 / (before.weeks + 1));
    usual.set(place, {
      mean: before.mean + rate * (behind + step),
      spread: before.spread * (1 - rate) + rate * Math.abs(step),
      weeks: before.weeks + 1,
    });
    const share = (next - hour) / 168;
    overall = overall * (1 - share) + share * Math.abs(step);
    behind += share * step;
    if (!isKnown || scale === 0) {
      row = [];
      return undefined;
    }
    const deviation = within(off / scale, 10);
    row.push(deviation);
    if (row.length < 4) return undefined;
    const together = Math.abs(row.slice(-4).reduce((sum, each) => sum + each, 0)) / 4;
    const was = isStrange;
    if (together >= 5 && Math.abs(deviation) >= 5) isStrange = true;
    else if (together < 2) isStrange = false;
    return isStrange && !was ? { mean, usual: expected, strangeness: together / 5 } : undefined;
  });
}

/** Feeds two points an hour, of which one sometimes has no time. Returns the departures. */
function told(hours: readonly Hour[]): (Departure | undefined)[] {
  const week = createWeek(memoryOver(new Float64Array(lengthOf(createWeek))));
  const found = hours.map(({ hour, mean }) => {
    const departure = week.next(mean - 1, hour * HOUR);
    expect(week.next(1e9, Number.NaN)).toBeUndefined();
    expect(week.next(mean + 1, (hour + 1) * HOUR - 1)).toBeUndefined();
    return departure;
  });
  const last = hours.at(-1);
  return [...found.slice(1), last && week.next(0, (last.hour + 1) * HOUR)];
}

interface Event {
  /** First of the `length` hours that differ. */
  at: number;
  length: number;
  add: number;
}

const event: fc.Arbitrary<Event> = fc.record({
  at: fc.integer({ min: 0, max: 7 * 168 }),
  length: fc.integer({ min: 1, max: 12 }),
  add: fc.integer({ min: -60, max: 60 }),
});

function hoursOf(first: number, seed: number, events: readonly Event[], gaps: number[]) {
  return noise(7 * 168, seed).flatMap((each, index) => {
    if (gaps.includes(index)) return [];
    const added = events.filter(({ at, length }) => index >= at && index < at + length);
    const usual = 40 + 20 * Math.sin((index * Math.PI) / 12);
    return [{ hour: first + index, mean: added.reduce((sum, { add }) => sum + add, usual + 2 * each) }];
  });
}

/** Compares departures up to rounding errors of sums. */
function alike(one: Departure | undefined, other: Departure | undefined): boolean {
  const members = ["mean", "usual", "strangeness"] as const;
  return members.every((name) => Math.abs((one?.[name] ?? 0) - (other?.[name] ?? 0)) < 5e-7);
}

describe("the hours of the week", () => {
  it("are reported like in the model if four in a row differ from the weeks before", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -3000, max: 3000 }),
        fc.integer({ min: 1, max: 1000 }),
        fc.array(event, { minLength: 1, maxLength: 12 }),
        fc.array(fc.nat(7 * 168), { maxLength: 5 }),
        (first, seed, events, gaps) => {
          const hours = hoursOf(first, seed, events, gaps);
          const [found, expected] = [told(hours), model(hours)];
          const places = (all: readonly (Departure | undefined)[]) =>
            all.flatMap((each, index) => (each ? [index] : []));
          expect(places(found)).toEqual(places(expected));
          const apart = places(found).filter((index) => !alike(found[index], expected[index]));
          expect(apart).toEqual([]);
        },
      ),
      { numRuns: runs(40) },
    );
  });

  it("are reported once per event, and again after usual hours", () => {
    const events = [700, 900].map((at) => ({ at, length: 10, add: 50 }));
    const found = told(hoursOf(0, 1, events, []));
    const places = found.flatMap((each, index) => (each ? [index] : []));
    expect(places.map((place) => place - (place % 4))).toEqual([700, 900]);
  });

  it("are not reported if no value had ever changed before", () => {
    const still = Array.from({ length: 700 }, (_, hour) => ({ hour, mean: hour < 690 ? 5 : 500 }));
    expect(told(still).every((each) => each === undefined)).toBe(true);
  });
});
