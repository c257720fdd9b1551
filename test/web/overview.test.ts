import { expect, it } from "vitest";
import { type InstanceState, instanceSection } from "../../src/web/console/instance.tsx";
import { upstreamsSection } from "../../src/web/console/upstreams.tsx";
import { startReceiver } from "../alerts/fixture.ts";
import { startApp } from "../support/app.ts";
import { browserOn, memberOn } from "../support/browsing.ts";
import { fakeClock } from "../support/clock.ts";
import { startReporting } from "../tools/observability/reporting.ts";
import { never, signedInOwner, startPages } from "./pages.ts";

const NOW = Date.UTC(2026, 2, 31, 12, 30);
const DAY = 24 * 60 * 60_000;

it("an operator sees which accounts are near a limit and refused, and gets to them by a press", async () => {
  const clock = fakeClock(NOW);
  const app = await startApp({ clock });
  const operator = await browserOn(app);
  expect((await operator.get("/")).text).toContain("Nothing waits for you.");
  const busy = await app.account("team");
  const quiet = await app.account("team");
  await app.request("PATCH", `/api/v1/accounts/${busy.accountId}`, {
    body: { name: "Busy <b>", limits: { requestsPerHour: 5 } },
  });
  const body = { type: "api_calls" };
  const track = async (key: string) => (await app.request("POST", "/api/v1/track", { key, body })).status;
  expect(await track(quiet.token)).toBe(200);
  const statuses = [];
  for (let sent = 0; sent < 6; sent++) statuses.push(await track(busy.token));
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  // What was refused is written down once a second, and what accounts used is added up once a minute.
  clock.advance(61_000);
  await expect
    .poll(async () => (await operator.get("/")).text)
    .toMatch(/An account is near a limit Busy <b> \(100 %\) An account is refused by limits today Busy <b>/);
  const { html } = await operator.get("/");
  expect(html).not.toContain("<b>");
  expect(html).toContain(`href="/server/accounts?id=${busy.accountId}"`);
  const listed = await operator.get("/server/accounts?sort=-ofLimit");
  expect(listed.text).toMatch(/Of its limit .*Busy <b> .*100 %/);
  const { browser: admin } = await memberOn(app, "admin@example.com", "admin");
  expect((await admin.get("/")).text).not.toMatch(/near a limit|Busy/);
});

it("an admin sees keys that expire soon, who has not come, errors that are new; a member errors alone", async () => {
  const clock = fakeClock(NOW);
  const app = await startReporting({ clock });
  const make = async (name: string, days: number) =>
    (
      await app.request("POST", "/api/v1/keys", {
        body: { name, scopes: ["read"], expiresAt: new Date(NOW + days * DAY).toISOString() },
      })
    ).body.key;
  await make("later", 20);
  const soon = await make("nightly", 3);
  const { browser: admin, userId } = await memberOn(app, "admin@example.com", "admin");
  const { browser: member } = await memberOn(app, "member@example.com");
  await app.request("POST", "/api/v1/users", { body: { email: "late@example.com", role: "member" } });
  const exception = { values: [{ type: "PrinterOnFire", value: "It burns." }] };
  await app.report(await app.placeOf(), { exception });
  const { text, html } = await admin.get("/");
  expect(text).toContain("The key nightly expires soon in 3 days");
  expect(html).toContain(`href="/keys?key=${soon.id}"`);
  expect(text).toContain("late@example.com is invited and has not come yet");
  expect(text).toContain("An error is new: PrinterOnFire");
  expect((await member.get("/")).text).toContain("An error is new: PrinterOnFire");
  expect((await member.get("/")).text).not.toMatch(/nightly|late@example/);

  await app.request("PATCH", `/api/v1/keys/${soon.id}`, { body: { suspended: true } });
  clock.advance(8 * DAY);
  const later = (await (await browserOn(app, { userId })).get("/")).text;
  expect(later).toContain("The key later expires soon");
  expect(later).toContain("A link has ended: renew.");
  expect(later).not.toMatch(/nightly expires|An error is new/);
});

it("an admin sees a webhook that takes nothing, an operator how many of all accounts do", async () => {
  const clock = fakeClock(NOW);
  const app = await startApp({ clock, privateWebhooks: true });
  const receiver = await startReceiver();
  receiver.answer = () => 500;
  const { browser: admin } = await memberOn(app, "admin@example.com", "admin");
  const url = receiver.url("/hook");
  const made = await app.request("POST", "/api/v1/webhooks", { body: { url } });
  await app.request("POST", `/api/v1/webhooks/${made.body.webhook.id}/test`);
  await app.app.services.alerts.idle();
  clock.advance(5_000);
  expect((await admin.get("/")).text).toMatch(/Deliveries to a webhook fail 127\.0\.0\.1:\d+, for 5 s/);
  expect((await admin.get("/")).text).not.toContain("of all accounts");
  const operator = await browserOn(app);
  expect((await operator.get("/")).text).toContain("Deliveries to one webhook of all accounts fail");
});

it("says what is down, stuck and full, and what is no matter at all", async () => {
  const uses = ["up", "failing"].map((state) => ({ upstream: { name: state, title: state, state } }));
  const upstreams = upstreamsSection(async () => uses as never);
  const instance = (more: object) => {
    const jobs = { waiting: 0, longestWaitMs: 0, running: 1, workers: 2, ...more };
    const failing = { count: 0, isMore: false };
    const memory = { usedBytes: 80, limitBytes: 100, ...more };
    const state = async () => ({ jobs, failingWebhooks: failing, memory }) as unknown as InstanceState;
    return instanceSection({ state, signingKeys: { list: never, rotate: never }, registrations: undefined });
  };
  const view = { visit: {} } as never;
  expect(await upstreams.needs?.(view)).toMatchObject([
    { said: "The MCP server failing is down", isUrgent: true },
  ]);
  expect(await instance({ usedBytes: 79 }).needs?.(view)).toEqual([]);
  expect(await instance({}).needs?.(view)).toMatchObject([{ isUrgent: false }]);
  expect(await instance({ waiting: 40, longestWaitMs: 61_000, usedBytes: 100 }).needs?.(view)).toMatchObject([
    { said: "The store fills 100 % of the memory that it may have", isUrgent: true },
    { said: "40 jobs wait, the first for 1 min", isUrgent: true },
  ]);
});

it("begins with first steps where nothing was counted, by commands with their server and project", async () => {
  const pages = await startPages({ baseUrl: "https://plane.example" });
  await pages.projects.getOrCreate(pages.account.id, "shop");
  const browser = await signedInOwner(pages);
  const { text } = await browser.get("/?project=shop");
  expect(text).toContain("First steps in project shop");
  for (const command of [
    "tool login --base-url https://plane.example",
    "tool track api_calls --project shop --base-url https://plane.example",
    "tool keys create ci --base-url https://plane.example",
    "tool users invite somebody@example.com --base-url https://plane.example",
  ]) {
    expect(text).toContain(command);
  }
  const used = await signedInOwner(await startPages({ usage: 10 }));
  expect((await used.get("/")).text).not.toContain("First steps");
});
