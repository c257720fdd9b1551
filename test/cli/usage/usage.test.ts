import { describe, expect, it } from "vitest";
import { inset } from "../../../src/cli/terminal/inset.ts";
import { boundLines } from "../../../src/cli/usage/bound-lines.ts";
import { usageByLines } from "../../../src/cli/usage/usage-by-lines.ts";
import { usageLines } from "../../../src/cli/usage/usage-lines.ts";
import { startApp } from "../../support/app.ts";
import { testIo } from "../support/io.ts";
import { ownerOf, startOwner } from "../support/owner.ts";

const use = (limit: number, used: number) => ({ limit, used });
const NOWHERE = "http://127.0.0.1:9";

describe("tool entitlements", () => {
  it("lists open gates, and answers for one gate with its exit code", async () => {
    const { tool } = await startOwner({ plan: "pro" });
    const { code, stdout } = await tool("entitlements");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Account default is on plan Pro$/m);
    expect(stdout).toMatch(/^✔ agents\.business$/m);
    expect((await tool("entitlements", "--check", "agents.business")).code).toBe(0);
    const closed = await tool("entitlements", "--check", "agents.enterprise", "--json");
    expect(closed.code).toBe(3);
    expect(closed.json).toMatchObject({
      gate: "agents.enterprise",
      allowed: false,
      tier: "pro",
      requiredTier: "team",
      reason: '"agents.enterprise" needs the Team plan; this account is on Pro.',
    });
  });

  it("takes an unset variable for no gate, rather than for an open one", async () => {
    const { tool } = await startOwner();
    const { code, stdout, stderr } = await tool("entitlements", "--check", "");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("--check is empty");
  });

  it("answers offline from the signed document", async () => {
    const { app, tool } = await startOwner({ plan: "pro" });
    expect((await tool("entitlements", "--offline")).code).toBe(6);
    await tool("entitlements");
    await app.close();
    const { code, stdout } = await tool("entitlements", "--check", "agents.business");
    expect(code).toBe(0);
    expect(stdout).toContain("From the cache, resolved");
    expect((await tool("entitlements", "--offline", "--json")).json).toMatchObject({
      source: "cache",
      plan: "pro",
    });
  });
});

