import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../support/runs.ts";
import { type Plan, planned, type Request } from "./project.ts";

const HOUR = 3_600_000;
const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
const WEEKDAYS = ["mon-fri 09:00-17:00"];

/** A Monday. */
const MONDAY = "2026-11-23";

/** Whether an hour of a plan that begins on MONDAY in UTC is open, by the definition of its calendar. */
function isOpen(
  { hours, holidays = [] }: { hours?: string[] | undefined; holidays?: string[] | undefined },
  hour: number,
): boolean {
  const on = (day: number, at: number) => {
    const date = new Date(Date.parse(MONDAY) + day * 24 * HOUR).toISOString().slice(0, 10);
    if (holidays.includes(date)) return false;
    return (hours ?? [`${DAYS} 00:00-24:00`]).some((rule) => {
      const [days = "", times = ""] = rule.split(" ");
      const [begin, end] = times.split("-").map((text) => Number(text.slice(0, 2))) as [number, number];
      const weekday = DAYS[((day % 7) + 7) % 7] as string;
      return days.includes(weekday) && at >= begin && at < (end > begin ? end : end + 24);
    });
  };
  const day = Math.floor(hour / 24);
  return on(day, hour % 24) || on(day - 1, (hour % 24) + 24);
}

/** Asserts hour by hour that a plan of whole hours respects its calendars, by their definition. */
function expectHours(request: Request, { schedule }: Plan): void {
  const slots = new Map(schedule.map((slot) => [slot.id, slot]));
  const holds = new Map<string, Record<string, number>>();
  for (const task of request.tasks) {
    const slot = slots.get(task.id)!;
    const held: Record<string, number> = { ...task.resources };
    if (task.anyOf?.length) {
      expect(task.anyOf).toContainEqual(slot.uses);
      for (const [name, units] of Object.entries(slot.uses!)) held[name] = (held[name] ?? 0) + units;
    }
    holds.set(task.id, held);
    const working = Array.from(
      { length: (slot.endMs - slot.startMs) / HOUR },
      (_, passed) => slot.startMs / HOUR + passed,
    ).filter((hour) =>
      [
        request.calendar ?? {},
        ...Object.keys(held)
          .filter((name) => held[name]! > 0)
          .map((name) => request.calendar?.resources?.[name] ?? {}),
      ].every((calendar) => isOpen(calendar, hour)),
    );
    expect(working.length * HOUR).toBe(task.durationMs);
    if (working.length > 0) {
      expect(working[0]! * HOUR).toBe(slot.startMs);
      expect((working.at(-1)! + 1) * HOUR).toBe(slot.endMs);
    }
    if (task.interruptible === false) expect(slot.endMs - slot.startMs).toBe(task.durationMs);
    expect(slot.startMs).toBeGreaterThanOrEqual(task.earliestStartMs ?? 0);
    for (const other of task.dependsOn ?? []) {
      expect(slot.startMs).toBeGreaterThanOrEqual(slots.get(other)!.endMs + (task.lagMs?.[other] ?? 0));
      expect(slot.startMs).toBeGreaterThanOrEqual(slots.get(other)!.startMs);
    }
    for (const other of task.dependsOnStart ?? []) {
      expect(slot.startMs).toBeGreaterThanOrEqual(
        slots.get(other)!.startMs + Math.max(0, task.lagMs?.[other] ?? 0),
      );
    }
  }
  for (const { startMs: instant } of schedule) {
    for (const [name, units] of Object.entries(request.capacity ?? {})) {
      const taken = schedule
        .filter(({ startMs, endMs }) => startMs <= instant && instant < endMs)
        .reduce((sum, { id }) => sum + (holds.get(id)![name] ?? 0), 0);
      expect(taken).toBeLessThanOrEqual(units);
    }
  }
}

const hours = fc.option(
  fc.array(
    fc
      .record({
        days: fc.uniqueArray(fc.constantFrom(...DAYS), { minLength: 4, maxLength: 7 }),
        times: fc.constantFrom("00:00-06:00", "08:00-12:00", "13:00-18:00", "22:00-06:00", "13:00-24:00"),
      })
      .map(({ days, times }) => `${days} ${times}`),
    { minLength: 1, maxLength: 3 },
  ),
  { nil: undefined },
);
const working = fc
  .record({ hours, holidays: fc.subarray(["2026-11-24", "2026-11-28", "2026-12-01"]) })
  .map(({ hours, holidays }) => ({ ...(hours && { hours }), holidays }));

