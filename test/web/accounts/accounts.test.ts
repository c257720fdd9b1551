import { describe, expect, it } from "vitest";
import { accountUses } from "../../../src/accounts/model.ts";
import { SERVER } from "../../../src/audit/trail.ts";
import { countUses } from "../../../src/metering/usage/counters.ts";
import { countByOrigin } from "../../../src/metering/usage/origins.ts";
import { GLOBAL } from "../../../src/store/store.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { browserOn, memberOn } from "../../support/browsing.ts";
import { fakeClock } from "../../support/clock.ts";

const NOW = Date.UTC(2026, 2, 31, 12, 30);
const DAY = 24 * 60 * 60_000;
const PATH = "/server/accounts";

async function add(app: TestApp, name: string, plan = "free"): Promise<string> {
  const ownerEmail = `owner@${name.toLowerCase()}.example`;
  const made = await app.request("POST", "/api/v1/accounts", { body: { name, ownerEmail, plan } });
  return made.body.account.id;
}

/** Counts uses of a key at an instant. */
async function use(app: TestApp, accountId: string, count: number, at: number, keyId = "key_x") {
  const { projects, audit } = app.app.services;
  await projects.getOrCreate(accountId, "default");
  const origin = { accountId, projectId: "default", keyId, userId: "usr_x", tool: "" };
  await audit.transact(SERVER, async (tx) => {
    await countUses(tx, [{ type: "api_calls", count, at, origin }]);
    const before = await tx.get(accountUses, GLOBAL, accountId);
    await tx.put(accountUses, GLOBAL, accountId, { lastUsedAt: Math.max(at, before?.lastUsedAt ?? 0) });
    await countByOrigin(tx, [{ type: "refused", count: 1, at, origin }]);
  });
}

/** Starts a server with three accounts. Globex used most yesterday, and Acme today. */
async function served() {
  const app = await startApp({ clock: fakeClock(NOW) });
  const [acme, globex, initech] = [
    await add(app, "Acme"),
    await add(app, "Globex", "team"),
    await add(app, "Initech"),
  ];
  await use(app, acme, 500, NOW);
  await use(app, acme, 10, NOW - DAY);
  await use(app, globex, 300, NOW - DAY);
  await use(app, initech, 9000, NOW - 40 * DAY);
  return { app, acme, globex, initech, operator: await browserOn(app) };
}

/** Returns the names of the accounts on a page, in order. */
const namesIn = (html: string) =>
  [...html.matchAll(/<th scope="row"><a [^>]*>([^<]*)</g)].map(([, name]) => name);

describe("the page of all accounts", () => {
  it("sorts accounts by use, name, refusals and last use", async () => {
    const { operator, acme } = await served();
    const { text, html } = await operator.get(`${PATH}?sort=-today`);
    expect(text).toMatch(/Acme Free 500 10 510 1 .* Globex Team 0 300 300 0 /);
    expect(html).toContain(`href="${PATH}?id=${acme}"`);
    for (const [asked, first] of [
      ["sort=-yesterday", "Globex"],
      ["sort=name", "Acme"],
      ["sort=-refused", "Acme"],
      ["sort=-lastUsedAt", "Acme"],
      ["", "Acme"],
    ]) {
      expect(namesIn((await operator.get(`${PATH}?${asked}`)).html)[0], asked).toBe(first);
    }
  });

  it("finds accounts by part of a name, id, e-mail, plan or state", async () => {
    const { operator, acme, globex, app } = await served();
    await app.request("PATCH", `/api/v1/accounts/${globex}`, { body: { suspended: true } });
    for (const [asked, names] of [
      ["query=GLOB", ["Globex"]],
      [`query=${acme}`, ["Acme"]],
      ["query=owner%40localhost", ["default"]],
      ["query=nobody%40example.com", []],
      ["plan=team", ["Globex"]],
      ["state=suspended", ["Globex"]],
      ["plan=free&state=active&sort=name", ["Acme", "Initech"]],
    ] as const) {
      expect(namesIn((await operator.get(`${PATH}?${asked}`)).html), asked).toEqual(names);
    }
  });

  it("exports the filtered and sorted accounts as CSV", async () => {
    const { operator, acme } = await served();
    const file = await operator.get(`${PATH}/export?plan=free&sort=name`);
    const lines = file.html.trim().split("\r\n");
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(new RegExp(`^${acme},Acme,free,active,2026-03-31T12:30:00.000Z,500,10,510,1,`));
  });

  it("is hidden from non-operators like a page that does not exist", async () => {
    const { app, acme } = await served();
    const { browser } = await memberOn(app, "admin@example.com", "admin");
    const unknown = await browser.get("/server/nothing");
    for (const path of [PATH, `${PATH}?id=${acme}`, `${PATH}/export`]) {
      const refused = await browser.get(path);
      expect(refused.status, path).toBe(unknown.status);
      expect(refused.text).not.toContain("Acme");
    }
    expect((await browser.get("/")).html).not.toContain("/server/");
    const token = /name="form_token" value="([^"]*)"/.exec((await browser.get("/")).html)?.[1] ?? "";
    const form = new URLSearchParams({ form_token: token, do: "suspend", id: acme });
    expect((await browser.post(PATH, form.toString())).status).toBe(403);
    expect((await app.request("GET", "/api/v1/accounts")).text).not.toContain("suspendedAt");
  });
});

