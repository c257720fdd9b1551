import { describe, expect, it } from "vitest";
import { browserOn } from "../support/browsing.ts";
import { type Reporting, startReporting, thrown } from "../tools/observability/reporting.ts";

const ROOT = "/api/v1/tools";

interface Customer {
  accountId: string;
  token: string;
}

type Change = (app: Reporting, customer: Customer) => Promise<void>;

/** Ways to shut an account and to reopen it. */
const WAYS: [string, Change, Change, RegExp][] = [
  [
    "suspended",
    (app, { accountId }) => suspend(app, accountId, true),
    (app, { accountId }) => suspend(app, accountId, false),
    /This account is suspended by whoever runs this server/,
  ],
  [
    "closed",
    async (app, { token: key }) => {
      const { status } = await app.request("POST", "/api/v1/account/close", { key, body: { name: "team" } });
      expect(status).toBe(200);
    },
    async (app, { token: key }) => {
      expect((await app.request("POST", "/api/v1/account/keep", { key, body: {} })).status).toBe(204);
    },
    /This account is closed and will be deleted after/,
  ],
];

async function suspend(app: Reporting, accountId: string, suspended: boolean): Promise<void> {
  const { status } = await app.request("PATCH", `/api/v1/accounts/${accountId}`, { body: { suspended } });
  expect(status).toBe(200);
}

describe.each(WAYS)("an account that is %s", (_, shut, open, why) => {
  it("refuses error reports with 403, wherever their key is sent", async () => {
    const app = await startReporting();
    const customer = await app.account("team");
    const options = { key: customer.token };
    const place = await app.placeOf(options);
    const { number, key, dsn } = place;
    const event = thrown("ShutError", "x");
    await shut(app, customer);
    const raw = `{"dsn":"${dsn}"}\n{"type":"event"}\n${JSON.stringify(event)}`;
    const refused = [
      await app.report(place, event),
      await app.request("POST", `/api/${number}/envelope/`, { key: null, raw }),
      await app.request("POST", `/api/${number}/store/?sentry_key=${key}`, {
        key: null,
        raw: JSON.stringify(event),
      }),
    ];
    for (const { status, body, headers } of refused) {
      expect(status).toBe(403);
      expect(body).toMatchObject({ error: "forbidden", detail: expect.stringMatching(why) });
      expect(headers.get("access-control-allow-origin")).toBe("*");
    }
    await open(app, customer);
    expect(await app.errors("", options)).toEqual([]);
    expect((await app.report(place, event)).status).toBe(200);
    expect(await app.errors("", options)).toHaveLength(1);
  });

  it("invites nobody and renews no invitation, since that would write to strangers", async () => {
    const app = await startReporting();
    const customer = await app.account("team");
    const { token: key } = customer;
    const invite = (email: string) =>
      app.request("POST", "/api/v1/users", { key, body: { email, role: "viewer" } });
    const { body } = await invite("ada@example.com");
    const renew = () => app.request("POST", `/api/v1/users/${body.user.id}/invitation`, { key, body: {} });
    await shut(app, customer);
    for (const { status, body } of [await invite("bob@example.com"), await renew()]) {
      expect(status).toBe(403);
      expect(body).toMatchObject({ error: "forbidden", detail: expect.stringMatching(why) });
    }
    await open(app, customer);
    expect((await invite("bob@example.com")).status).toBe(201);
    expect((await renew()).status).toBe(200);
  });

  it("refuses console forms and pages of tools, and tells the reason", async () => {
    const app = await startReporting();
    const customer = await app.account("team");
    const { accountId, token: key } = customer;
    const call = async (method: string, path: string, body?: object) =>
      (await app.request(method, ROOT + path, { key, ...(body && { body }) })).body;
    const log = "src/a.js:3:1\nError: Cannot find module 'left-pad'\n";
    const { diagnosisId } = await call("POST", "/self-healing/diagnose", { log });
    const { memory } = await call("POST", "/agent-memory/store", { content: "Deploys go out at noon." });
    const { session } = await call("POST", "/pair/session", {
      participants: [{ id: "ada", role: "driver" }],
      files: [],
    });
    const browser = await browserOn(app, { accountId });
    const forms: [page: string, action: string, fields: Record<string, string>][] = [
      [
        `/diagnoses?id=${diagnosisId}`,
        `/diagnoses?id=${diagnosisId}`,
        { do: "record", id: diagnosisId, outcome: "success", fix: "again" },
      ],
      [`/memories?memory=${memory.id}`, "/memories", { do: "forget", memory: memory.id }],
      [`/pair?session=${session.id}`, "/pair", { do: "end", session: session.id }],
    ];
    const pages = await Promise.all(forms.map(([page]) => browser.get(page)));
    await shut(app, customer);
    for (const [index, [path, action, fields]] of forms.entries()) {
      const { html } = pages[index] ?? { html: "" };
      const [, token = ""] = /name="form_token" value="(.+?)"/.exec(html) ?? [];
      const sent = new URLSearchParams({ form_token: token, ...fields }).toString();
      const done = await browser.post(action, sent);
      expect([action, done.status]).toEqual([action, 403]);
      expect(done.text).toMatch(why);
      const shown = await browser.get(path);
      expect([path, shown.status]).toEqual([path, 403]);
      expect(shown.text).toMatch(why);
    }
    for (const file of ["/memories/export", "/graph/export", "/entitlements"]) {
      expect([file, (await browser.get(file)).status]).toEqual([file, 403]);
    }
    const overview = await browser.get("/");
    expect(overview.text).toMatch(why);
    expect(overview.text).not.toContain("Could not be loaded");
    await open(app, customer);
    expect((await call("GET", `/agent-memory/${memory.id}`)).memory.content).toBe(memory.content);
    expect((await browser.get("/")).text).not.toMatch(why);
  });

  it("keeps its console pages for account, people, keys, projects, usage and alerts", async () => {
    const app = await startReporting();
    const customer = await app.account("team");
    const browser = await browserOn(app, { accountId: customer.accountId });
    await shut(app, customer);
    for (const path of [
      "/",
      "/account",
      "/keys",
      "/people",
      "/projects",
      "/usage",
      "/limits",
      "/alerts",
      "/devices",
    ]) {
      expect([path, (await browser.get(path)).status]).toEqual([path, 200]);
    }
    const done = await browser.send(await browser.get("/alerts"), "/alerts", { do: "mail-user" });
    expect(done.status, done.text).toBe(303);
  });
});
