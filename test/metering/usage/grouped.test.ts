import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accounts, apiKeys, projects, users } from "../../../src/accounts/model.ts";
import type { Caller, Scope } from "../../../src/contract/caller.ts";
import { csvLine } from "../../../src/contract/csv.ts";
import { ORIGIN_COUNTERS } from "../../../src/metering/usage/origins.ts";
import { cover } from "../../../src/metering/usage/reports/cover.ts";
import { accountSpace, GLOBAL, projectSpace } from "../../../src/store/store.ts";
import { signIn, startApp } from "../../support/app.ts";
import { fakeClock } from "../../support/clock.ts";
import { ACCOUNT, inProject, type Metering, openMetering } from "../metering.ts";

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const NOON = Date.UTC(2026, 0, 15, 12);

const as = (userId: string, keyId: string, scopes: Scope[] = ["write"]): Partial<Caller> => ({
  userId,
  credential: { kind: "api_key", id: keyId, scopes },
});
const admin = as("usr_admin", "key_admin", ["admin"]);

/** Tracks 21 uses of two users with three keys in two projects, with and without tools. */
async function used(): Promise<Metering> {
  const metering = await openMetering({ clock: fakeClock(NOON) });
  const { api } = metering;
  const track = (count: number, who: Partial<Caller>, tool: string | undefined, project: string) =>
    api.track({ type: "api_calls", count, metadata: { tool } }, { ...who, ...inProject(project) });
  await track(1, as("usr_ann", "key_a"), "search", "shop");
  await track(2, as("usr_ann", "key_b"), undefined, "shop");
  await track(3, as("usr_bob", "key_c"), "search", "shop");
  await track(4, as("usr_bob", "key_c"), "build", "web");
  await api.track({ type: "mcp_calls", count: 11 }, { ...as("usr_bob", "key_c"), ...inProject("web") });
  return metering;
}

async function grouped(metering: Metering, groupBy: string, more: object = {}, who = admin) {
  const { body } = await metering.api.showUsage({ groupBy, ...more }, who);
  return body;
}