describe("the page of one account", () => {
  const notice = (html: string) =>
    /<div class="notice done row" role="status"[^>]*><p>([^<]*)</.exec(html)?.[1];

  it("changes the plan, reports the change, and undoes it", async () => {
    const { app, operator, acme } = await served();
    const address = `${PATH}?id=${acme}`;
    const planOf = async () =>
      (await app.request("GET", "/api/v1/accounts")).body.items.find(({ id }: { id: string }) => id === acme)
        .plan;
    const page = await operator.get(address);
    const done = await operator.send(page, address, { do: "plan", plan: "team" });
    expect(await planOf()).toBe("team");
    const after = await operator.get(done.location ?? "");
    expect(notice(after.html)).toMatch(
      /^Acme is on Team now: [\d,]+ requests a minute, .*\. It was on Free\.$/,
    );
    await operator.post(PATH, undoIn(after.html));
    expect(await planOf()).toBe("free");
    expect((await operator.send(page, address, { do: "plan", plan: "nothing" })).status).toBe(400);
  });

  it("gives the plan an end, keeps its time, and undoes that", async () => {
    const { app, operator, acme } = await served();
    const address = `${PATH}?id=${acme}`;
    const plans = async () => {
      const { plan, nextPlan } = await app.app.services.accounts.get(acme);
      return nextPlan ? [plan, nextPlan.plan, new Date(nextPlan.at).toISOString()] : [plan];
    };
    const page = await operator.get(address);
    const fields = { do: "plan", plan: "pro", until: "2126-12-15", next: "team" };
    const done = await operator.send(page, address, fields);
    expect(await plans()).toEqual(["pro", "team", "2126-12-15T23:59:59.999Z"]);
    const after = await operator.get(done.location ?? "");
    expect(notice(after.html)).toMatch(
      /^Acme is on Pro until 2126-12-15, then Team now: .* It was on Free\.$/,
    );
    expect(after.html).toContain('value="2126-12-15"');
    await operator.post(PATH, undoIn(after.html));
    expect(await plans()).toEqual(["free"]);

    const at = "2126-12-15T09:30:00.000Z";
    await app.request("PATCH", `/api/v1/accounts/${acme}`, { body: { nextPlan: { plan: "team", at } } });
    await operator.send(await operator.get(address), address, { ...fields, plan: "pro" });
    expect(await plans()).toEqual(["pro", "team", at]);
    expect((await operator.get(PATH)).html).toContain("Pro until 2126-12-15 09:30 UTC, then Team");
    expect((await operator.get(address)).text).toContain("It ends at 2126-12-15 09:30 UTC");
    const ended = await operator.send(page, address, { ...fields, until: "" });
    expect(await plans()).toEqual(["pro"]);
    await operator.post(PATH, undoIn((await operator.get(ended.location ?? "")).html));
    expect(await plans()).toEqual(["pro", "team", at]);
    for (const wrong of [{ until: "2020-01-01" }, { until: "soon" }, { next: "gold" }, { next: "pro" }]) {
      expect((await operator.send(page, address, { ...fields, ...wrong })).status).toBe(400);
    }
    const added = await operator.send(await operator.get(PATH), PATH, {
      ...{ do: "create", name: "Tried", owner: "tried@example.test" },
      ...{ plan: "team", until: "2126-12-15", next: "free" },
    });
    expect(added.status).toBeLessThan(300);
    const { items } = (await app.request("GET", "/api/v1/accounts")).body;
    expect(items.at(-1)).toMatchObject({ name: "Tried", plan: "team", nextPlan: { plan: "free" } });
  });

  it("sets the account's own limits, keeps those not in the form, and refuses invalid ones", async () => {
    const { app, operator, acme } = await served();
    const custom = { endpoints: { "usage.track": 7 }, storageBytes: 2 ** 25 };
    await app.request("PATCH", `/api/v1/accounts/${acme}`, { body: { limits: custom } });
    const limits = () => app.app.services.accounts.get(acme).then((account) => account.limits);
    const address = `${PATH}?id=${acme}`;
    const page = await operator.get(address);
    const fields = {
      do: "limits",
      requestsPerMinute: "5,000",
      requestsPerHour: "",
      requestsPerDay: "",
      burst: "",
      "usesPerMonth.skills_accessed": "12 000",
      "usesPerMonth.mcp_calls": "",
    };
    const done = await operator.send(page, address, fields);
    expect(await limits()).toEqual({
      ...custom,
      requestsPerMinute: 5000,
      usesPerMonth: { skills_accessed: 12_000 },
    });
    const after = await operator.get(done.location ?? "");
    expect(notice(after.html)).toBe(
      "Acme has limits of its own: 5,000 requests a minute, 32 MiB stored, 12,000 skills accessed a month, 7 requests a minute to usage.track.",
    );
    await operator.post(PATH, undoIn(after.html));
    expect(await limits()).toEqual(custom);
    for (const wrong of ["0", "-1", "many", "1e99"]) {
      const refused = await operator.send(page, address, { ...fields, requestsPerMinute: wrong });
      expect(refused.status, wrong).toBe(400);
    }
    const refused = await operator.send(page, address, { ...fields, "usesPerMonth.mcp_calls": "some" });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("MCP calls a month")]);
    const forged = { do: "limits-as-before", limits: "{" };
    expect((await operator.send(page, address, forged)).status).toBeLessThan(500);
  });

  it("suspends and resumes the account and its keys, with entries in its audit log", async () => {
    const { app, operator } = await served();
    const { accountId, token } = await app.account("team");
    const { key, secret } = (
      await app.request("POST", "/api/v1/keys", { key: token, body: { name: "loud", scopes: ["write"] } })
    ).body;
    await use(app, accountId, 77, NOW - DAY, key.id);
    const track = (credential: string) =>
      app.request("POST", "/api/v1/track", { key: credential, body: { type: "api_calls" } });
    const address = `${PATH}?id=${accountId}`;
    const page = await operator.get(address);
    expect(page.text).toMatch(new RegExp(`loud ${key.id} 77 1 Stop the key loud`));
    const stopped = await operator.send(page, address, { do: "suspend-key", key: key.id });
    expect((await track(secret)).status).toBe(401);
    const after = await operator.get(stopped.location ?? "");
    expect(notice(after.html)).toContain("The key loud is stopped");
    expect(after.text).toContain("Resume the key loud");
    await operator.post(PATH, undoIn(after.html));
    expect((await track(secret)).status).toBe(200);
    await operator.send(page, address, { do: "suspend" });
    expect((await track(token)).status).toBe(403);
    expect((await operator.get(address)).text).toContain("Resume this account");
    await operator.send(page, address, { do: "resume" });
    expect((await track(token)).status).toBe(200);
    const own = await app.request("GET", `/api/v1/audit-log?accountId=${accountId}&limit=4`);
    const done = own.body.items.map(({ action, actor }: { action: string; actor: { name: string } }) => [
      action,
      actor.name,
    ]);
    expect(done).toEqual([
      ["account.resumed", "owner@localhost"],
      ["account.suspended", "owner@localhost"],
      ["key.resumed", "owner@localhost"],
      ["key.suspended", "owner@localhost"],
    ]);
    const seen = await operator.get(`/audit?of=${accountId}&action=key.suspended`);
    expect(seen.text).toMatch(/key\.suspended just now loud owner@localhost/);
  });

  it("adds an account with a sign-in link for its first owner", async () => {
    const { operator } = await served();
    const page = await operator.get(PATH);
    const made = await operator.send(page, PATH, {
      do: "create",
      name: "Hooli",
      owner: "gavin@hooli.example",
      plan: "team",
    });
    expect(made.text).toContain("Hooli is added");
    expect(made.html).toMatch(/value="http[^"]*\/sign-in\?link=/);
    expect(
      (await operator.send(page, PATH, { do: "create", name: "", owner: "x", plan: "team" })).status,
    ).toBe(400);
    expect((await operator.send(page, PATH, { do: "constructor" })).status).toBe(400);
  });
});