const requests: fc.Arbitrary<Request> = fc
  .record({
    calendar: fc.option(working, { nil: undefined }),
    ada: working,
    seed: fc.nat(99),
    tasks: fc.array(
      fc.record({
        hours: fc.integer({ min: 0, max: 14 }),
        interruptible: fc.boolean(),
        dependsOn: fc.uniqueArray(fc.nat(7), { maxLength: 2 }),
        dependsOnStart: fc.uniqueArray(fc.nat(7), { maxLength: 1 }),
        lag: fc.integer({ min: -9, max: 9 }),
        resources: fc.constantFrom<Record<string, number>>({}, { ada: 1 }, { room: 2 }, { ada: 1, room: 1 }),
        anyOf: fc.constantFrom<Record<string, number>[]>(
          [],
          [],
          [{ ada: 1 }, { room: 1 }],
          [{ bob: 1 }, { ada: 1 }],
        ),
        earliestStart: fc.constantFrom(0, 0, 30),
      }),
      { minLength: 1, maxLength: 8 },
    ),
  })
  .map(({ calendar, ada, seed, tasks }) => ({
    seed,
    iterations: 60,
    capacity: { ada: 2, bob: 1, room: 3 },
    ...(calendar && { calendar: { start: MONDAY, ...calendar, resources: { ada } } }),
    tasks: tasks.map(({ hours, lag, earliestStart, interruptible, ...task }, index) => {
      const earlier = (all: number[]) => all.filter((other) => other < index).map(String);
      const [dependsOn, dependsOnStart] = [earlier(task.dependsOn), earlier(task.dependsOnStart)];
      return {
        ...task,
        id: `${index}`,
        durationMs: hours * HOUR,
        // Tasks longer than every open interval could not be planned otherwise.
        interruptible: interruptible || hours > 4,
        earliestStartMs: earliestStart * HOUR,
        ...{ dependsOn, dependsOnStart },
        lagMs: Object.fromEntries([...dependsOn, ...dependsOnStart].map((other) => [other, lag * HOUR])),
      };
    }),
  }));