describe("GET /api/v1/usage with groupBy", () => {
  it.each([
    ["key", { key_c: 18, key_b: 2, key_a: 1 }],
    ["user", { usr_bob: 18, usr_ann: 3 }],
    ["project", { web: 15, shop: 6 }],
    ["tool", { null: 13, build: 4, search: 4 }],
    ["account", { [ACCOUNT]: 21 }],
  ] as const)("adds up by %s, largest first", async (dimension, expected) => {
    const body = await grouped(await used(), dimension);
    const groups = body.groups?.map((group) => [String(group[dimension]), group.total]);
    expect(groups).toEqual(Object.entries(expected));
    expect(body.totals).toMatchObject({ api_calls: 10, mcp_calls: 11 });
  });

  it("adds up by several dimensions at once, and by each of the five types", async () => {
    const body = await grouped(await used(), "user,project");
    expect(
      body.groups?.map(({ user, project, counts, total }) => [user, project, counts.mcp_calls, total]),
    ).toEqual([
      ["usr_bob", "web", 11, 15],
      ["usr_ann", "shop", 0, 3],
      ["usr_bob", "shop", 0, 3],
    ]);
    expect(body.groups?.[0]?.counts).toEqual({
      api_calls: 4,
      agents_invoked: 0,
      skills_accessed: 0,
      workflows_started: 0,
      mcp_calls: 11,
    });
  });

  it.each([
    [{ keyId: "key_c" }, 18],
    [{ userId: "usr_ann" }, 3],
    [{ tool: "search" }, 4],
    [{ projectId: "web" }, 15],
    [{ type: "mcp_calls" }, 11],
    [{ userId: "usr_bob", projectId: "shop" }, 3],
    [{ keyId: "key_gone" }, 0],
    [{ from: "2026-01-14", to: "2026-01-15" }, 0],
  ])("can be restricted to %j", async (filter, total) => {
    const body = await grouped(await used(), "key", filter);
    expect(body.groups?.reduce((sum, group) => sum + group.total, 0)).toBe(total);
    expect(Object.values(body.totals).reduce((sum, each) => sum + each, 0)).toBe(total);
  });

  it("shows members only their own use, and refuses other users and accounts", async () => {
    const metering = await used();
    const ann = as("usr_ann", "key_a", ["write"]);
    const own = await grouped(metering, "key", {}, ann);
    expect(own.groups?.map(({ key, total }) => [key, total])).toEqual([
      ["key_b", 2],
      ["key_a", 1],
    ]);
    expect((await grouped(metering, "user", { keyId: "key_c" }, ann)).groups).toEqual([]);
    expect((await grouped(metering, "user", { userId: "usr_ann" }, ann)).groups).toHaveLength(1);
    await expect(grouped(metering, "key", { userId: "usr_bob" }, ann)).rejects.toMatchObject({ status: 403 });
    for (const accountId of ["acc_other", "all"]) {
      await expect(grouped(metering, "key", { accountId })).rejects.toMatchObject({ status: 403 });
    }
  });

  it("shows a project-bound key only its project, even with operator scope", async () => {
    const metering = await used();
    const bound: Partial<Caller> = {
      credential: { kind: "api_key", id: "key_x", scopes: ["operator"], projectId: "shop" },
    };
    const body = await grouped(metering, "project", {}, bound);
    expect(body.groups?.map(({ project }) => project)).toEqual(["shop"]);
    expect(body.projectId).toBe("shop");
    await expect(grouped(metering, "project", { accountId: "all" }, bound)).rejects.toMatchObject({
      status: 403,
    });
  });

  it("shows operators another account or all accounts", async () => {
    const metering = await used();
    const { store, api } = metering;
    await store.transact((tx) =>
      tx.put(accounts, GLOBAL, "acc_two", { id: "acc_two", name: "Two", plan: "team", createdAt: 0 }),
    );
    await api.track({ type: "api_calls", count: 5 }, { accountId: "acc_two" });
    const operator = as("usr_op", "key_op", ["operator"]);
    const all = await grouped(metering, "account", { accountId: "all" }, operator);
    expect(all.groups?.map(({ account, accountName, total }) => [account, accountName, total])).toEqual([
      [ACCOUNT, "One", 21],
      ["acc_two", "Two", 5],
    ]);
    expect((await grouped(metering, "user", { accountId: "acc_two" }, operator)).totals.api_calls).toBe(5);
    await expect(grouped(metering, "user", { accountId: "acc_no" }, operator)).rejects.toMatchObject({
      status: 404,
    });
  });

  it("names keys, users and projects, and shows only the id of deleted ones", async () => {
    const metering = await used();
    const space = accountSpace(ACCOUNT);
    await metering.store.transact(async (tx) => {
      const key = {
        id: "key_c",
        name: "ci",
        prefix: "",
        secretHash: "",
        scopes: [],
        userId: "usr_bob",
        createdAt: 0,
      };
      await tx.put(apiKeys, space, "key_c", key);
      const user = {
        id: "usr_bob",
        accountId: ACCOUNT,
        email: "bob@example.test",
        role: "member" as const,
        createdAt: 0,
      };
      await tx.put(users, space, "usr_bob", user);
      const project = await tx.get(projects, space, "web");
      if (project) await tx.put(projects, space, "web", { ...project, name: "The web" });
    });
    const [first] = (await grouped(metering, "key,user,project")).groups ?? [];
    expect(first).toMatchObject({
      key: "key_c",
      keyName: "ci",
      userName: "bob@example.test",
      projectName: "The web",
    });
    const { groups } = await grouped(metering, "key");
    expect(groups?.[0]).not.toHaveProperty("keyGone");
    expect(groups?.[1]).not.toHaveProperty("keyName");
    expect(groups?.[1]).toHaveProperty("keyGone", true);
  });

  it("names keys, sign-ins and people that are gone as the audit log last did", async () => {
    const app = await startApp();
    const created = await app.request("POST", "/api/v1/keys", { body: { name: "ci", scopes: ["write"] } });
    const { id: keyId } = created.body.key;
    const { account } = (await app.request("GET", "/api/v1/account")).body;
    const bob = { email: "bob@example.test", role: "member" };
    const { user, signInLink } = (await app.request("POST", "/api/v1/users", { body: bob })).body;
    const token = await signIn(app, account.id, signInLink);
    for (const key of [created.body.secret, token]) {
      await app.request("POST", "/api/v1/track", { key, body: { type: "api_calls" } });
    }
    const shown = async (groupBy: string) =>
      (await app.request("GET", `/api/v1/usage?groupBy=${groupBy}`)).body.groups;
    await app.request("PATCH", `/api/v1/keys/${keyId}`, { body: { name: "deploys" } });
    await app.request("DELETE", `/api/v1/keys/${keyId}`);
    await app.request("DELETE", `/api/v1/users/${user.id}`);
    expect(await shown("key,user")).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          key: keyId,
          keyName: "deploys",
          keyGone: true,
          userName: "owner@localhost",
        }),
        expect.objectContaining({
          keyName: "tool-cli",
          keyGone: true,
          userName: "bob@example.test",
          userGone: true,
        }),
      ]),
    );
  });

  it("names the operator's key of TOOL_OWNER_API_KEY, which is never stored", async () => {
    const app = await startApp();
    await app.request("POST", "/api/v1/track", { body: { type: "api_calls" } });
    const { groups } = (await app.request("GET", "/api/v1/usage?groupBy=key")).body;
    expect(groups).toMatchObject([{ key: "owner", keyName: "TOOL_OWNER_API_KEY" }]);
    expect(groups[0]).not.toHaveProperty("keyGone");
  });

  it("puts uses counted before origins existed into a group without origin", async () => {
    const metering = await used();
    const { api, store } = metering;
    await store.transact(async (tx) => {
      const space = projectSpace(ACCOUNT, "shop");
      for (const [counter, bucket] of [
        ["usage_hours", "2026-01-15T12"],
        ["usage_days", "2026-01-15"],
        ["usage_months", "2026-01"],
      ] as const) {
        await tx.increment(counter, space, `${bucket}/api_calls`, 100);
      }
    });
    const ungrouped = (await api.showUsage({}, inProject("shop"))).body.totals;
    for (const groupBy of ["key", "user", "tool", "project,key"]) {
      for (const granularity of ["hour", "day", "month"]) {
        const { totals, groups = [] } = await grouped(metering, groupBy, { projectId: "shop", granularity });
        expect(totals).toEqual(ungrouped);
        expect(groups.reduce((sum, { total }) => sum + total, 0)).toBe(106);
      }
    }
    const { groups } = await grouped(metering, "project,user", { projectId: "shop" });
    expect(groups?.[0]).toMatchObject({ project: "shop", user: null, total: 100 });
    // These uses have no user, so only callers who see the whole account see them.
    expect((await grouped(metering, "user", {}, as("usr_ann", "key_a"))).totals.api_calls).toBe(3);
  });

  it("pages through all groups without repeats, and reports their number", async () => {
    const metering = await openMetering({ clock: fakeClock(NOON) });
    for (let index = 0; index < 23; index++) {
      await metering.api.track({ type: "api_calls", count: 1 + (index % 3) }, as("usr", `key_${index}`));
    }
    const seen: (string | null | undefined)[] = [];
    let cursor: string | undefined;
    do {
      const { groups = [], nextCursor, groupCount } = await grouped(metering, "key", { limit: 5, cursor });
      expect(groupCount).toBe(23);
      seen.push(...groups.map(({ key }) => key));
      cursor = nextCursor;
    } while (cursor !== undefined);
    expect(new Set(seen).size).toBe(23);
    expect(seen).toHaveLength(23);
  });

  it("pages through all groups once while others are counted", async () => {
    const metering = await openMetering({ clock: fakeClock(NOON) });
    const use = (index: number, count: number) =>
      metering.api.track({ type: "api_calls", count }, as("usr", `key_${index}`));
    for (let index = 10; index < 20; index++) await use(index, 5);
    const { groups: first = [], nextCursor } = await grouped(metering, "key", { limit: 4 });
    await use(30, 9);
    await use(31, 1);
    await use(11, 2);
    const { groups: rest = [] } = await grouped(metering, "key", { limit: 50, cursor: nextCursor });
    const names = [...first, ...rest].map(({ key }) => key);
    expect(names).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 31].map((index) => `key_${index}`));
    for (const cursor of ["4", "WyIiXQ", Buffer.from("[1,2]").toString("base64url")])
      await expect(grouped(metering, "key", { cursor })).rejects.toThrow("is no cursor of this list");
  });

  it.each([
    [{ keyId: "k" }, "keyId", "needs groupBy"],
    [{ accountId: "all" }, "accountId", "needs groupBy"],
    [{ format: "csv" }, "format", "needs groupBy"],
    [{ cursor: "1" }, "cursor", "needs groupBy"],
    [{ userId: "u" }, "userId", "needs groupBy"],
    [{ tool: "t" }, "tool", "needs groupBy"],
    [{ limit: 5 }, "limit", "needs groupBy"],
    [{ type: "refused" }, "type", "is refused, which needs groupBy"],
  ])("is required for %j", async (question, path, message) => {
    const { api } = await openMetering();
    await expect(api.showUsage(question, admin)).rejects.toMatchObject({
      extras: { errors: [{ path, message }] },
    });
  });

  it("exports CSV with formulas escaped, and JSON with all groups", async () => {
    const metering = await used();
    await metering.api.track(
      { type: "api_calls", metadata: { tool: '=SUM("a",1)' } },
      as("usr_ann", "key_a"),
    );
    for (const [question, accept] of [
      [{ format: "csv" }, undefined],
      [{}, "text/csv"],
    ] as const) {
      const { raw, headers } = await metering.api.showUsage(
        { groupBy: "tool", ...question },
        { ...admin, ...(accept && { accept }) },
      );
      expect(headers["Content-Type"]).toBe("text/csv; charset=utf-8");
      expect(raw).toBe(
        [
          "tool,api_calls,agents_invoked,skills_accessed,workflows_started,mcp_calls,total,refused",
          ",2,0,0,0,11,13,0",
          "build,4,0,0,0,0,4,0",
          "search,4,0,0,0,0,4,0",
          `"'=SUM(""a"",1)",1,0,0,0,0,1,0`,
          "",
        ].join("\r\n"),
      );
    }
    const { body } = await metering.api.showUsage({ groupBy: "tool", format: "json" }, admin);
    expect(body.groups).toHaveLength(4);
    const page = await metering.api.showUsage(
      { groupBy: "tool" },
      { ...admin, accept: "application/json, text/csv" },
    );
    expect(page.body.groups).toHaveLength(4);
  });

  it("answers with CSV if Accept names text/csv but not application/json", async () => {
    const { api } = await used();
    const isCsv = async (accept: string, format?: "csv" | "json") => {
      const answer = await api.showUsage(
        { groupBy: "tool", ...(format && { format }) },
        { ...admin, accept },
      );
      return answer.headers["Content-Type"]?.startsWith("text/csv") === true;
    };
    for (const accept of [
      "text/csv",
      "TEXT/CSV",
      "text/html, text/csv",
      "text/csv;q=0.5",
      "a/b,text/csv , c/d",
    ])
      expect([accept, await isCsv(accept)]).toEqual([accept, true]);
    for (const accept of ["", "*/*", "text/csvx", "x-text/csv", "text/csv, Application/JSON"])
      expect([accept, await isCsv(accept)]).toEqual([accept, false]);
    expect([await isCsv("text/csv", "json"), await isCsv("application/json", "csv")]).toEqual([false, true]);
  });

  it("adds up a year of 10,000 keys from months and days, and yields to the event loop", async () => {
    const metering = await openMetering({ clock: fakeClock(NOON) });
    const { store } = metering;
    const keys = 10_000;
    for (let at = 0; at < keys; at += 1000) {
      await store.transact(async (tx) => {
        for (let index = at; index < at + 1000; index++) {
          const origin = `api_calls\tdefault\tkey_${index}\tusr_one\t`;
          await tx.increment(
            ORIGIN_COUNTERS.month,
            accountSpace(ACCOUNT),
            `2025-11\t${origin}`,
            1 + (index % 7),
          );
          await tx.increment(ORIGIN_COUNTERS.day, accountSpace(ACCOUNT), `2026-01-14\t${origin}`, 1);
        }
      });
    }
    let turns = 0;
    const counting = setImmediate(function count() {
      turns++;
      next = setImmediate(count);
    });
    let next = counting;
    const body = await grouped(metering, "key", {
      from: "2025-01-14",
      to: "2026-01-15",
      granularity: "hour",
    });
    clearImmediate(next);
    expect(body.groupCount).toBe(keys);
    expect(body.groups).toHaveLength(50);
    expect(body.groups?.[0]?.total).toBe(8);
    expect(turns).toBeGreaterThan(10);
  });
});

