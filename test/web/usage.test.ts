import { describe, expect, it } from "vitest";
import { SERVER } from "../../src/audit/trail.ts";
import { countUses } from "../../src/metering/usage/counters.ts";
import type { Origin } from "../../src/metering/usage/origins.ts";
import { startApp } from "../support/app.ts";
import { browserOn, memberOn } from "../support/browsing.ts";
import { fakeClock } from "../support/clock.ts";

const NOW = Date.UTC(2026, 2, 31, 12, 30);
const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

/** Starts a server with the usage of two people, some of it old. */
async function usedServer() {
  const clock = fakeClock(NOW);
  const app = await startApp({ clock });
  const me = (await app.request("GET", "/api/v1/account")).body;
  const ann = await memberOn(app, "ann@example.com");
  const key = async (name: string) =>
    (await app.request("POST", "/api/v1/keys", { body: { name, scopes: ["write"] } })).body.key.id as string;
  const [ci, deploy] = [await key("ci"), await key("deploy")];
  for (const project of ["shop", "web"]) {
    await app.app.services.projects.getOrCreate(me.account.id, project);
  }
  const use = (count: number, at: number, more: Partial<Origin>) => {
    const origin = {
      accountId: me.account.id,
      projectId: "shop",
      keyId: ci,
      userId: me.user.id,
      tool: "",
      ...more,
    };
    return app.app.services.audit.transact(SERVER, (tx) =>
      countUses(tx, [{ type: "api_calls", count, at, origin }]),
    );
  };
  await use(5, NOW, {});
  await use(7, NOW - DAY, { keyId: deploy, tool: "build" });
  await use(11, NOW - DAY, { keyId: "ses_x", userId: ann.userId });
  await use(13, NOW - 40 * DAY, { projectId: "web" });
  return { app, me, ann, ci, deploy, owner: await browserOn(app) };
}

