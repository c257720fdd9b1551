import type { BrowserContextOptions, Page } from "playwright-core";
import { createElement, type ReactElement } from "react";
import { describe, expect, it } from "vitest";
import { Live } from "../../src/web/console/frame/live.tsx";
import type { Section } from "../../src/web/console/frame/section.ts";
import { noBrowser, openPage } from "../support/browser.ts";
import { beginDevice, OWNER, ownerCaller, type Pages, startPages } from "./support/pages.ts";

if (noBrowser) process.stderr.write(`The pages are not tried in a browser: ${noBrowser}.\n`);

const PHONE = { width: 320, height: 640 };

describe.skipIf(noBrowser)("in a browser without JavaScript", () => {
  it("a device is approved by keyboard on a phone's width, after signing in", async () => {
    const pages = await startPages({ password: OWNER.password });
    const { userCode, poll } = await beginDevice(pages);
    const { page, complaints } = await openQuietPage({ viewport: PHONE });
    await page.goto(`${pages.url}/device?user_code=${userCode}`);
    await pressUntilFocused(page, "#email");
    await page.keyboard.type(OWNER.email);
    await page.keyboard.press("Tab");
    await page.keyboard.type(OWNER.password);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/device\?user_code=/);
    expect(await poll()).toBe("authorization_pending");
    await pressUntilFocused(page, 'button[value="approve"]');
    await page.keyboard.press("Enter");
    await page.getByText("Go back to your terminal; you can close this page.").waitFor();
    expect(await poll()).toBe("granted read write");
    expect(complaints).toEqual([]);
  });

  it("a code can be typed in lower case, and the device is denied", async () => {
    const pages = await startPages();
    const { userCode, poll } = await beginDevice(pages);
    const { page } = await openQuietPage();
    await signIn(page, pages);
    await page.goto(`${pages.url}/device`);
    await page.locator("#user_code:focus").waitFor();
    await page.keyboard.type(userCode.toLowerCase());
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByText("The device was not signed in").waitFor();
    expect(await poll()).toBe("access_denied");
  });

  it("a refused form links its error to the field, and is accepted once corrected", async () => {
    const pages = await startPages();
    const { page, complaints } = await openQuietPage({ viewport: PHONE });
    await signIn(page, pages);
    await page.goto(`${pages.url}/keys`);
    await page.getByText("Bind it to tools or addresses").click();
    await page.getByLabel("Name").fill("deploy");
    await page.getByLabel("Only from these addresses").fill("office");
    await page.getByRole("button", { name: "Make the key" }).click();
    await page.getByRole("alert").getByRole("link").click();
    const field = page.locator("#addresses:target");
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    await field.fill("192.0.2.1");
    await page.getByRole("button", { name: "Make the key" }).click();
    await page.getByText("The key deploy is made").waitFor();
    expect(complaints.filter((text) => !text.includes("400"))).toEqual([]);
  });

  it("what a form has done, or what is wrong with it, has the focus, so that screen readers begin there", async () => {
    const pages = await startPages();
    await pages.apiKeys.create(ownerCaller(pages), { name: "ci", scopes: ["write"] });
    const { page } = await openQuietPage();
    await signIn(page, pages);
    await page.goto(`${pages.url}/keys`);
    await page.getByRole("button", { name: "Stop the key ci" }).click();
    expect(await page.locator("[role=status]:focus").innerText()).toContain("ci");
    await page.keyboard.press("Tab");
    expect(await page.getByRole("button", { name: "Undo" }).and(page.locator(":focus")).count()).toBe(1);
    await page.getByLabel("Name").fill("deploy");
    await page.getByText("Bind it to tools or addresses").click();
    await page.getByLabel("Only from these addresses").fill("office");
    await page.getByRole("button", { name: "Make the key" }).click();
    expect(await page.locator("[role=alert]:focus").innerText()).toContain("Only from these addresses");
    await page.keyboard.press("Tab");
    expect(await page.locator("[role=alert] a:focus").count()).toBe(1);
  });

  it("switching users keeps the code (form-action also governs redirects after a form)", async () => {
    const pages = await startPages();
    const { userCode } = await beginDevice(pages);
    const { page, complaints } = await openQuietPage();
    await signIn(page, pages);
    await page.goto(`${pages.url}/device?user_code=${userCode}`);
    await page.getByText("Switch").click();
    await page.waitForURL(`${pages.url}/sign-in?next=%2Fdevice%3Fuser_code%3D${userCode}`);
    expect(complaints).toEqual([]);
  });

  it("pages fit into 320 px, and controls are 44 px high and have a name", async () => {
    const pages = await startPages({ usage: 30_000 });
    const { userCode } = await beginDevice(pages, { client_id: "A".repeat(64), scope: "read write admin" });
    const bound = { tools: ["u".repeat(300)], addresses: ["2001:db8::/32"] };
    const { key } = await pages.apiKeys.create(ownerCaller(pages), {
      name: "k".repeat(256),
      scopes: ["write"],
      ...bound,
    });
    await pages.projects.getOrCreate(pages.account.id, "p".repeat(256));
    const { page } = await openQuietPage({ viewport: PHONE });
    for (const path of ["/", "/sign-in", await pages.ownerLink()]) await expectUsable(page, pages.url, path);
    await signIn(page, pages);
    for (const path of [
      "/",
      "/usage",
      "/limits",
      "/entitlements",
      "/keys",
      `/keys?key=${key.id}`,
      "/anomalies",
      "/devices",
      "/password",
      "/device",
      "/device?user_code=BBBB-BBBB",
      `/device?user_code=${userCode}`,
      "/sign-out",
    ]) {
      await expectUsable(page, pages.url, path);
    }
  });

  it.each([320, 400])("the menu is opened and closed by touch and by keyboard, %i px wide", async (width) => {
    const pages = await startPages();
    const viewport = { width, height: 640 };
    const { page } = await openQuietPage({ viewport, hasTouch: true });
    await signIn(page, pages);
    for (const path of ["/keys", "/docs"]) {
      await page.goto(pages.url + path);
      const open = page.getByRole("link", { name: "Sections" });
      const close = page.locator("#sections").getByRole("link", { name: "Close" });
      expect(await close.isVisible()).toBe(false);
      await open.tap();
      const links = page.locator("#sections ul a");
      await links.last().scrollIntoViewIfNeeded();
      const { y, height } = (await close.boundingBox())!;
      expect(y).toBeGreaterThanOrEqual(0);
      expect(height).toBeGreaterThanOrEqual(44);
      await close.tap();
      expect(await links.first().isVisible()).toBe(false);
      await open.press("Enter");
      // The menu begins with it.
      await page.keyboard.press("Tab");
      expect(await close.and(page.locator(":focus")).count()).toBe(1);
      await page.keyboard.press("Enter");
      await page.locator("#menu:focus").waitFor();
      expect(await links.first().isVisible()).toBe(false);
    }
  });

  it("a long name leaves the rest of its row in view", async () => {
    const pages = await startPages();
    for (const name of ["ci", "W".repeat(256)])
      await pages.apiKeys.create(ownerCaller(pages), { name, scopes: ["write"] });
    const { page } = await openQuietPage({ viewport: { width: 1440, height: 900 } });
    await signIn(page, pages);
    await page.goto(`${pages.url}/keys`);
    const stop = page.getByRole("button", { name: "Stop the key ci" });
    const { x, width } = (await stop.boundingBox())!;
    expect(x + width).toBeLessThanOrEqual(1440);
    expect((await page.getByRole("link", { name: "ci", exact: true }).boundingBox())?.height).toBeLessThan(
      52,
    );
  });

  it("a long name or id in any column leaves the columns beside it in view", async () => {
    const pages = await startPages();
    const project = "p".repeat(256);
    await pages.projects.getOrCreate(pages.account.id, project);
    await pages.apiKeys.create(ownerCaller(pages), { name: "ci", scopes: ["write"], projectId: project });
    const { page } = await openQuietPage({ viewport: { width: 1440, height: 900 } });
    await signIn(page, pages);
    await page.goto(`${pages.url}/keys`);
    const { x, width } = (await page.getByRole("button", { name: "Stop the key ci" }).boundingBox())!;
    expect(x + width).toBeLessThanOrEqual(1440);
  });

  it("accents that pile up in a name are not painted over the rows beside it", async () => {
    const pages = await startPages();
    const { page } = await openQuietPage({ viewport: { width: 1440, height: 900 } });
    await signIn(page, pages);
    /** Returns the lines of text above and below a key of this name, as they are painted. */
    const linesBeside = async (name: string) => {
      const made = ["above", name, "below"].map((each) => ({ name: each, scopes: ["write" as const] }));
      const ids: string[] = [];
      for (const each of made) ids.push((await pages.apiKeys.create(ownerCaller(pages), each)).key.id);
      await page.goto(`${pages.url}/keys`);
      const lines: string[] = [];
      for (const text of ["above", "below"]) {
        const row = (await page.locator("tbody tr", { hasText: text }).boundingBox())!;
        const clip = { ...row, y: row.y + row.height / 2 - 12, width: 80, height: 24 };
        lines.push((await page.screenshot({ clip })).toString("base64"));
      }
      for (const id of ids) await pages.apiKeys.revoke(ownerCaller(pages), id);
      return lines;
    };
    const accents = String.fromCharCode(...Array.from({ length: 0x33 }, (_, index) => 0x300 + index)).repeat(
      4,
    );
    expect(await linesBeside(`Z${accents}`)).toEqual(await linesBeside("Z"));
  });

  it("a new key's secret is selected by a double click or Tab, and gone afterwards", async () => {
    const pages = await startPages();
    const { page, complaints } = await openQuietPage({ viewport: PHONE });
    await signIn(page, pages);
    await page.goto(`${pages.url}/keys`);
    await page.fill("#name", "ci");
    await page.getByRole("button", { name: "Make the key" }).click();
    const secret = await page.inputValue("#secret");
    const selected = () =>
      page
        .locator("#secret")
        .evaluate((field: Field) => field.value.slice(field.selectionStart, field.selectionEnd));
    expect(await page.locator("[role=status]:focus").innerText()).toContain("The key ci is made");
    expect(await selected()).toBe("");
    await page.dblclick("#secret");
    expect(await selected()).toBe(secret);
    await page.locator("h1").click();
    await pressUntilFocused(page, "#secret");
    expect(await selected()).toBe(secret);
    await page.getByText("I have kept it").click();
    expect(await page.content()).not.toContain(secret);
    expect(complaints).toEqual([]);
  });

  it("the numbers behind the chart open by one key press", async () => {
    const pages = await startPages({ usage: 10 });
    const { page } = await openQuietPage();
    await signIn(page, pages);
    await page.goto(`${pages.url}/usage`);
    const numbers = page.locator("details", { hasText: "The numbers" }).locator("table");
    expect(await numbers.isVisible()).toBe(false);
    await page.getByText("The numbers").press("Enter");
    expect(await numbers.isVisible()).toBe(true);
  });

  it("usage is printed with all its columns, and without what can only be pressed", async () => {
    const pages = await startPages({ usage: 30_000 });
    // The width of a sheet of A4, without its margins.
    const { page } = await openQuietPage({ viewport: { width: 718, height: 1000 } });
    await signIn(page, pages);
    await page.goto(`${pages.url}/usage`);
    await page.emulateMedia({ media: "print" });
    const { x, width } = (await page.getByRole("columnheader", { name: "Over time" }).boundingBox())!;
    expect(x + width).toBeLessThanOrEqual(718);
    expect(await page.locator(".scroll").first().evaluate(isClipped)).toBe(false);
    await page.goto(`${pages.url}/keys`);
    expect(await page.getByText("Make a key").locator("visible=true").count()).toBe(0);
    expect(await page.locator(":is(button, summary):visible").count()).toBe(0);
    expect(await page.getByRole("link", { name: "Sections" }).isVisible()).toBe(false);
  });

  it("colours follow the preferred colour scheme", async () => {
    const pages = await startPages();
    const grounds = [];
    for (const colorScheme of ["light", "dark"] as const) {
      const { page } = await openQuietPage({ colorScheme });
      await page.goto(pages.url);
      grounds.push(
        (await page.screenshot({ clip: { x: 0, y: 300, width: 1, height: 1 } })).toString("base64"),
      );
    }
    expect(grounds[0]).not.toBe(grounds[1]);
  });
});