describe("cover()", () => {
  it("returns buckets in order, without a gap, and as few as possible", () => {
    const hour = fc
      .integer({ min: 0, max: 3 * 366 * 24 })
      .map((hours) => Date.UTC(2023, 0, 1) + hours * HOUR);
    fc.assert(
      fc.property(hour, hour, (one, other) => {
        const [from, to] = one < other ? [one, other] : [other, one];
        const stretches = cover(from, to);
        let at = from;
        for (const stretch of stretches) {
          expect(stretch.from).toBe(at);
          expect(stretch.to).toBeGreaterThan(at);
          at = stretch.to;
        }
        expect(at).toBe(to);
        for (const { granularity, from, to } of stretches) {
          const begin = new Date(from).toISOString();
          const end = new Date(to).toISOString();
          if (granularity === "month")
            expect([begin.slice(8), end.slice(8)]).toEqual(Array(2).fill("01T00:00:00.000Z"));
          if (granularity === "day") {
            expect([begin.slice(11), end.slice(11)]).toEqual(Array(2).fill("00:00:00.000Z"));
            expect((to - from) / DAY).toBeLessThan(61);
          }
          if (granularity === "hour") expect((to - from) / HOUR).toBeLessThan(47);
        }
      }),
    );
  });
});

describe("csvLine()", () => {
  it.each([
    [["a", 1, null], "a,1,\r\n"],
    [["=1+1"], "'=1+1\r\n"],
    [["+1"], "'+1\r\n"],
    [["-1", -1], "'-1,-1\r\n"],
    [["@x"], "'@x\r\n"],
    [['say "hi"', "a,b", "a\nb"], '"say ""hi""","a,b","a\nb"\r\n'],
    [["\t=1"], "'\t=1\r\n"],
  ])("escapes %j", (cells, line) => expect(csvLine(cells)).toBe(line));
});
