import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { gantt } from "../../../src/cli/tools/scheduler/gantt.ts";
import { testIo } from "../support/io.ts";
import { startOwner } from "../support/owner.ts";
import { user } from "../support/tool.ts";

const TASKS = [
  { id: "install", durationMs: 45_000 },
  { id: "lint", durationMs: 30_000, dependsOn: ["install"] },
  { id: "test", durationMs: 90_500, dependsOn: ["install"], deadlineMs: 100_000 },
  { id: "ready", durationMs: 0, dependsOn: ["lint", "test"] },
];

describe("tool scheduler plan", () => {
  it("draws the time of each task, the critical path, the use of workers and a late task", async () => {
    const { tool, home } = await startOwner();
    writeFileSync(join(home, "tasks.json"), JSON.stringify(TASKS));
    const { code, stdout } = await tool("scheduler", "plan", "tasks.json", "--workers", "2");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^2 min 15 s for 4 tasks, the shortest there is$/m);
    expect(stdout).toMatch(/^install +0 +45 s +1 {2}█{20}$/m);
    expect(stdout).toMatch(/^lint +45 s +30 s +1 {10,}▒+$/m);
    expect(stdout).toMatch(/^ready .* ◆$/m);
    expect(stdout).toMatch(/^Critical path {2}install › test › ready$/m);
    expect(stdout).toMatch(/^In use +workers 61 %$/m);
    expect(stdout).toMatch(/^! test ends 35 s 500 ms after its deadline$/m);
    const { stdout: ascii } = await tool("scheduler", "plan", "tasks.json", "--json", "--iterations", "5");
    expect(JSON.parse(ascii)).toMatchObject({
      makespanMs: 135_500,
      criticalPath: ["install", "test", "ready"],
    });
  });

  it("lets options override the request from stdin", async () => {
    const { piped } = await startOwner({}, { LC_ALL: "C" });
    const tasks = ["a", "b"].map((id) => ({ id, durationMs: 5, resources: { cpu: 1, disk: 1 } }));
    const request = JSON.stringify({ tasks, capacity: { cpu: 2, disk: 2 } });
    const { code, stdout } = await piped(request, "scheduler", "plan", "-", "--capacity", "cpu=1");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^10 ms for 2 tasks/m);
    expect(stdout).toMatch(/^In use +cpu 100 %, disk 50 %$/m);
    expect(stdout).not.toMatch(/[█▒]/);
  });

  it("names the first of many mistakes, and how many more there are", async () => {
    const { tool, home } = user();
    const tasks = Array.from({ length: 30 }, (_, index) => ({ id: `t${index}`, durationMs: 5, needs: 1 }));
    writeFileSync(join(home, "tasks.json"), JSON.stringify(tasks));
    const { code, stderr } = await tool("scheduler", "plan", "tasks.json");
    expect(code).toBe(2);
    expect(stderr).toMatch(/tasks\.9\.needs: .*\n {2}and 20 more\n/);
    expect(stderr).not.toContain("tasks.10.");
    expect((await tool("scheduler", "plan", "tasks.json", "--json")).json.errors).toHaveLength(30);
  });

  it("shows dates and resources within 80 columns", () => {
    const { io } = testIo({ terminal: true, columns: 80 });
    const slot = { slackMs: 0, critical: true, startMs: 0, endMs: 3_600_000 };
    const plan = {
      criticalPath: [],
      makespanMs: 3_600_000,
    } as unknown as Parameters<typeof gantt>[0];
    const rows = gantt(
      plan,
      [
        { ...slot, id: "draft", start: "2026-11-27T15:00:00+01:00", uses: { bob: 1 } },
        { ...slot, id: "review".repeat(9), start: "2026-11-30T10:00:00+01:00", uses: { ada: 1, room: 2 } },
        { ...slot, id: "publish", start: "2026-12-01T12:00:00+01:00" },
      ],
      io.out,
    ).map((row) => stripVTControlCharacters(row));
    expect(rows.map((row) => row.trimEnd().length).filter((length) => length > 80)).toEqual([]);
    expect(rows[0]).toMatch(/^Task +Start +Takes +With +0 +1 h$/);
    expect(rows[1]).toMatch(/^draft +2026-11-27 15:00 +1 h +bob +/);
    expect(rows[2]).toMatch(/^review\S*… +2026-11-30 10:00 +1 h +ada, room ×2 /);
    expect(rows[3]).toMatch(/^publish +2026-12-01 12:00 +1 h {2,}/);
  });

  it("draws as critical every task without slack, not only those of one critical path", () => {
    const { io } = testIo({ terminal: true, columns: 80 });
    const slot = { startMs: 0, endMs: 60_000, slackMs: 0, critical: true };
    const plan = { criticalPath: ["a"], makespanMs: 60_000 } as unknown as Parameters<typeof gantt>[0];
    const spare = { ...slot, id: "c", endMs: 30_000, slackMs: 30_000, critical: false };
    const [, ...rows] = gantt(plan, [{ ...slot, id: "a" }, { ...slot, id: "b" }, spare], io.out);
    expect(rows.map((row) => /[█▒]/.exec(row)?.[0])).toEqual(["█", "█", "▒"]);
  });

  it("draws in ASCII where a terminal has no more", () => {
    const { io } = testIo({ terminal: true, columns: 80, unicode: false });
    const slot = { id: "a", startMs: 0, endMs: 60_000, slackMs: 0, critical: true, uses: { room: 2 } };
    const plan = { criticalPath: ["a"], makespanMs: 60_000 } as unknown as Parameters<typeof gantt>[0];
    const drawn = stripVTControlCharacters(gantt(plan, [slot], io.out).join("\n"));
    expect(drawn).toContain("room x2");
    expect(drawn).toMatch(/^[\n -~]*$/);
  });

  it("notes resources whose names change nothing", async () => {
    const { tool, home } = user({});
    const plan = (capacity: object) => {
      const request = {
        calendar: { start: "2026-03-02", resources: { Ada: { hours: ["mon-fri 09:00-13:00"] } } },
        capacity,
        tasks: [{ id: "a", durationMs: 1, resources: { ada: 1, disk: 1 } }],
      };
      writeFileSync(join(home, "plan.json"), JSON.stringify(request));
      return tool("scheduler", "plan", "plan.json", "--iterations", "1");
    };
    const { code, stderr } = await plan({});
    expect(code).toBe(0);
    expect(stderr).toContain('No task holds "Ada", which has hours. Did you mean ada?');
    expect(stderr).toContain('"ada" is unlimited: it has neither a capacity nor hours. Did you mean Ada?');
    expect(stderr).not.toContain("disk");
    expect((await plan({ Ada: 1, ada: 1 })).stderr).not.toMatch(/No task holds|unlimited/);
  });

  it("reports a cycle, an invalid file and a missing file", async () => {
    const { tool, home } = await startOwner();
    const plan = (content: string) => {
      writeFileSync(join(home, "tasks.json"), content);
      return tool("scheduler", "plan", "tasks.json");
    };
    const cycle = await plan('[{"id":"a","durationMs":1,"dependsOn":["a"]}]');
    expect(cycle.code).not.toBe(0);
    expect(cycle.stderr).toContain('"a" → "a"');
    expect(await plan("[")).toMatchObject({ code: 2, stderr: expect.stringContaining("not valid JSON") });
    expect(await plan("{}")).toMatchObject({ code: 2, stderr: expect.stringContaining("list of tasks") });
    const missing = await tool("scheduler", "plan", "none.json");
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining("does not exist") });
  });
});