describe.skipIf(noBrowser)("in a browser with JavaScript", () => {
  it("a project is chosen by keyboard, past others, and shown when asked for (WCAG 2.2, 3.2.2)", async () => {
    const pages = await startPages();
    for (const project of ["alpha", "beta"]) await pages.projects.getOrCreate(pages.account.id, project);
    const page = await openPage();
    await signIn(page, pages);
    await page.goto(`${pages.url}/usage?project=default`);
    await page.locator("#project").focus();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowUp");
    expect(await page.locator("#project").inputValue()).toBe("alpha");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${pages.url}/usage?project=beta`);
  });

  it("a reload of the page with an invitation's link invites nobody again", async () => {
    const pages = await startPages();
    const page = await openPage();
    await signIn(page, pages);
    await page.goto(`${pages.url}/people`);
    await page.getByLabel("E-mail").fill("ada@example.com");
    await page.getByRole("button", { name: "Invite" }).click();
    expect(await page.inputValue("#secret")).toContain("/sign-in?link=");
    const asked = page.waitForRequest(`${pages.url}/people`);
    await page.reload();
    expect((await asked).method()).toBe("GET");
    expect(await page.innerText("main")).not.toContain("is in this account already");
  });

  it("keeps what is open, ticked or has the focus with its row when rows move", async () => {
    let rows = ["ann", "bob", "cid"];
    const { page, pages } = await openLive(() => Live({ name: "rows", children: rows.map(rowOf) }));
    const rowsWith = (inside: string) =>
      page
        .locator(`[data-live] section:has(${inside})`)
        .evaluateAll((all: { id: string }[]) => all.map(({ id }) => id));
    await page.locator("#bob summary").click();
    await page.locator("#bob input[type=checkbox]").check();
    await page.locator("#bob button").focus();
    rows = ["eve", "ann", "bob"];
    await expect
      .poll(() => {
        pages.clock.advance(5000);
        return rowsWith("details");
      })
      .toEqual(rows);
    for (const held of ["details[open]", "input:checked", "button:focus"])
      expect(await rowsWith(held), held).toEqual(["bob"]);
  });

  it("keeps where a table is scrolled to, and what is selected in another part, when rows change", async () => {
    let rows = ["ann", "bob"];
    const { page, pages } = await openLive(
      () =>
        createElement(
          "div",
          {},
          Live({ name: "rows", children: createElement(Wide, { rows }) }),
          Live({ name: "ids", children: createElement("p", { id: "ids" }, `id-of-${rows[0]}`) }),
        ),
      { viewport: PHONE },
    );
    await page.locator(".scroll").evaluate((scroller: { scrollLeft: number }) => {
      scroller.scrollLeft = 150;
    });
    await page.evaluate("getSelection().selectAllChildren(document.querySelector('#ids'))");
    rows = ["eve", "ann", "bob"];
    await expect
      .poll(() => {
        pages.clock.advance(5000);
        return page.locator(".scroll p").count();
      })
      .toBe(3);
    const scrolled = await page
      .locator(".scroll")
      .evaluate(({ scrollLeft }: { scrollLeft: number }) => scrollLeft);
    expect(scrolled).toBe(150);
    expect(await page.evaluate("getSelection().toString()")).toBe("id-of-ann");
  });

  it("moves the focus to the row before when the row that has it goes, and never onto a button", async () => {
    let rows = ["ann", "bob", "cid"];
    const { page, pages } = await openLive(() => Live({ name: "rows", children: rows.map(rowOf) }));
    await page.locator("#bob summary").click();
    await page.locator("#bob button").focus();
    rows = ["ann", "cid"];
    await expect
      .poll(() => {
        pages.clock.advance(5000);
        return page.locator("[data-live] details").count();
      })
      .toBe(2);
    expect(await page.locator("#ann summary:focus").count()).toBe(1);
  });

  it("tells screen readers how much a filter leaves, or that it leaves nothing", async () => {
    const pages = await startPages();
    for (const name of ["ci", "deploy"])
      await pages.apiKeys.create(ownerCaller(pages), { name, scopes: ["write"] });
    const page = await openPage();
    await signIn(page, pages);
    await page.goto(`${pages.url}/keys`);
    const told = page.locator("div.unseen[role=status]");
    await page.fill("#query", "ci");
    await expect.poll(() => told.innerText()).toBe("1 shown");
    await page.fill("#query", "nothing like it");
    await expect
      .poll(() => told.innerText())
      .toBe(await page.locator("[data-live=keys] p.muted").first().innerText());
    expect(await page.locator("#query:focus").count()).toBe(1);
  });

  it("keeps what somebody chose in a live list, and shows what was changed elsewhere of all else", async () => {
    const rows = { ann: "viewer", bob: "viewer", cid: "owner" };
    const { page, pages } = await openLive(() =>
      Live({
        name: "rows",
        children: Object.entries(rows).map(([id, role]) =>
          choiceOf(id, role, rows.cid === "none" ? ["viewer", "admin"] : ["viewer", "admin", "owner"]),
        ),
      }),
    );
    const chosen = () =>
      page
        .locator("[data-live] select")
        .evaluateAll((all: { value: string }[]) => all.map(({ value }) => value));
    await page.locator("#bob select").selectOption("admin");
    await page.locator("#bob select").blur();
    Object.assign(rows, { ann: "admin" });
    await expect
      .poll(() => {
        pages.clock.advance(5000);
        return chosen();
      })
      .toEqual(["admin", "admin", "owner"]);
    await page.locator("#bob select").selectOption("owner");
    await page.locator("#bob select").blur();
    Object.assign(rows, { cid: "none" });
    await expect
      .poll(async () => {
        pages.clock.advance(5000);
        return (await page.locator("option[value=owner]").count()) === 0 && chosen();
      })
      .toEqual(["admin", "viewer", "viewer"]);
  });

  it("a list that is filtered while the server is away is filtered once it is back, and other forms keep their text", async () => {
    const pages = await startPages();
    for (const name of ["ci", "deploy"])
      await pages.apiKeys.create(ownerCaller(pages), { name, scopes: ["write"] });
    const page = await openPage();
    await page.clock.install();
    await signIn(page, pages);
    await page.goto(`${pages.url}/keys`);
    let isAway = true;
    let refused = 0;
    await page.route("**/keys?query=ci", (route) => {
      if (!isAway) return route.continue();
      refused++;
      return refused === 1 ? route.abort() : route.fulfill({ status: 503 });
    });
    await page.getByLabel("Name").fill("half typed");
    await page.fill("#query", "ci");
    await expect.poll(() => page.clock.fastForward(3000).then(() => refused)).toBeGreaterThan(1);
    isAway = false;
    await expect
      .poll(() => page.clock.fastForward(3000).then(() => page.locator("tbody tr").count()))
      .toBe(1);
    expect(await page.getByLabel("Name").inputValue()).toBe("half typed");
  });

  it("a page whose stream of changes is refused asks for it again", async () => {
    const pages = await startPages();
    const page = await openPage();
    await page.clock.install();
    await signIn(page, pages);
    let refused = 0;
    await page.route("**/keys", (route) => {
      if (route.request().headers().accept !== "text/event-stream") return route.continue();
      refused++;
      return route.fulfill({ status: 502 });
    });
    await page.goto(`${pages.url}/keys`);
    await expect.poll(() => refused).toBe(1);
    await expect
      .poll(async () => {
        await page.clock.fastForward(30_000);
        return refused;
      })
      .toBeGreaterThan(1);
  });
});

/** A row of a list, with a form behind a disclosure. */
function rowOf(id: string): ReactElement {
  const key = createElement("input", { type: "hidden", name: "key", defaultValue: id });
  const form = createElement(
    "form",
    { method: "post" },
    key,
    createElement("button", { type: "submit" }, "Revoke"),
  );
  const details = createElement("details", {}, createElement("summary", {}, "Revoke"), form);
  return createElement(
    "section",
    { key: id, id },
    details,
    createElement("input", { type: "checkbox", name: id }),
  );
}

/** A list that is wider than a phone. */
function Wide({ rows }: { rows: readonly string[] }): ReactElement {
  const lines = rows.map((name) => createElement("p", { key: name, className: "nowrap" }, name.repeat(200)));
  return createElement("section", { className: "scroll", "aria-label": "Wide", tabIndex: 0 }, lines);
}

/** A row of a list, with a choice of its own. */
function choiceOf(id: string, role: string, roles: readonly string[]): ReactElement {
  const options = roles.map((each) => createElement("option", { key: each, value: each }, each));
  const select = createElement("select", { name: id, defaultValue: role }, options);
  return createElement("section", { key: id, id }, select);
}

/** Opens a page of the console that `content` makes anew for each look at it, once it is live. */
async function openLive(
  content: () => ReactElement,
  options?: Parameters<typeof openPage>[0],
): Promise<{ page: Page; pages: Pages }> {
  const list: Section = {
    ...{ path: "/rows", title: "Rows", group: "Account" },
    page: async () => content(),
  };
  const pages = await startPages({ sections: [list] });
  const page = await openPage(options);
  await signIn(page, pages);
  const streaming = page.waitForRequest((request) => request.headers().accept === "text/event-stream");
  await page.goto(`${pages.url}/rows`);
  await streaming;
  return { page, pages };
}

/** Opens a page without JavaScript. Returns it with its console errors, such as violations of the policy. */
async function openQuietPage(
  options: BrowserContextOptions = {},
): Promise<{ page: Page; complaints: string[] }> {
  const page = await openPage({ javaScriptEnabled: false, ...options });
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  return { page, complaints };
}

function isClipped(element: { scrollWidth: number; clientWidth: number }): boolean {
  return element.scrollWidth > element.clientWidth;
}

interface Field {
  value: string;
  selectionStart: number;
  selectionEnd: number;
}

/** The subset of the DOM that is used here. */
interface Control {
  outerHTML: string;
  textContent: string;
  labels?: { textContent: string }[];
}

async function signIn(page: Page, { ownerLink }: Pages): Promise<void> {
  await page.goto(await ownerLink());
  await page.click("main button");
  await page.waitForURL(/\/password/);
}

/** Presses Tab until an element has the focus. */
async function pressUntilFocused(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 20; presses++) {
    if ((await page.locator(`${selector}:focus`).count()) > 0) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`20 presses of Tab did not reach ${selector}`);
}

async function expectUsable(page: Page, url: string, path: string): Promise<void> {
  await page.goto(new URL(path, url).href);
  for (const details of await page.locator("summary").all()) await details.click();
  const size = await page
    .locator("html")
    .evaluate((html: { scrollWidth: number; clientWidth: number }) => [html.scrollWidth, html.clientWidth]);
  expect(size, `width of ${path}`).toEqual([320, 320]);
  const controls = page.locator(":is(button, a.button, a.target, summary, input, select):visible");
  for (const control of await controls.all()) {
    const markup = await control.evaluate((element: Control) => element.outerHTML.slice(0, 120));
    expect((await control.boundingBox())?.height, `${path} ${markup}`).toBeGreaterThanOrEqual(44);
    const name = await control.evaluate((element: Control) =>
      (element.labels?.[0] ?? element).textContent.trim(),
    );
    expect(name, `${path} ${markup}`).not.toBe("");
  }
}