describe("the usage page", () => {
  it("exports exactly what the API answers", async () => {
    const { app, owner } = await usedServer();
    for (const [address, question] of [
      ["/usage/export?project=shop&by=key", "groupBy=key&projectId=shop&from=2026-03-02&to=2026-04-01"],
      ["/usage/export?by=project&period=90d", "groupBy=project&from=2026-01-01&to=2026-04-01"],
      ["/usage/export?of=all&by=user&period=7d", "groupBy=user&from=2026-03-25&to=2026-04-01"],
      [
        "/usage/export?of=all&by=tool&from=2026-03-30&to=2026-03-30&each=hour&type=api_calls",
        "groupBy=tool&from=2026-03-30&to=2026-03-31&granularity=hour&type=api_calls",
      ],
    ]) {
      for (const [format, type] of [
        ["csv", "text/csv"],
        ["json", "application/json"],
      ] as const) {
        const file = await owner.get(`${address}&format=${format}`);
        const answer = await app.request("GET", `/api/v1/usage?${question}&format=${format}`);
        expect(file.html, address).toBe(answer.text);
        const name = new RegExp(`^attachment; filename="usage-by-\\w+\\.${format}"$`);
        expect(file.headers.get("content-disposition")).toMatch(name);
        expect(file.headers.get("content-type")).toContain(type);
      }
    }
  });

  it("shows the totals of each group in a table with links, and filters them", async () => {
    const { owner, ci, deploy, ann } = await usedServer();
    const byKey = await owner.get("/usage?project=shop");
    expect(byKey.text).toContain("23 in all");
    expect(byKey.text).toMatch(
      /ses_x signed out 11 47\.8 % Chart of ses_x deploy 7 30\.4 % Chart of deploy ci 5 21\.7 %/,
    );
    for (const id of [ci, deploy]) expect(byKey.html).toContain(`href="/keys?project=shop&amp;key=${id}"`);
    const byUser = await owner.get("/usage?project=shop&by=user");
    expect(byUser.text).toMatch(/owner@localhost 12 .*ann@example.com 11 /);
    expect(byUser.html).toContain("/people?project=shop&amp;query=ann%40example.com");
    expect((await owner.get("/usage?by=project&period=90d")).text).toMatch(/shop 23 .*web 13 /);
    for (const [asked, sum, only] of [
      [`key=${ci}`, 5, "Only key ci: show all"],
      [`user=${ann.userId}`, 11, "Only user ann@example.com: show all"],
      ["tool=build", 7, "Only tool build: show all"],
      ["of=all&period=90d", 36, ""],
      ["of=all&period=24h", 5, ""],
    ]) {
      const { text } = await owner.get(`/usage?project=shop&${asked}`);
      expect(text, `${asked}`).toContain(`${sum} in all`);
      expect(text, `${asked}`).toContain(only);
    }
  });

  it("keeps the dates after a right-to-left name in order", async () => {
    const { owner, app, me } = await usedServer();
    const name = "\u05d7\u05e0\u05d5\u05ea";
    await app.app.services.projects.getOrCreate(me.account.id, name);
    const { html } = await owner.get(`/usage?project=${encodeURIComponent(name)}&before=1`);
    // Outside of an element of its own, a name like this has the digits that follow it to its left (UAX #9).
    expect(html).not.toMatch(new RegExp(`${name}[^<]*\\d`));
  });

  it("shows members only their own usage, and refuses that of others", async () => {
    const { ann, me, ci, app } = await usedServer();
    const { browser } = ann;
    for (const asked of ["", "&by=user", "&of=all&period=90d", "&before=1"]) {
      const { text, html } = await browser.get(`/usage?project=shop${asked}`);
      expect(text, asked).toContain("11 in all");
      for (const other of ["owner@localhost", "deploy", ci, me.user.id])
        expect(html, asked).not.toContain(other);
    }
    expect((await browser.get(`/usage?project=shop&key=${ci}`)).text).toContain("Nothing was counted");
    expect((await browser.get(`/usage?project=shop&user=${me.user.id}`)).text).toContain(
      'needs the scope "admin"',
    );
    expect((await browser.get("/?project=shop")).text).toContain("Yours. Project shop");
    const file = await browser.get("/usage/export?project=shop&by=key");
    expect(file.html.trim().split("\n")).toHaveLength(2);
    expect(file.html).toContain("ses_x");
    expect((await browser.get(`/usage/export?project=shop&user=${me.user.id}`)).status).toBe(403);
    expect((await app.request("GET", "/api/v1/usage?groupBy=key&projectId=shop")).body.groups).toHaveLength(
      3,
    );
  });

  it("has a page of limits that shows the top keys of today and suspends them", async () => {
    const { app, owner, ci, ann } = await usedServer();
    const page = await owner.get("/limits");
    expect(page.text).toMatch(
      /Who uses most today .* Key Uses Requests refused by limits Stop it ci 5 0 Stop the key ci/,
    );
    await owner.send(page, "/keys");
    expect((await app.request("GET", `/api/v1/keys/${ci}`)).body.key.suspendedAt).toEqual(expect.any(String));
    expect((await owner.get("/limits")).text).toContain("Resume the key ci");
    const own = (await ann.browser.get("/limits")).text;
    expect(own).toContain("Nobody used anything yet.");
  });

  it("pages and sorts thousands of keys", async () => {
    const clock = fakeClock(NOW);
    const app = await startApp({ clock });
    const { account, user } = (await app.request("GET", "/api/v1/account")).body;
    const uses = Array.from({ length: 3000 }, (_, index) => ({
      type: "api_calls" as const,
      count: index + 1,
      at: NOW,
      origin: {
        accountId: account.id,
        projectId: "default",
        keyId: `key_${index}`,
        userId: user.id,
        tool: "",
      },
    }));
    await app.app.services.audit.transact(SERVER, (tx) => countUses(tx, uses));
    const owner = await browserOn(app);
    const first = await owner.get("/usage");
    expect(first.text).toMatch(/key_2999 revoked 3,000 .*key_2975 revoked 2,976 /);
    expect(first.text).not.toContain("key_2974");
    expect(first.html.length).toBeLessThan(200_000);
    const more = /href="(\/usage\?after=[^"]+)">More/.exec(first.html)?.[1] ?? "";
    expect((await owner.get(more)).text).toMatch(/key_2974 revoked 2,975 /);
    expect((await owner.get("/usage?sort=total")).text).toMatch(/key_0 revoked 1 .*key_24 revoked 25 /);
    expect((await owner.get("/usage?after=999999&sort=nothing")).status).toBe(200);
  });
});
