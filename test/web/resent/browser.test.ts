import { describe, expect, it } from "vitest";
import { noBrowser, openPage } from "../../support/browser.ts";
import { startPages } from "../support/pages.ts";

describe.skipIf(noBrowser)("a form in a browser with JavaScript", () => {
  it("reloading a page that shows a secret makes no second key, and a notice is shown once", async () => {
    const pages = await startPages();
    const page = await openPage();
    await page.goto(await pages.ownerLink());
    await page.click("main button");
    await page.goto(`${pages.url}/keys`);
    await page.fill("#name", "ci");
    await page.getByRole("button", { name: "Make the key" }).click();
    await page.locator("#secret").waitFor();
    pages.clock.advance(2000);
    await page.reload();
    await page.getByRole("button", { name: "Stop the key ci" }).click();
    await page.getByText("The key ci is stopped").waitFor();
    expect(page.url()).toBe(`${pages.url}/keys`);
    expect((await pages.apiKeys.list(pages.account.id, { limit: 10 })).items).toHaveLength(1);
    await page.reload();
    expect(await page.getByText("The key ci is stopped").count()).toBe(0);
  });

  it("a button that is pressed twice sends its form once, even to servers that do not know of each other", async () => {
    const pages = await startPages();
    const page = await openPage();
    await page.goto(await pages.ownerLink());
    await page.click("main button");
    await page.goto(`${pages.url}/keys`);
    await page.fill("#name", "ci");
    let sent = 0;
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/keys", async (route) => {
      sent++;
      await answered;
      await route.continue();
    });
    const button = page.getByRole("button", { name: "Make the key" });
    await button.scrollIntoViewIfNeeded();
    const { x, y } = (await button.boundingBox())!;
    await page.mouse.click(x + 8, y + 8, { clickCount: 2, delay: 50 });
    await expect.poll(() => sent).toBeGreaterThan(0);
    answer();
    await page.locator("#secret").waitFor();
    expect(sent).toBe(1);
  });
});
