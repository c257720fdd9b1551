import axe, { type AxeResults } from "axe-core";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requestOf } from "../oauth/redirect.ts";
import { noBrowser, openPage } from "../support/browser.ts";
import { startLife, type TestLife, wayOf } from "../support/life.ts";
import { consolePaths, sectionPaths } from "./console-paths.ts";
import { signedInVisitor, type Visitor } from "./visitor.ts";

if (noBrowser) process.stderr.write(`The pages are not tried in a browser: ${noBrowser}.\n`);

const WIDTHS = [320, 768, 1440];
const HEIGHT = 900;
/** What a page of 1280 px shows at 200 %. */
const ZOOMED = 640;

describe.skipIf(noBrowser)("the pages, on a server with a life behind it", () => {
  let life: TestLife;
  beforeAll(async () => {
    life = await startLife();
  });
  afterAll(() => life.close());

  it.each(["operator", "viewer", "owner of Paper Lantern"])(
    "has nothing that axe finds on any page of the console, for the %s, at any width, light and dark",
    async (as) => {
      const visitor = await signedIn(life, as);
      const { page, complaints } = await openWatched(life, visitor);
      const paths = await consolePaths(visitor);
      // What is for operators alone is more than the others have.
      expect(paths.length).toBeGreaterThan(8);
      const found: string[] = [];
      for (const path of paths) found.push(...(await faultsOf(page, life, path)));
      expect(found).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );

  it("has nothing that axe finds where people sign in and decide, and in the reference", async () => {
    const visitor = await signedIn(life, "admin");
    const stranger = await openWatched(life);
    const { page, complaints } = await openWatched(life, visitor);
    const found: string[] = [];
    for (const path of ["/", "/sign-in", "/nowhere"])
      found.push(...(await faultsOf(stranger.page, life, path)));
    for (const path of [
      "/device",
      `/device?user_code=${await deviceCode(life)}`,
      await consentPath(life),
      "/security",
      "/docs",
      "/docs/usage.track",
      "/connect/nothing",
    ]) {
      found.push(...(await faultsOf(page, life, path)));
    }
    expect(found).toEqual([]);
    expect([...complaints, ...stranger.complaints].filter((text) => !/status of 404/.test(text))).toEqual([]);
  });

  it("leads to every section by keyboard, and shows where the focus is", async () => {
    for (const width of [320, 1440]) {
      const visitor = await signedIn(life, "operator");
      const { page } = await openWatched(life, visitor, width);
      await page.goto(life.url);
      const sections = await sectionPaths(visitor);
      const reached = new Set<string>();
      for (let presses = 0; presses < 80 && reached.size < sections.length; presses++) {
        await page.keyboard.press("Tab");
        const { href, shown }: { href: string | null; shown: boolean } = await page.evaluate(FOCUSED);
        expect(shown, `${href} at ${width} px`).toBe(true);
        if (href !== null && sections.includes(href)) reached.add(href);
      }
      expect([...reached].sort()).toEqual([...sections].sort());
      await page.locator(`#sections a[href="/keys"]`).focus();
      await page.keyboard.press("Enter");
      await page.waitForURL(`${life.url}/keys`);
    }
  });

  it("skips to the page by the first key", async () => {
    const { page } = await openWatched(life, await signedIn(life, "operator"));
    await page.goto(`${life.url}/keys`);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL(/#page$/);
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.querySelector('main').contains(document.activeElement)")).toBe(true);
  });

  it("keeps everything legible in forced colours", async () => {
    const visitor = await signedIn(life, "operator");
    const { page } = await openWatched(life, visitor);
    await page.emulateMedia({ forcedColors: "active" });
    const found: string[] = [];
    for (const path of await consolePaths(visitor)) {
      await page.goto(life.url + path);
      found.push(...(await axeOn(page, `${path} in forced colours`)));
    }
    expect(found).toEqual([]);
  });
});

/** A page that only this server is asked for, and nothing of it in vain. */
async function openWatched(life: TestLife, visitor?: Visitor, width = 1440) {
  const page = await openPage({ viewport: { width, height: HEIGHT } });
  if (visitor) await page.context().addCookies(cookiesOf(visitor, life.url));
  const complaints: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(life.url) && !request.url().startsWith("data:"))
      complaints.push(`asked for ${request.url()}`);
  });
  page.on("console", (message) => {
    // A policy that refuses something says so here.
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return { page, complaints };
}

function signedIn(life: TestLife, as: string): Promise<Visitor> {
  return signedInVisitor(life.url, { email: wayOf(life, as).email, password: life.password });
}

function cookiesOf(visitor: Visitor, url: string): Parameters<BrowserContext["addCookies"]>[0] {
  return visitor
    .cookie()
    .split("; ")
    .map((pair) => {
      const [name = "", value = ""] = pair.split("=");
      return { name, value, url };
    });
}

/** What is wrong with a page: for axe, for who zooms in, and for who trusts the policy. */
async function faultsOf(page: Page, { url }: TestLife, path: string): Promise<string[]> {
  const found: string[] = [];
  await page.emulateMedia({ colorScheme: "light" });
  const answer = await page.goto(url + path);
  const policy = answer?.headers()["content-security-policy"] ?? "";
  if (!policy.includes("default-src 'none'") || /unsafe|\*/.test(policy)) found.push(`${path}: ${policy}`);
  const inline = await page.$$eval("[style], style, script:not([src])", (all) =>
    all.map((each) => each.outerHTML.slice(0, 100)),
  );
  found.push(...inline.map((html) => `${path}: ${html}`));
  for (const width of [...WIDTHS, ZOOMED]) {
    await page.setViewportSize({ width, height: HEIGHT });
    const isTooWide = await page.evaluate("document.documentElement.scrollWidth > window.innerWidth");
    if (isTooWide) found.push(`${path} at ${width} px scrolls sideways`);
    if (width === ZOOMED) continue;
    found.push(...(await axeOn(page, `${path} at ${width} px`)));
    await page.emulateMedia({ colorScheme: "dark" });
    found.push(
      ...(await axeOn(page, `${path} at ${width} px, dark`, ["color-contrast", "link-in-text-block"])),
    );
    await page.emulateMedia({ colorScheme: "light" });
  }
  return found;
}

/** @param rules alone; all of them unless given */
async function axeOn(page: Page, where: string, rules?: string[]): Promise<string[]> {
  await page.evaluate(axe.source);
  const asked = JSON.stringify(rules ? { runOnly: rules } : {});
  const { violations }: AxeResults = await page.evaluate(`axe.run(${asked})`);
  return violations.map(
    ({ id, nodes }) => `${where}: ${id} ${nodes.map(({ html }) => html.slice(0, 120)).slice(0, 3)}`,
  );
}

/** What has the focus, and whether one sees that. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  if (!element || element === document.body) return { href: null, shown: true };
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
  const isOutlined = outlineStyle !== "none" && outlineWidth !== "0px";
  return { href: element.getAttribute("href"), shown: isOutlined || boxShadow !== "none" };
})()`;

async function deviceCode({ server }: TestLife): Promise<string> {
  const visitor = { address: "127.0.0.1", userAgent: "test", requestId: "req_test" };
  const scope = "read write";
  return (await server.app.services.devices.begin({ client_id: "tool-cli", scope }, visitor)).user_code;
}

/** Of a client that has registered itself. */
async function consentPath({ url }: TestLife): Promise<string> {
  const redirect = "http://127.0.0.1:4000/callback";
  const registered = await fetch(`${url}/auth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_name: "Acme IDE",
      redirect_uris: [redirect],
      token_endpoint_auth_method: "none",
    }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  return `/auth/authorize?${new URLSearchParams(requestOf({ client_id, redirect_uri: redirect }))}`;
}