describe("a plan with calendars, lags and alternatives", () => {
  it("keeps the working hours, capacities and lags of random projects", () => {
    fc.assert(
      fc.property(requests, (request) => {
        let answer: Plan;
        try {
          answer = planned(request).found;
        } catch (error) {
          // Only hours that never overlap make planning fail.
          expect(String((error as { detail?: string }).detail ?? error)).toContain("20 years");
          return;
        }
        expectHours(request, answer);
        expect(answer.lowerBoundMs).toBeLessThanOrEqual(answer.makespanMs);
        expect(planned(request).found).toEqual(answer);
      }),
      { numRuns: runs(60) },
    );
  });

  it("pauses overnight, at weekends and on holidays, and gives local times", () => {
    const { found } = planned({
      calendar: {
        start: "2026-11-27T15:00",
        timeZone: "Europe/Berlin",
        hours: WEEKDAYS,
        holidays: ["2026-11-30"],
      },
      tasks: [{ id: "write", durationMs: 3 * HOUR }],
    });
    expect(found.schedule[0]).toMatchObject({
      start: "2026-11-27T15:00:00+01:00",
      end: "2026-12-01T10:00:00+01:00",
      critical: true,
    });
    expect(found).toMatchObject({ end: "2026-12-01T10:00:00+01:00", gap: 0, criticalPath: ["write"] });
  });

  it("puts an uninterruptible task into one stretch of working hours, or is refused", () => {
    const { found } = planned({
      calendar: { start: "2026-11-27T15:00", hours: WEEKDAYS },
      tasks: [{ id: "deploy", durationMs: 3 * HOUR, interruptible: false }],
    });
    expect(found.schedule[0]).toMatchObject({
      start: "2026-11-30T09:00:00+00:00",
      end: "2026-11-30T12:00:00+00:00",
    });
    const never = {
      calendar: { start: MONDAY, hours: WEEKDAYS },
      tasks: [{ id: "x", durationMs: 9 * HOUR, interruptible: false }],
    };
    expect(() => planned(never)).toThrow(/20 years/);
  });

  it("accepts weekdays in lists, in ranges and in ranges over the weekend", () => {
    const startOn = (hours: string) =>
      planned({ calendar: { start: MONDAY, hours: [hours] }, tasks: [{ id: "a", durationMs: HOUR }] }).found
        .schedule[0]?.start;
    expect(startOn("tue,thu 10:00-11:00")).toBe("2026-11-24T10:00:00+00:00");
    expect(startOn("wed-fri 10:00-11:00")).toBe("2026-11-25T10:00:00+00:00");
    expect(startOn("sun-mon 10:00-11:00")).toBe("2026-11-23T10:00:00+00:00");
    expect(startOn("sun 22:00-06:00")).toBe("2026-11-23T00:00:00+00:00");
  });

  it("keeps the working hours of a day on which the clocks change", () => {
    const night = ["mon-sun 00:00-04:00"];
    const of = (start: string) =>
      planned({
        calendar: { start, timeZone: "Europe/Berlin", hours: night },
        tasks: [{ id: "a", durationMs: 4 * HOUR }],
      }).found.schedule[0];
    // The night has three hours in spring, and five in autumn.
    expect(of("2026-03-29")).toMatchObject({ end: "2026-03-30T01:00:00+02:00" });
    expect(of("2026-10-25")).toMatchObject({
      start: "2026-10-25T00:00:00+02:00",
      end: "2026-10-25T03:00:00+01:00",
    });
  });

  it("applies lags after an end or a start, and negative ones", () => {
    const { found } = planned({
      tasks: [
        { id: "pour", durationMs: 2 },
        { id: "build", durationMs: 3, dependsOn: ["pour"], lagMs: { pour: 10 } },
        { id: "paint", durationMs: 4, dependsOn: ["build"], lagMs: { build: -2 } },
        { id: "check", durationMs: 1, dependsOnStart: ["build"], lagMs: { build: 1 } },
      ],
    });
    expect(found.schedule.map(({ startMs }) => startMs)).toEqual([0, 12, 13, 13]);
    expect(found).toMatchObject({
      makespanMs: 17,
      lowerBoundMs: 17,
      criticalPath: ["pour", "build", "paint"],
    });
  });

  it("spreads tasks over alternative resources, and shows those used", () => {
    const both: Record<string, number>[] = [{ ada: 1 }, { bob: 1 }];
    const of = (id: string, more: object) => ({ id, durationMs: 2 * HOUR, ...more });
    const tasks = [of("a", { anyOf: both }), of("b", { anyOf: both }), of("c", { resources: { bob: 1 } })];
    const request: Request = { capacity: { ada: 1, bob: 1 }, tasks };
    const { found } = planned(request);
    expectHours(request, found);
    expect([found.makespanMs, found.schedule[2]?.uses]).toEqual([4 * HOUR, undefined]);
  });

  it.each([
    { ada: "08-12", uses: "ada", end: 12 },
    { ada: "08-11", uses: "bob", end: 13 },
  ])("gives a task the alternative with which it ends first: ada works $ada, bob 09-13", (given) => {
    const of = (times: string) => ({ hours: [`mon ${times.replace("-", ":00-")}:00`], holidays: [] });
    const calendar = { start: MONDAY, resources: { ada: of(given.ada), bob: of("09-13") } };
    const anyOf: Record<string, number>[] = [{ ada: 1 }, { bob: 1 }];
    const [slot] = planned({ calendar, tasks: [{ id: "a", durationMs: 4 * HOUR, anyOf }] }).found.schedule;
    expect([slot?.uses, slot?.endMs]).toEqual([{ [given.uses]: 1 }, given.end * HOUR]);
  });

  it("starts a task at its planned start, or reports a missed start", () => {
    const tasks = [
      { id: "meeting", durationMs: HOUR, start: "2026-11-23T12:00" },
      { id: "work", durationMs: 4 * HOUR },
    ];
    const calendar = { start: MONDAY, hours: WEEKDAYS };
    const { found } = planned({ calendar, workers: 1, tasks });
    expect(found.schedule[0]).toMatchObject({ start: "2026-11-23T12:00:00+00:00" });
    expect(found.missedStarts).toEqual([]);
    const late = tasks.map((task) => ({ ...task, ...(task.id === "meeting" && { dependsOn: ["work"] }) }));
    expect(planned({ calendar, tasks: late }).found.missedStarts).toEqual([
      { id: "meeting", plannedMs: 12 * HOUR, startMs: 13 * HOUR },
    ]);
  });

  it("takes a date as a deadline at the end of that day", () => {
    const of = (deadline: string) =>
      planned({
        calendar: { start: MONDAY, hours: WEEKDAYS },
        tasks: [{ id: "a", durationMs: 9 * HOUR, deadline }],
      }).found;
    expect(of("2026-11-24").missedDeadlines).toEqual([]);
    expect(of("2026-11-23").missedDeadlines).toEqual([{ id: "a", deadlineMs: 24 * HOUR, endMs: 34 * HOUR }]);
  });

  it("gives no slack into the time of a task that cannot move", () => {
    const { found } = planned({
      capacity: { b: 2 },
      workers: 2,
      iterations: 500,
      tasks: [
        { id: "first", durationMs: 3, resources: { b: 1 }, deadlineMs: 3 },
        { id: "both", durationMs: 1, resources: { b: 2 }, earliestStartMs: 5 },
        { id: "mark", durationMs: 0, dependsOn: ["first"], dependsOnStart: ["both"] },
        { id: "long", durationMs: 5, resources: { b: 1 } },
      ],
    });
    expect(found.schedule.map(({ id, startMs, slackMs }) => [id, startMs, slackMs])).toEqual([
      ["first", 0, 2],
      ["both", 5, 0],
      ["mark", 5, 1],
      ["long", 0, 0],
    ]);
  });

  it("takes a date as a planned start at any time of that day", () => {
    const missed = (start: string) =>
      planned({
        calendar: { start: MONDAY, hours: WEEKDAYS },
        workers: 1,
        tasks: [
          { id: "before", durationMs: HOUR },
          { id: "a", durationMs: HOUR, start, dependsOn: ["before"] },
        ],
      }).found.missedStarts;
    expect(missed("2026-11-23")).toEqual([]);
    expect(missed("2026-11-24")).toEqual([]);
    expect(missed("2026-11-23T00:00")).toEqual([{ id: "a", plannedMs: 0, startMs: 10 * HOUR }]);
    // A Saturday without hours.
    expect(missed("2026-11-28")).toEqual([{ id: "a", plannedMs: 120 * HOUR, startMs: 177 * HOUR }]);
  });

  it("counts lateness from deadlines and planned starts that were before the plan's start", () => {
    const { found } = planned({
      calendar: { start: MONDAY, hours: WEEKDAYS },
      tasks: [
        { id: "begun", durationMs: HOUR, start: "2026-11-20T09:00", deadline: "2026-11-20" },
        { id: "milestone", durationMs: 0, deadline: "2026-11-22T23:00" },
      ],
    });
    expect(found.missedStarts).toEqual([{ id: "begun", plannedMs: -63 * HOUR, startMs: 9 * HOUR }]);
    expect(found.missedDeadlines).toEqual([
      { id: "milestone", deadlineMs: -HOUR, endMs: 0 },
      { id: "begun", deadlineMs: -48 * HOUR, endMs: 10 * HOUR },
    ]);
  });

  it("matches the example in docs/tools/scheduler.md", () => {
    const page = readFileSync(resolve(import.meta.dirname, "../../../docs/tools/scheduler.md"), "utf8");
    const [, shown = ""] = /```json\n(\{\n {2}"calendar"[\s\S]*?)```/.exec(page) ?? [];
    const request = JSON.parse(shown) as Request;
    const { found } = planned(request);
    expect(found.schedule.map(({ id, start, end }) => [id, start, end])).toEqual([
      ["draft", "2026-11-27T15:00:00+01:00", "2026-11-30T10:00:00+01:00"],
      ["review", "2026-11-30T10:00:00+01:00", "2026-11-30T12:00:00+01:00"],
      ["publish", "2026-12-01T12:00:00+01:00", "2026-12-01T13:00:00+01:00"],
      ["announce", "2026-12-01T12:00:00+01:00", "2026-12-01T12:30:00+01:00"],
    ]);
    expect(found.schedule[0]?.uses).toEqual({ bob: 1 });
  });
});
