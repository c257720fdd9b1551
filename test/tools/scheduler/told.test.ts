import { describe, expect, it } from "vitest";
import { intersection, type Stretch, union } from "../../../src/tools/scheduler/calendar/stretches.ts";
import { planned, type Request, tasks } from "./project.ts";

const refusal = (request: Request): string => {
  try {
    planned(request);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("It was planned.");
};

describe("a task that fits no working hours", () => {
  const HOUR = 3_600_000;
  const day = ["mon-fri 09:00-17:00"];
  const start = "2026-11-23";
  const long = [
    { id: "short", durationMs: HOUR },
    { id: "paint", durationMs: 9 * HOUR, resources: { ada: 1 }, interruptible: false },
  ];

  it.each([
    [{ start, hours: day }, '"paint" takes 9 h and may not be interrupted', "lengthen the hours"],
    [
      { start, resources: { ada: { hours: day } } },
      '"paint" takes 9 h and may not',
      'working hours of "ada"',
    ],
    [{ start, hours: [] }, '"short" cannot be planned', "have no time within 20 years"],
    [{ start, resources: { ada: { hours: [] } } }, '"paint" cannot be planned', 'the working hours of "ada"'],
  ])("is refused by name and with the reason under the calendar %j", (calendar, task, reason) => {
    const told = refusal({ tasks: long, capacity: { ada: 1 }, calendar });
    expect(told).toContain(task);
    expect(told).toContain(reason);
  });

  it("is planned if it may be interrupted", () => {
    const tasks = long.map((task) => ({ ...task, interruptible: true }));
    expect(planned({ tasks, capacity: { ada: 1 }, calendar: { start, hours: day } })).toBeDefined();
  });
});

describe("an alternative that fits no working hours", () => {
  const start = "2026-11-23";
  const capacity = { ada: 1, bob: 1 };
  const tasks: Request["tasks"] = [{ id: "a", durationMs: 60_000, anyOf: [{ ada: 1 }, { bob: 1 }] }];

  it("is left out, as one of which there is too little is", () => {
    const calendar = { start, resources: { ada: { hours: [] } } };
    expect(planned({ tasks, capacity, calendar }).found.schedule).toMatchObject([
      { startMs: 0, uses: { bob: 1 } },
    ]);
  });

  it("counts as unused, as every resource without hours does", () => {
    const calendar = { start, resources: { ada: { hours: [] } } };
    const { found } = planned({ tasks: [{ id: "a", durationMs: 5 }], capacity, calendar });
    expect(found.utilisation.resources).toEqual({ ada: 0, bob: 0 });
  });

  it("is refused with the others if none fits", () => {
    const calendar = { start, resources: { ada: { hours: [] }, bob: { hours: [] } } };
    expect(refusal({ tasks, capacity, calendar })).toMatch(
      /^"a" cannot be planned: the working hours of "ada" .* Nor does another of its `anyOf` fit\.$/,
    );
  });

  it("is told to be one of several of which there is too little", () => {
    const asked: Request["tasks"] = [{ id: "a", durationMs: 60_000, anyOf: [{ ada: 3 }, { bob: 2 }] }];
    expect(refusal({ tasks: asked, capacity })).toContain(
      '"a" needs 3 of "ada", of which there are 1, or 2 of "bob", of which there are 1.',
    );
  });
});

describe("a dependency cycle", () => {
  const circle = (count: number) =>
    tasks(...Array.from({ length: count }, (_, at) => `t${at} 1 < t${(at + 1) % count}`));

  it.each([
    [1, '"t0" → "t0".'],
    [2, '"t0" → "t1" → "t0".'],
    [9, '"t0" → "t1" → "t2" → "t3" → "t4" → "t5" → "t6" → "t7" → "t8" → "t0".'],
    [10, '"t0" → "t1" → "t2" → "t3" → "t4" → "t5" → "t6" → "t7" → … → "t0".'],
    [30, '"t0" → "t1" → "t2" → "t3" → "t4" → "t5" → "t6" → "t7" → … → "t0".'],
  ])("of %i tasks is shown as %s", (count, shown) => {
    expect(refusal({ tasks: circle(count) })).toContain(`in a circle: ${shown}`);
  });
});

describe("planned starts and deadlines", () => {
  const task = (id: string, startMs?: number, deadlineMs?: number) => ({
    ...{ id, durationMs: 5 },
    ...(startMs !== undefined && { startMs }),
    ...(deadlineMs !== undefined && { deadlineMs }),
  });

  it("are reported for missed starts in the order of the plan, and omitted if none were given", () => {
    const missed = (...given: ReturnType<typeof task>[]) =>
      planned({ tasks: given, workers: 1 }).found.missedStarts;
    expect(missed(task("a"), task("b"))).toBeUndefined();
    expect(missed(task("a", 3))).toEqual([]);
    expect(missed(task("a", 0), task("b"))).toEqual([]);
    expect(missed(task("a", 2), task("b", 2), task("c", 2))).toMatchObject([
      { plannedMs: 2, startMs: 7 },
      { plannedMs: 2, startMs: 12 },
    ]);
  });

  it("are met by a task that ends exactly at its deadline", () => {
    const missed = (deadlineMs: number) =>
      planned({ tasks: [task("a", undefined, deadlineMs)] }).found.missedDeadlines;
    expect([missed(5), missed(6)]).toEqual([[], []]);
    expect(missed(4)).toEqual([{ id: "a", deadlineMs: 4, endMs: 5 }]);
  });
});

describe("the critical path", () => {
  const path = (request: Request) => planned(request).found.criticalPath;
  const taking = (
    id: string,
    durationMs: number,
    resources: Record<string, number>,
    dependsOn: string[] = [],
  ) => ({
    ...{ id, durationMs, resources, dependsOn },
  });

  it("includes the task that a resource or worker was shared with", () => {
    const shared = [taking("a", 3, { cpu: 1 }), taking("b", 2, { cpu: 1 })];
    expect(path({ tasks: shared, capacity: { cpu: 1 } }).toSorted()).toEqual(["a", "b"]);
    expect(path({ tasks: shared, capacity: { cpu: 2 } })).toEqual(["a"]);
    expect(path({ tasks: shared })).toEqual(["a"]);
    expect(path({ tasks: shared, workers: 1 })).toHaveLength(2);
  });

  it("does not include a task that only ended at the same time", () => {
    const request = {
      tasks: [taking("a", 3, { cpu: 1 }), taking("z", 3, { disk: 1 }), taking("b", 2, { cpu: 1 }, ["a"])],
      capacity: { cpu: 1, disk: 1 },
    };
    expect(path(request)).toEqual(["a", "b"]);
    expect(path({ ...request, capacity: { disk: 1 } })).toEqual(["a", "b"]);
  });

  it("continues across closed hours, but not across open hours without work", () => {
    const HOUR = 3_600_000;
    const request = {
      calendar: { start: "2026-11-23T09:00", hours: ["mon-fri 09:00-17:00"] },
      tasks: [taking("a", 8 * HOUR, { cpu: 1 }), taking("b", 2 * HOUR, { cpu: 1 }, ["a"])],
      capacity: { cpu: 1 },
    };
    expect(path(request)).toEqual(["a", "b"]);
    const [a, b] = request.tasks as [object, object];
    const rivals = [a, { ...b, dependsOn: [] }] as typeof request.tasks;
    expect(path({ ...request, tasks: rivals }).toSorted()).toEqual(["a", "b"]);
    const later = [a, { ...b, earliestStart: "2026-11-24T10:00" }] as typeof request.tasks;
    expect(path({ ...request, tasks: later })).toEqual(["b"]);
  });
});

it("a resource of capacity 0 has a utilisation of 0", () => {
  const { found } = planned({ tasks: tasks("a 3"), capacity: { cpu: 0 } });
  expect(found.utilisation.resources).toEqual({ cpu: 0 });
});

it("the first of two alternatives that end at the same time is used", () => {
  const either: Record<string, number>[] = [{ ada: 1 }, { bob: 1 }];
  const { found } = planned({
    capacity: { ada: 1, bob: 1 },
    tasks: [{ id: "a", durationMs: 2, anyOf: either }],
  });
  expect(found.schedule[0]?.uses).toEqual({ ada: 1 });
});

it.each<[string, Record<string, number>, Record<string, number>[], Record<string, number> | string]>([
  ["the first", { ada: 1, bob: 1 }, [{ ada: 2 }, { bob: 1 }], { bob: 1 }],
  ["the last", { ada: 1, bob: 1 }, [{ bob: 1 }, { ada: 2 }], { bob: 1 }],
  ["all but one", { ada: 1 }, [{ ada: 3 }, { ada: 1, bob: 9 }, { ada: 2 }], { ada: 1, bob: 9 }],
  ["every one", { ada: 1, bob: 1 }, [{ ada: 2 }, { bob: 3 }], '"a" needs 2 of "ada", of which there are 1'],
])("a plan uses a possible alternative or is refused if %s is impossible", (_, capacity, anyOf, expected) => {
  const plan = () =>
    planned({ capacity, tasks: [{ id: "a", durationMs: 2, anyOf }] }).found.schedule[0]?.uses;
  if (typeof expected === "string") expect(plan).toThrow(expected);
  else expect(plan()).toEqual(expected);
});

describe("stretches of time", () => {
  it("are merged in order if they overlap or touch", () => {
    const of = (...stretches: Stretch[]) => union(stretches);
    expect(of([5, 7], [0, 2], [2, 3])).toEqual([
      [0, 3],
      [5, 7],
    ]);
    expect(of([0, 9], [1, 2])).toEqual([[0, 9]]);
    expect(of([0, 3], [2, 5])).toEqual([[0, 5]]);
    expect(of()).toEqual([]);
  });

  it("are intersected across lists", () => {
    const [one, two]: Stretch[][] = [
      [
        [0, 4],
        [6, 9],
      ],
      [
        [2, 7],
        [8, 12],
      ],
    ];
    expect(intersection([one as Stretch[], two as Stretch[]])).toEqual([
      [2, 4],
      [6, 7],
      [8, 9],
    ]);
    expect(intersection([[[0, 2]], [[2, 4]]])).toEqual([]);
    expect(intersection([one as Stretch[]])).toEqual(one);
    expect(intersection([[[0, 4]], [[0, 4]], [[1, 9]]])).toEqual([[1, 4]]);
  });
});
