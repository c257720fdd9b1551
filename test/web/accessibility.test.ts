import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requestOf } from "../oauth/redirect.ts";
import { startLife, type TestLife, wayOf } from "../support/accounts/life.ts";
import { noBrowser, openPage } from "../support/browser.ts";
import { consolePaths } from "./support/console-paths.ts";
import { inspector } from "./support/inspector.ts";
import { signedInVisitor, type Visitor } from "./support/visitor.ts";

if (noBrowser) process.stderr.write(`The pages are not tried in a browser: ${noBrowser}.\n`);

describe.skipIf(noBrowser)("the pages of a server with data", () => {
  const seen = new Set<string>();
  let life: TestLife;
  beforeAll(async () => {
    life = await startLife();
  });
  afterAll(() => life.close());

  // Users with fewer permissions and less data see other text in the same frame.
  it.each(["operator", "member", "viewer", "owner of Paper Lantern"])(
    "are accessible as seen by the %s",
    async (as) => {
      const visitor = await signedIn(life, as);
      const { page, complaints } = await openWatched(life, visitor);
      const { faultsOf } = await inspector(page, life.url, seen);
      // All tables have the same links to sort them, so one suffices.
      const all = await consolePaths(visitor);
      const ordered = all.filter((path) => /\?sort=[^&]*$/.test(path));
      const paths = all.filter((path) => !ordered.includes(path) || path === ordered[0]);
      expect(paths.length).toBeGreaterThan(8);
      const found: string[] = [];
      for (const path of paths) found.push(...(await faultsOf(path)));
      expect(found).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );

  it("are accessible when signing in, deciding, reading the reference, and on 404", async () => {
    const visitor = await signedIn(life, "admin");
    const stranger = await openWatched(life);
    const strangers = await inspector(stranger.page, life.url, seen);
    const { page, complaints } = await openWatched(life, visitor);
    const { faultsOf } = await inspector(page, life.url, seen);
    const found: string[] = [];
    for (const path of ["/", "/sign-in", "/nowhere"]) found.push(...(await strangers.faultsOf(path)));
    for (const path of [
      "/device",
      `/device?user_code=${await deviceCode(life)}`,
      await consentPath(life),
      "/security",
      "/docs",
      await operationPath(visitor),
      "/connect/nothing",
      "/nowhere",
    ]) {
      found.push(...(await faultsOf(path)));
    }
    expect(found).toEqual([]);
    expect([...complaints, ...stranger.complaints].filter((text) => !/status of 404/.test(text))).toEqual([]);
  });

  it("have a skip link to their content as the first tab stop", async () => {
    const { page } = await openWatched(life, await signedIn(life, "operator"));
    await page.goto(`${life.url}/keys`);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL(/#page$/);
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.querySelector('main').contains(document.activeElement)")).toBe(true);
  });
});

describe.skipIf(noBrowser)("inspector()", () => {
  it("reports the faults of a page, but only once for equal pages", async () => {
    const page = await openPage();
    const marks = `<circle r="9" fill="#888"/>`.repeat(3);
    const html = `<html lang="en"><title>Bad</title><style>a { outline: none }</style><main><h1>Bad</h1>
      <p style="color: #bbb">Faint</p><p class="wide">${"x".repeat(200)}</p><img src="data:,"><svg>${marks}</svg>
      <a href="/">Unseen</a> <button id="trap">Trap</button> <button>Not reached</button></main>
      <script>trap.onkeydown = (event) => event.preventDefault();</script></html>`;
    const headers = {
      "content-security-policy": "default-src 'unsafe-inline' data:",
      "content-type": "text/html",
    };
    await page.route("**/*", (route) => route.fulfill({ headers, body: html }));
    const bad = await inspector(page, "http://bad.example", new Set());
    const found = (await bad.faultsOf("/")).join("\n");
    for (const fault of [
      "/: default-src 'unsafe-inline' data:",
      "/: <style>",
      "/ at 320 px scrolls sideways",
      "/: image-alt",
      "/: color-contrast",
      "/, dark: color-contrast",
      "/: Tab does not get to <button>Not reached",
      '/: nothing shows that the focus is on <a href="/">Unseen',
    ]) {
      expect(found).toContain(fault);
    }
    expect(await page.locator("circle").count()).toBe(2);
    expect(await bad.faultsOf("/")).not.toContainEqual(expect.stringContaining("image-alt"));
  });
});

/** Opens a page. `complaints` records requests to other servers, and errors of the console and of scripts. */
async function openWatched(life: TestLife, visitor?: Visitor) {
  const page = await openPage({ viewport: { width: 1440, height: 900 } });
  if (visitor) await page.context().addCookies(cookiesOf(visitor, life.url));
  const complaints: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(life.url) && !request.url().startsWith("data:"))
      complaints.push(`asked for ${request.url()}`);
  });
  page.on("console", (message) => {
    // Violations of the content security policy are reported here.
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

async function deviceCode({ server }: TestLife): Promise<string> {
  const visitor = { address: "127.0.0.1", userAgent: "test", requestId: "req_test" };
  const scope = "read write";
  return (await server.app.services.devices.begin({ client_id: "tool-cli", scope }, visitor)).user_code;
}

/** Returns the path of the page about an API operation. */
async function operationPath(visitor: Visitor): Promise<string> {
  const [, path = ""] = /href="(\/docs\/[a-z]+_\w+)"/.exec((await visitor.get("/docs")).html) ?? [];
  expect(path).not.toBe("");
  return path;
}

/** Returns the path of the consent page for a self-registered client. */
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
