import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { noBrowser, openPage } from "../../support/browser.ts";
import { ownerCaller, type Pages, startPages } from "../support/pages.ts";

if (noBrowser) process.stderr.write(`The pages are not tried in a browser: ${noBrowser}.\n`);

describe.skipIf(noBrowser)("a page of the console whose browser changes its sign-in in another tab", () => {
  it("shows nothing of the other account in its lists, and says that it is old", async () => {
    const pages = await startPages();
    await pages.apiKeys.create(ownerCaller(pages), { name: "ours", scopes: ["write"] });
    const { page, tab } = await openKeys(pages);
    const { signInLink } = await pages.otherAccount("bob@elsewhere.example");
    await tab.goto(`${pages.url}/sign-out`);
    await tab.click("main button");
    await enter(tab, signInLink ?? "");
    await expect.poll(() => streamed(pages, page)).toContain("Your sign-in has changed");
    expect(await page.locator("table").innerText()).toContain("ours");
    await page.getByRole("link", { name: "Reload" }).click();
    await page.getByText("bob@elsewhere.example").waitFor();
    expect(await page.locator("main").innerText()).not.toContain("Your sign-in has changed");
  });

  it("says so too where nobody is signed in any more, as soon as the tab is seen again", async () => {
    const pages = await startPages();
    const { page, tab } = await openKeys(pages);
    await tab.goto(`${pages.url}/sign-out`);
    await tab.click("main button");
    await tab.waitForURL(`${pages.url}/`);
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByText("Your sign-in has changed").waitFor();
    await page.getByRole("link", { name: "Reload" }).click();
    await page.waitForURL(/\/sign-in\?next=%2Fkeys$/);
  });

  it("leads on to signing in where somebody filters a list", async () => {
    const pages = await startPages();
    await pages.apiKeys.create(ownerCaller(pages), { name: "ours", scopes: ["write"] });
    const { page, tab } = await openKeys(pages);
    await tab.goto(`${pages.url}/sign-out`);
    await tab.click("main button");
    await tab.waitForURL(`${pages.url}/`);
    await page.fill("#query", "ci");
    await page.waitForURL(/\/sign-in\?next=%2Fkeys%3Fquery%3Dci$/);
  });
});

/** Opens the owner's keys, which are followed, and another tab of the same browser. */
async function openKeys(pages: Pages): Promise<{ page: Page; tab: Page }> {
  const page = await openPage();
  await enter(page, await pages.ownerLink());
  const streaming = page.waitForRequest((request) => request.headers().accept === "text/event-stream");
  await page.goto(`${pages.url}/keys`);
  await streaming;
  return { page, tab: await page.context().newPage() };
}

async function enter(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.click("main button");
  await page.waitForURL(/\/password/);
}

/** Lets the server look for changes, and returns the page's text. */
function streamed({ clock }: Pages, page: Page): Promise<string> {
  clock.advance(5000);
  return page.locator("main").innerText();
}
