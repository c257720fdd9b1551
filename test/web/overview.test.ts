import { expect, it } from "vitest";
import { Problem } from "../../src/contract/problem.ts";
import { firstOf, needOf } from "../../src/web/console/frame/need-of.ts";
import type { Section } from "../../src/web/console/frame/section.ts";
import { type InstanceState, instanceSection } from "../../src/web/console/instance.tsx";
import { upstreamsSection } from "../../src/web/console/upstreams.tsx";
import { startReceiver } from "../alerts/fixture.ts";
import { startApp } from "../support/app.ts";
import { browserOn, memberOn } from "../support/browsing.ts";
import { fakeClock } from "../support/clock.ts";
import { startReporting } from "../tools/observability/reporting.ts";
import { never, signedInOwner, startPages } from "./support/pages.ts";

const NOW = Date.UTC(2026, 2, 31, 12, 30);
const DAY = 24 * 60 * 60_000;

it("the overview asks once for what it shows both as a card and as what waits, and anew at each visit", async () => {
  let asked = 0;
  const section = upstreamsSection(async () => {
    asked++;
    return [];
  });
  const browser = await signedInOwner(await startPages({ sections: [section] }));
  const before = asked;
  await browser.get("/");
  expect(asked).toBe(before + 1);
  await browser.get("/");
  expect(asked).toBe(before + 2);
});

it("the overview shows an operator the accounts that are near a limit or refused, with links", async () => {
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
  // Refusals are stored once a second, and accounts' usage is added up once a minute.
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

it("the overview shows an admin expiring keys, pending invitations and new errors, a member only errors", async () => {
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

it("the overview shows an admin a failing webhook, and an operator the number of failing ones", async () => {
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

it("needs() lists failing upstreams, stuck jobs and full memory, but nothing healthy", async () => {
  const uses = ["up", "failing"].map((state) => ({ upstream: { name: state, title: state, state } }));
  const upstreams = upstreamsSection(async () => uses as never);
  const instance = (more: object) => {
    const jobs = { waiting: 0, longestWaitMs: 0, running: 1, workers: 2, ...more };
    const failing = { count: 0, isMore: false };
    const memory = { usedBytes: 80, limitBytes: 100, ...more };
    const state = async () => ({ jobs, failingWebhooks: failing, memory }) as unknown as InstanceState;
    return instanceSection({
      state,
      signingKeys: { list: never, rotate: never },
      registrations: { list: never, revoke: never },
    });
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

function sectionOf(title: string, needs: Section["needs"], more: Partial<Section> = {}): Section {
  return { path: `/${title}`, title, group: "Tools", needs, page: async () => null, ...more };
}

it("the overview names a section whose needs() fails, and shows the rest", async () => {
  const pages = await startPages({
    sections: [
      sectionOf("Broken", never),
      sectionOf("Gated", () => Promise.reject(new Problem("forbidden", "Another plan has it."))),
      sectionOf("Whole", async () => [], { card: async () => "a card" }),
    ],
    firstSteps: never,
  });
  const { text } = await (await signedInOwner(pages)).get("/");
  expect(text).toContain("Waits for you Broken: could not be looked at just now Tools");
  expect(text).toContain("Whole a card");
});

it("the overview shows ten needs, urgent ones first, then the server's, and the number of the others", async () => {
  const many = async () => Array.from({ length: 12 }, (_, index) => ({ said: `Need ${index}.` }));
  const pages = await startPages({
    sections: [
      sectionOf("Some", many),
      sectionOf("Server", async () => [{ said: "The store is full." }], { group: "Server" }),
      sectionOf("Last", async () => [{ said: "It burns.", isUrgent: true }]),
    ],
  });
  const { text } = await (await signedInOwner(pages)).get("/");
  expect(text).toContain("Waits for you It burns. The store is full. Need 0. Need 1.");
  expect(text).toContain("Need 9. And 2 more, in the sections themselves.");
  expect(text).not.toContain("Need 10.");
});

it("needOf() sums several items up in one line, and tells if there may be more", () => {
  const named = (items: string[], nextCursor?: string) =>
    needOf(
      { items, nextCursor },
      (one) => ({ said: `${one} fails` }),
      (count, all) => ({ said: `${count} fail`, detail: firstOf(all, (each) => each) }),
    );
  expect(named([])).toEqual([]);
  expect(named(["a"])).toEqual([{ said: "a fails" }]);
  expect(named(["a"], "more")).toEqual([{ said: "1 or more fail", detail: "a" }]);
  expect(named(["a", "a", "b", "c", "d"])).toEqual([{ said: "5 fail", detail: "a, b, c" }]);
});

it("the overview shows first steps as commands with server and project if nothing was counted", async () => {
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

it("the overview shows no first steps if usage is old, and tells that nothing was counted lately", async () => {
  const clock = fakeClock(NOW);
  const app = await startApp({ clock });
  const { userId } = await memberOn(app, "admin@example.com", "admin");
  expect((await app.request("POST", "/api/v1/track", { body: { type: "api_calls" } })).status).toBe(200);
  clock.advance(30 * DAY);
  const { text } = await (await browserOn(app, { userId })).get("/");
  expect(text).not.toContain("First steps");
  expect(text).toContain("Nothing was counted in the last 14 days.");
});
