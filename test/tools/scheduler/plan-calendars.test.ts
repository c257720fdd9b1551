import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCalendar } from "../../../src/tools/scheduler/calendar/calendar.ts";
import type { PlanCalendar } from "../../../src/tools/scheduler/calendar/contract.ts";
import { createPlanCalendars } from "../../../src/tools/scheduler/calendar/plan-calendars.ts";
import type { Stretch } from "../../../src/tools/scheduler/calendar/stretches.ts";
import { createTimeZone } from "../../../src/tools/scheduler/calendar/time-zone.ts";
import { assignWorkers } from "../../../src/tools/scheduler/workers.ts";
import { runs } from "../../support/runs.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe("createCalendar()", () => {
  const SPAN = 10;
  /** A repeating week of ten units, each open or not. */
  const week = fc
    .array(fc.boolean(), { minLength: SPAN, maxLength: SPAN })
    .filter((open) => open.some(Boolean));
  const calendarOf = (open: readonly boolean[]) =>
    createCalendar((span) =>
      open.flatMap((is, at): Stretch[] => (is ? [[span * SPAN + at, span * SPAN + at + 1]] : [])),
    );
  /** Whether a unit is open. Everything before the start is. */
  const isOpen = (open: readonly boolean[], unit: number) => unit < 0 || open[unit % SPAN] === true;

  it("agrees with counting the open units, forwards and backwards", () => {
    fc.assert(
      fc.property(week, fc.nat(60), fc.integer({ min: 1, max: 9 }), (open, instant, work) => {
        const calendar = calendarOf(open);
        let start = instant;
        while (!isOpen(open, start)) start++;
        expect(calendar.start(instant, work, false)).toBe(start);
        let end = start;
        for (let left = work; left > 0; end++) if (isOpen(open, end)) left--;
        expect(calendar.end(start, work)).toBe(end);
        let last = instant;
        while (!isOpen(open, last - 1)) last--;
        expect(calendar.latestEnd(instant, work, false)).toBe(last);
        let beginning = last;
        for (let left = work; left > 0; ) if (isOpen(open, --beginning)) left--;
        expect(calendar.beginning(last, work)).toBe(beginning);
        const units = Array.from({ length: instant }, (_, unit) => unit).filter((unit) => isOpen(open, unit));
        expect(calendar.openUntil(instant)).toBe(units.length);
      }),
      { numRuns: runs(200) },
    );
  });

  it("finds one open stretch for uninterruptible work", () => {
    fc.assert(
      fc.property(week, fc.nat(40), fc.integer({ min: 1, max: 4 }), (open, instant, work) => {
        const fits = (from: number) =>
          Array.from({ length: work }, (_, at) => from + at).every((unit) => isOpen(open, unit));
        fc.pre(Array.from({ length: 2 * SPAN }, (_, at) => at).some(fits));
        const calendar = calendarOf(open);
        let start = instant;
        while (!fits(start)) start++;
        expect(calendar.start(instant, work, true)).toBe(start);
        let end = instant;
        while (!fits(end - work)) end--;
        expect(calendar.latestEnd(instant, work, true)).toBe(end);
      }),
      { numRuns: runs(200) },
    );
  });
});