describe("the page of one account", () => {
  it("gives an operator all that the account keeps, and what is kept of one of its people", async () => {
    const { operator, acme, globex, app } = await served();
    const { html } = await operator.get(`${PATH}?id=${acme}`);
    const [ofPerson = ""] = html.match(/\/server\/accounts\/export\?person=usr_\w+/) ?? [];
    expect(html).toContain(`${PATH}/export?id=${acme}`);
    const whole = await operator.get(`${PATH}/export?id=${acme}`);
    expect(whole.html).toContain('"name":"Acme"');
    expect(whole.html).not.toContain(globex);
    const person = await operator.get(ofPerson);
    expect(person.headers.get("content-disposition")).toMatch(/^attachment; filename="usr_\w+\.jsonl"$/);
    expect(person.html).toContain('"email":"owner@acme.example"');
    expect(person.html).not.toContain("globex.example");
    expect((await operator.get(`${PATH}/export?id=acc_0`)).status).toBe(404);
    const named = await operator.get(`${PATH}/export?person=${encodeURIComponent('zoë"☃@acme.example')}`);
    expect(named.status).toBe(200);
    expect(named.headers.get("content-disposition")).toBe('attachment; filename="zo___@acme.example.jsonl"');
    const { browser } = await memberOn(app, "bob@example.com", "admin");
    expect((await browser.get(ofPerson)).status).toBe(404);
  });
});

/** Returns the body of the form that undoes what a page reports as done. */
function undoIn(html: string): string {
  const form = /<div class="notice done row".*?<form [^>]*>(.*?)<\/form>/s.exec(html)?.[1] ?? "";
  const fields = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"\/>/g)];
  return new URLSearchParams(
    fields.map(([, name = "", value = ""]): [string, string] => [
      name,
      value.replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
    ]),
  ).toString();
}