describe("tool usage", () => {
  const at = (day: number) => `2026-01-${String(day).padStart(2, "0")}T00:00:00.000Z`;
  const usage = {
    from: at(1),
    to: at(4),
    granularity: "day" as const,
    projectId: "shop",
    totals: { api_calls: 1600, agents_invoked: 100, skills_accessed: 0, workflows_started: 0, mcp_calls: 0 },
    series: [
      { at: at(1), counts: { api_calls: 400 } },
      { at: at(2), counts: {} },
      { at: at(3), counts: { api_calls: 1200, agents_invoked: 100 } },
    ],
  };

  it("breaks usage down by origin as a table, JSON and CSV", async () => {
    const app = await startApp();
    const made = await app.request("POST", "/api/v1/keys", { body: { name: "ci", scopes: ["write"] } });
    const body = { type: "api_calls", count: 3, metadata: { tool: "search" } };
    await app.request("POST", "/api/v1/track", { key: made.body.secret, body });
    const { tool } = ownerOf(app);
    const { code, stdout } = await tool("usage", "--by", "key,tool", "--days", "1");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Usage by key, tool$/m);
    expect(stdout).toMatch(new RegExp(`^ci +search +3 +${made.body.key.id}$`, "m"));
    expect(stdout).toMatch(/^total 3$/m);
    const { json } = await tool("usage", "--by", "key", "--json");
    expect(json.groups[0]).toMatchObject({ key: made.body.key.id, keyName: "ci", total: 3 });
    const csv = await tool("usage", "--by", "tool,user", "--csv");
    expect(csv.stdout.split("\r\n")).toEqual([
      "tool,user,userName,api_calls,agents_invoked,skills_accessed,workflows_started,mcp_calls,total,refused",
      expect.stringMatching(/^search,usr_\w+,owner@localhost,3,0,0,0,0,3,0$/),
      "",
    ]);
    expect((await tool("usage", "--by", "tool", "--type", "mcp_calls")).stdout).toContain(
      "Nothing was counted",
    );
    await app.request("POST", "/api/v1/track", {
      body: { type: "api_calls" },
      headers: { "X-Project-Id": "web" },
    });
    expect((await tool("usage", "--by", "key", "--project", "web")).stdout).toMatch(/^total 1$/m);
    expect((await tool("usage", "--by", "project", "--project", "web")).stdout).toMatch(/^total 4$/m);
  });

  it("says which keys and people are gone", () => {
    const used = { counts: usage.totals, total: 3, refused: 0 };
    const groups = [
      {
        ...used,
        key: "key_3cccccc",
        keyName: "ci",
        keyGone: true as const,
        user: "usr_1",
        userGone: true as const,
      },
      { ...used, key: "key_4dddddd", keyName: "ci", user: "usr_2", userName: "ann@example.com" },
    ];
    const { io } = testIo({ terminal: true, columns: 100 });
    expect(usageByLines({ ...usage, groups }, ["key", "user"], io.out).slice(4, 6)).toEqual([
      expect.stringMatching(/^ci \(gone\) +usr_1 \(gone\) +3 +key_3cccccc +usr_1$/),
      expect.stringMatching(/^ci +ann@example.com +3 +key_4dddddd +usr_2$/),
    ]);
  });

  it("tells apart what has one name, also where there is no room for ids", () => {
    const named = (key: string, keyName: string) => ({
      ...{ key, keyName },
      ...{ counts: usage.totals, total: 3, refused: 0 },
    });
    const groups = [
      named("fam_1aaaaaa", "tool-cli"),
      named("fam_2bbbbbb", "tool-cli"),
      named("key_3cccccc", "ci"),
    ];
    const { io } = testIo({ terminal: true, columns: 24 });
    expect(usageByLines({ ...usage, groups }, ["key"], io.out).slice(3, 7)).toEqual([
      "Key               Uses",
      "tool-cli …aaaaaa     3",
      "tool-cli …bbbbbb     3",
      "ci                   3",
    ]);
  });

  it("tells an operator of other accounts, and what was refused whatever the project", async () => {
    const app = await startApp();
    const account = { name: "Acme", ownerEmail: "ada@acme.example", plan: "free" };
    const { body } = await app.request("POST", "/api/v1/accounts", { body: account });
    await app.request("POST", "/api/v1/track", { body: { type: "api_calls", count: 2 } });
    const { tool } = ownerOf(app, { TOOL_PROJECT: "web" });
    const all = await tool("usage", "--by", "account", "--account", "all");
    expect(all.stdout).toMatch(/^Usage by account$/m);
    expect(all.stdout).toMatch(/^default +2 +acc_\w+$/m);
    const theirs = await tool("usage", "--by", "key", "--account", body.account.id);
    expect(theirs.stdout).toContain("Nothing was counted");
    expect((await tool("usage", "--by", "key", "--account", "acc_nobody")).stderr).toContain(
      'There is no account "acc_nobody".',
    );
    const { json } = await tool("usage", "--by", "key", "--type", "refused", "--json");
    expect(json.projectId).toBeNull();
  });

  it.each([
    [["--by", "keys"], "It must list some of account, project, key, user, tool"],
    [["--csv"], "need --by"],
    [["--account", "all"], "need --by"],
    [["--from", "2026-01-01"], "need --by"],
  ])("exits with 2 for %j", async (words, message) => {
    const { tool } = ownerOf({ url: NOWHERE });
    const { code, stderr } = await tool("usage", ...words);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it("fits 80 and 40 columns by dropping ids and cutting names, never numbers", () => {
    const groups = Array.from({ length: 45 }, (_, index) => ({
      key: `key_01jd000000000000000000${String(index).padStart(4, "0")}`,
      ...(index % 2 === 0 && { keyName: "a key with a rather long name, for deploys" }),
      user: index === 3 ? null : "usr_01jd0000000000000000000000",
      userName: "somebody@example.test",
      counts: usage.totals,
      total: 1_234_567,
      refused: 8910,
    }));
    const report = { ...usage, projectId: null, series: [], refused: 400_950, groups, groupCount: 45 };
    for (const columns of [80, 40]) {
      const { io } = testIo({ terminal: true, columns });
      const lines = usageByLines(report, ["key", "user"], io.out);
      for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(columns);
      expect(lines.filter((line) => line.includes("1,234,567") && line.includes("8,910"))).toHaveLength(40);
      expect(lines.join("\n")).toContain("5 more groups");
    }
  });

  it("draws bars with their numbers, and a trend", () => {
    const { io } = testIo({ terminal: true, columns: 80 });
    expect(usageLines(usage, 3, io.out)).toEqual([
      "Usage of project shop, last 3 days (UTC)",
      "",
      `api_calls         ${"█".repeat(40)} 1,600  ▄▁█`,
      "agents_invoked    ██▌ 100  ▁▁█",
      "skills_accessed   0",
      "workflows_started 0",
      "mcp_calls         0",
      "",
      "2026-01-01        ████████████▎ 400",
      "2026-01-02        0",
      `2026-01-03        ${"█".repeat(40)} 1,300`,
      "",
      "total             1,700",
    ]);
  });

  it("fits 40 columns, also in ASCII", () => {
    for (const unicode of [true, false]) {
      const { io } = testIo({ terminal: true, columns: 40, unicode });
      const lines = usageLines(usage, 3, io.out).flatMap((line) => inset(line, io.out).split("\n"));
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
    }
  });

  it("shows the bounds of the account and how much of each is used", async () => {
    const { tool } = await startOwner();
    const { stdout } = await tool("usage");
    expect(stdout).toMatch(/^Used of the account's limits, plan Enterprise, all projects together$/m);
    expect(stdout).toMatch(/^requests in a burst +\S+ \d+ of 2,000$/m);
    expect(stdout).toMatch(/^requests a day +\S+ \d+ of 1,000,000$/m);
    expect(stdout).toMatch(/^storage +\S+ [\d.]+ (B|KiB) of 4 GiB$/m);
    expect(stdout).toMatch(/^documents +\S+ \d+ of 5,000,000$/m);
    expect(stdout).toMatch(/^computing a minute +\S+ 0 s of 600 s$/m);
    const { account, totals } = (await tool("usage", "--json")).json;
    expect(account.bounds.documents).toEqual({ limit: 5_000_000, used: expect.any(Number) });
    expect(totals).toHaveProperty("api_calls");
  });

  it("draws a full bar for a bound that is reached, and says when the server is full", () => {
    const { io } = testIo({ terminal: true, columns: 80 });
    const report = {
      plan: "free",
      planName: "Free of charge",
      bounds: {
        storageBytes: use(2 ** 25, 2 ** 25 + 1),
        documents: use(20_000, 10_000),
        computeSecondsPerMinute: use(30, 1.5),
        jobsInFlight: use(8, 0),
        streams: use(4, 4),
      },
      windows: [
        { name: "minute" as const, limit: 20, capacity: 40, remaining: 10, resetAt: "" },
        { name: "hour" as const, limit: 200, capacity: 200, remaining: 200, resetAt: "" },
        { name: "day" as const, limit: 1000, capacity: 1000, remaining: 0, resetAt: "" },
      ],
      uses: [
        { type: "mcp_calls" as const, limit: 1000, used: 250, resetAt: "" },
        { type: "workflows_started" as const, limit: 10, used: 12, resetAt: "" },
      ],
      server: { takesMore: false },
    };
    expect(boundLines(report, io.out)).toEqual([
      "Used of the account's limits, plan Free of charge, all projects together",
      "",
      `requests in a burst       ${"█".repeat(15)}${"░".repeat(5)} 30 of 40`,
      `requests an hour          ${"░".repeat(20)} 0 of 200`,
      `requests a day            ${"█".repeat(20)} 1,000 of 1,000`,
      `mcp_calls a month         ${"█".repeat(5)}${"░".repeat(15)} 250 of 1,000`,
      `workflows_started a month ${"█".repeat(20)} 12 of 10`,
      `storage                   ${"█".repeat(20)} 32 MiB of 32 MiB`,
      `documents                 ${"█".repeat(10)}${"░".repeat(10)} 10,000 of 20,000`,
      `computing a minute        █${"░".repeat(19)} 1.5 s of 30 s`,
      `computing at once         ${"░".repeat(20)} 0 of 8`,
      `event streams             ${"█".repeat(20)} 4 of 4`,
      "",
      "The server's memory is full: it stores nothing more until something is deleted.",
    ]);
  });

  it.each([40, 60, 80, 200])(
    "fits the bounds of the account on %d columns, with bars from 60 columns on",
    (columns) => {
      const { io } = testIo({ terminal: true, columns });
      const report = {
        plan: "team",
        planName: "Team",
        bounds: {
          storageBytes: use(2 ** 30, 2868),
          documents: use(1_000_000, 7),
          computeSecondsPerMinute: use(120, 119),
          jobsInFlight: use(32, 0),
          streams: use(64, 64),
        },
        windows: [],
        uses: [{ type: "mcp_calls" as const, limit: 0, used: 0, resetAt: "" }],
        server: { takesMore: true },
      };
      const [, , ...lines] = boundLines(report, io.out);
      expect(lines).toHaveLength(6);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns - 2);
      expect(lines[0]).toMatch(/^mcp_calls a month .*0 of 0$/);
      expect(lines[1]).toMatch(/^storage .*2\.8 KiB of 1 GiB$/);
      expect(/[█░]/.test(lines.join(""))).toBe(columns >= 60);
    },
  );

  it("says how to begin when nothing has been counted", async () => {
    const { tool } = await startOwner();
    expect((await tool("usage")).stdout).toContain("tool track agents_invoked");
  });
});