describe("the calendars of a plan", () => {
  const plan = (more: Partial<PlanCalendar> = {}) =>
    createPlanCalendars({
      start: "2026-11-23",
      timeZone: "UTC",
      holidays: [],
      resources: {},
      ...more,
    } as PlanCalendar);
  const always = { holidays: [] };
  const mornings = { hours: ["mon-sun 08:00-12:00"], holidays: [] };
  const nights = { hours: ["mon-sun 22:00-06:00"], holidays: [] };

  it("are undefined if nothing is ever closed", () => {
    expect(plan().of([])).toBeUndefined();
    expect(plan({ resources: { ada: always } }).of(["ada", "bob"])).toBeUndefined();
    expect(plan({ holidays: ["2026-11-24"] }).of([])).toBeDefined();
    expect(plan({ resources: { ada: mornings } }).of(["bob"])).toBeUndefined();
  });

  it("are intersected for the resources of a task, in any order", () => {
    const calendars = plan({ hours: ["mon-fri 00:00-24:00"], resources: { ada: mornings, bob: always } });
    const ada = calendars.of(["bob", "ada"]);
    expect(ada).toBe(calendars.of(["ada"]));
    expect(calendars.of([])).not.toBe(ada);
    expect(ada?.start(0, 1, false)).toBe(8 * HOUR);
    // Friday noon to Monday.
    expect(ada?.start(4 * DAY + 12 * HOUR, 1, false)).toBe(7 * DAY + 8 * HOUR);
    expect(calendars.of([])?.start(5 * DAY, 1, false)).toBe(7 * DAY);
  });

  it("name the resources that have too few working hours", () => {
    const none = { hours: ["mon 08:00-12:00"], holidays: [] };
    const calendars = plan({ resources: { ada: mornings, bob: nights, eve: none } });
    expect(() => calendars.of(["ada", "bob"])?.start(0, 1, false)).toThrow(
      '"ada" and "bob" together have too few working hours',
    );
    expect(() => calendars.of(["ada"])?.start(0, 5 * HOUR, true)).toThrow('"ada" has too few working hours');
    expect(() =>
      plan({ ...none, resources: {} } as never)
        .of([])
        ?.start(0, 5 * HOUR, true),
    ).toThrow("there are too few");
  });

  it("are limited to 200 different sets of resources", () => {
    const names = Array.from({ length: 200 }, (_, at) => `r${at}`);
    const calendars = plan({ resources: Object.fromEntries(names.map((name) => [name, mornings])) });
    for (const name of names) calendars.of([name]);
    calendars.of([names[0] as string]);
    expect(() => calendars.of(names)).toThrow("more than 200 different sets");
  });

  it("count times from the start of the plan, and a deadline date to its end", () => {
    const { timeOf, textOf } = plan({ start: "2026-11-23T06:00", timeZone: "Europe/Berlin" });
    expect(timeOf("2026-11-23T07:30")).toBe(1.5 * HOUR);
    expect(timeOf("2026-11-24")).toBe(18 * HOUR);
    expect(timeOf("2026-11-24", true)).toBe(42 * HOUR);
    expect(timeOf("2026-11-23T07:30", true)).toBe(1.5 * HOUR);
    expect(timeOf("2026-11-22")).toBe(-30 * HOUR);
    expect(textOf(1.5 * HOUR)).toBe("2026-11-23T07:30:00+01:00");
  });

  it("close shifts that begin on a holiday, but not one over midnight from the day before", () => {
    const calendar = plan({ ...nights, holidays: ["2026-11-24"] }).of([]);
    // Monday 00:00 to 06:00, 22:00 to Tuesday 06:00; then Wednesday 22:00.
    expect(calendar?.end(0, 6 * HOUR)).toBe(6 * HOUR);
    expect(calendar?.start(6 * HOUR, 1, false)).toBe(22 * HOUR);
    expect(calendar?.end(22 * HOUR, 8 * HOUR)).toBe(30 * HOUR);
    expect(calendar?.start(30 * HOUR, 1, false)).toBe(2 * DAY + 22 * HOUR);
  });

  it("repeat over the following months", () => {
    const calendar = plan(mornings).of([]);
    for (const day of [27, 28, 29, 400])
      expect(calendar?.start(day * DAY + 12 * HOUR, 1, false)).toBe((day + 1) * DAY + 8 * HOUR);
    expect(calendar?.openUntil(100 * DAY)).toBe(400 * HOUR);
  });
});

it("createTimeZone() shows half-hour and negative offsets, and the offset at each clock change", () => {
  const berlin = createTimeZone("Europe/Berlin");
  const at = (text: string) => berlin.textOf(Date.parse(text));
  expect(at("2026-03-29T00:59:59Z")).toBe("2026-03-29T01:59:59+01:00");
  expect(at("2026-03-29T01:00:00Z")).toBe("2026-03-29T03:00:00+02:00");
  expect(at("2026-10-25T00:30:00Z")).toBe("2026-10-25T02:30:00+02:00");
  expect(at("2026-10-25T01:30:00.005Z")).toBe("2026-10-25T02:30:00.005+01:00");
  expect(createTimeZone("America/St_Johns").textOf(0)).toBe("1969-12-31T20:30:00-03:30");
  expect(() => createTimeZone("Mars/Base")).toThrow(RangeError);
});

it("assignWorkers() reuses a worker when its task ends, and gives a task of no duration none", () => {
  const [starts, ends] = [[0, 0, 2, 2, 2, 3], Float64Array.of(2, 5, 2, 4, 9, 6)];
  const order = [0, 1, 2, 3, 4, 5];
  expect(assignWorkers(order, (task) => starts[task] as number, ends)).toEqual([1, 2, undefined, 1, 3, 4]);
});
