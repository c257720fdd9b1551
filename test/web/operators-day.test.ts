import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { SERVER } from "../../src/audit/trail.ts";
import { countUses } from "../../src/metering/usage/counters.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { noBrowser, openPage } from "../support/browser.ts";
import { linkOn } from "../support/browsing.ts";
import { fakeClock } from "../support/clock.ts";
import { type Hands, keyboard, mouse } from "./support/hands.ts";

if (noBrowser) process.stderr.write(`An operator's day is not tried in a browser: ${noBrowser}.\n`);

const NOW = Date.UTC(2026, 2, 31, 12, 30);
const DAY = 24 * 60 * 60_000;

const HOW = [
  ["with script", true],
  ["without script", false],
] as const;

describe.skipIf(noBrowser).each([...HOW, ["without script, by keyboard alone", false, keyboard]] as const)(
  "in a browser %s",
  (_, javaScriptEnabled, handsOn: (page: Page) => Hands = mouse) => {
    it("an operator stops the key that used most yesterday, changes the plan, and sees both in the log", async () => {
      const app = await startApp({ clock: fakeClock(NOW) });
      const quiet = await customer(app, 10);
      const loud = await customer(app, 5000);
      const { page, complaints } = await signedIn(app, javaScriptEnabled);
      const hands = handsOn(page);
      await hands.press(page.getByRole("link", { name: "Accounts", exact: true }).first());
      await hands.press(page.getByRole("link", { name: "Yesterday" }));
      const first = page.getByRole("table", {}).locator("tbody tr").first();
      expect(await first.innerText()).toContain("5,000");
      await hands.press(first.getByRole("link"));
      expect(page.url()).toContain(loud.accountId);
      await page.getByRole("button", { name: /^Stop/ }).waitFor();
      expect(hands.count()).toBe(3);

      await hands.press(page.getByRole("button", { name: /^Stop/ }));
      await page.getByText("is stopped: whoever uses it is refused").waitFor();
      expect(await loud.track()).toBe(401);
      expect(await quiet.track()).toBe(200);
      await hands.press(page.getByRole("button", { name: "Undo" }));
      await page.getByText("works again").waitFor();
      expect(await loud.track()).toBe(200);
      await hands.press(page.getByRole("button", { name: /^Stop/ }));

      await hands.choose(page.getByLabel("Plan", { exact: true }), "free");
      await hands.press(page.getByRole("button", { name: "Change the plan" }));
      await page.getByText("is on Free now").waitFor();
      expect((await app.app.services.accounts.get(loud.accountId)).plan).toBe("free");

      await hands.press(page.getByRole("link", { name: "Its whole audit log" }));
      const log = await page.locator("main").innerText();
      expect(log).toMatch(/account\.updated[\s\S]*plan team → free[\s\S]*key\.suspended[\s\S]*key\.resumed/);
      expect(complaints).toEqual([]);
    });
  },
);

describe.skipIf(noBrowser).each(HOW)("in a browser %s", (_, javaScriptEnabled) => {
  it("an admin creates and rotates a key, and exports usage exactly as the API answers it", async () => {
    const app = await startApp({ clock: fakeClock(NOW) });
    const { page, complaints } = await signedIn(app, javaScriptEnabled, { role: "admin" });
    await page.getByRole("link", { name: "API keys" }).first().click();
    await page.fill("#name", "ci");
    await page.getByRole("button", { name: "Make the key" }).click();
    const secret = await page.inputValue("#secret");
    const track = (key: string) =>
      app.request("POST", "/api/v1/track", { key, body: { type: "api_calls", count: 7 } });
    expect((await track(secret)).status).toBe(200);
    await page.getByText("I have kept it").click();
    await page.getByRole("link", { name: "ci", exact: true }).click();
    await page.getByLabel("The old secret works").selectOption("0");
    await page.getByRole("button", { name: "Make a new secret" }).click();
    const rotated = await page.inputValue("#secret");
    expect((await track(secret)).status).toBe(401);
    expect((await track(rotated)).status).toBe(200);

    await page.getByRole("link", { name: "Usage", exact: true }).first().click();
    await page.getByText("14 in all").waitFor();
    const downloading = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export as CSV" }).click();
    const file = await readFile(await (await downloading).path(), "utf8");
    const asked = "groupBy=key&projectId=default&from=2026-03-02&to=2026-04-01&format=csv";
    expect(file).toBe((await app.request("GET", `/api/v1/usage?${asked}`)).text);
    expect(file).toMatch(/,ci,14,/);
    expect(complaints).toEqual([]);
  });

  it("a member sees only their own usage", async () => {
    const app = await startApp({ clock: fakeClock(NOW) });
    const { account, user } = (await app.request("GET", "/api/v1/account")).body;
    await use(app, account.id, { count: 5000, keyId: "key_others", userId: user.id });
    const { page, userId, complaints } = await signedIn(app, javaScriptEnabled, { role: "member" });
    await use(app, account.id, { count: 3, keyId: "ses_own", userId: userId ?? "" });
    await page.reload();
    const links = await page.locator("#sections a").allInnerTexts();
    for (const hidden of ["Accounts", "People", "API keys", "Instance"]) expect(links).not.toContain(hidden);
    await page.getByRole("link", { name: "Usage", exact: true }).first().click();
    await page.getByText("3 in all").waitFor();
    for (const tab of ["tool", "project", "key"]) {
      await page.getByRole("link", { name: tab, exact: true }).click();
      const text = await page.locator("main").innerText();
      expect(text).toContain("3 in all");
      expect(text).not.toMatch(/key_others|5,000|owner@localhost/);
    }
    expect(complaints).toEqual([]);
  });
});

/** Opens a browser that is signed in as the owner, or as a new user with a role in the owner's account. */
async function signedIn(app: TestApp, javaScriptEnabled: boolean, { role }: { role?: string } = {}) {
  const page: Page = await openPage({ javaScriptEnabled, acceptDownloads: true });
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  const invited =
    role && (await app.request("POST", "/api/v1/users", { body: { email: "a@example.com", role } }));
  await page.goto(invited ? invited.body.signInLink : await linkOn(app));
  await page.click("main button");
  await page.goto(app.url);
  return { page, complaints, userId: invited ? (invited.body.user.id as string) : undefined };
}

/** Creates an account whose key was used `count` times yesterday. */
async function customer(app: TestApp, count: number) {
  const { accountId, token } = await app.account("team");
  const made = await app.request("POST", "/api/v1/keys", {
    key: token,
    body: { name: "loud", scopes: ["write"] },
  });
  const { key, secret } = made.body;
  await use(app, accountId, { count, keyId: key.id, userId: key.userId, at: NOW - DAY });
  const body = { type: "api_calls" };
  return {
    accountId,
    track: async () => (await app.request("POST", "/api/v1/track", { key: secret, body })).status,
  };
}

async function use(
  app: TestApp,
  accountId: string,
  { count, keyId, userId, at = NOW }: { count: number; keyId: string; userId: string; at?: number },
) {
  const { projects, audit } = app.app.services;
  await projects.getOrCreate(accountId, "default");
  const origin = { accountId, projectId: "default", keyId, userId, tool: "" };
  await audit.transact(SERVER, (tx) => countUses(tx, [{ type: "api_calls", count, at, origin }]));
}
