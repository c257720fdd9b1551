import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { ServerConfig } from "../../../src/system/config.ts";
import { startApp } from "../../support/app.ts";
import { noBrowser, openPage } from "../../support/browser.ts";
import { freePort } from "../../support/free-port.ts";
import { linkOf, startMailServer } from "../../support/services/mail-server.ts";
import { startOpenIdProvider } from "../../support/services/openid-provider.ts";
import { visitor } from "../support/visitor.ts";

if (noBrowser) process.stderr.write(`Signing up is not tried in a browser: ${noBrowser}.\n`);

const FROM = "Toolplane <sign-in@plane.example>";
const PASSWORD = "correct horse battery";
const OWNER = { email: "owner@example.com", password: PASSWORD };

/** Starts a server and a mail server, under a name that browsers accept for passkeys. */
async function withMail(options: Partial<ServerConfig> = {}) {
  const port = await freePort();
  const mail = await startMailServer();
  const baseUrl = `http://localhost:${port}`;
  const app = await startApp({
    port,
    baseUrl,
    mail: { smtpUrl: mail.url, from: FROM },
    owner: OWNER,
    ...options,
  });
  return { ...app, url: baseUrl, mail };
}

const AUTHENTICATOR = {
  protocol: "ctap2",
  transport: "internal",
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

/** Gives a page an authenticator that holds passkeys. */
async function withAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const options = AUTHENTICATOR;
  return { cdp, ...(await cdp.send("WebAuthn.addVirtualAuthenticator", { options })) };
}

/** Returns the page's console errors, above all violations of the content security policy. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  return complaints;
}

describe.skipIf(noBrowser)("a new user in a browser", () => {
  it("signs up by e-mail without JavaScript, opening the link in another browser", async () => {
    const { url, mail } = await withMail({ signUp: "open" });
    const page = await openPage({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } });
    await page.goto(`${url}/sign-in`);
    await page.getByText("Passkeys need JavaScript").first().waitFor();
    expect(await page.getByRole("button", { name: "Use a passkey" }).isVisible()).toBe(false);
    await page.fill("#email", "ada@example.com");
    const arriving = mail.next();
    await page.getByRole("button", { name: "E-mail me a link" }).click();
    await page.getByText("Look into your mail").waitFor();
    const letter = await arriving;
    expect([letter.from, letter.to]).toEqual(["sign-in@plane.example", "ada@example.com"]);
    const other = await openPage({ javaScriptEnabled: false });
    await other.goto(linkOf(letter));
    await other.getByRole("button", { name: "Make my account" }).click();
    await other.waitForURL(`${url}/`);
    await other.getByText("ada@example.com").first().waitFor();
    await page.goto(linkOf(letter));
    await page.getByText("This link works no more").waitFor();
  });

  it("signs up with a passkey, signs in with it, adds another and removes one", async () => {
    const { url } = await withMail({ signUp: "open" });
    const page = await openPage();
    const complaints = complaintsOf(page);
    const { cdp, authenticatorId } = await withAuthenticator(page);
    await page.goto(`${url}/sign-in`);
    await page.fill("#name", "Ada");
    await page.getByRole("button", { name: "Sign up with a passkey" }).click();
    await page.waitForURL(`${url}/`);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.goto(`${url}/sign-in?next=/security`);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.waitForURL(`${url}/security`);
    await page.getByText("last used").waitFor();
    // The device already has a passkey, and the page says so.
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByText("This device has a passkey of yours already.").waitFor();
    await cdp.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId });
    await cdp.send("WebAuthn.addVirtualAuthenticator", { options: AUTHENTICATOR });
    await page.locator('input[name="name"]').fill("Phone");
    await page.getByRole("button", { name: "Add a passkey" }).click();
    // The first step shows what happens, and only the second does it.
    const phone = page.getByRole("listitem").filter({ hasText: "Phone" });
    await phone.locator("summary").click();
    await phone.getByText("It lets you in no more.").waitFor();
    await phone.getByRole("button", { name: "Remove Phone" }).click();
    await phone.waitFor({ state: "detached" });
    await page.locator("summary", { hasText: "Remove" }).click();
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByText("last way in").waitFor();
    expect(complaints.filter((text) => !text.includes("409"))).toEqual([]);
  });

  it("reads in words why no passkey is used, and keeps the focus where it was", async () => {
    const { url } = await withMail({ signUp: "open" });
    const page = await openPage();
    const { cdp, authenticatorId } = await withAuthenticator(page);
    await page.goto(`${url}/sign-in`);
    await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
    await page.fill("#name", "Ada");
    await page.press("#name", "Tab");
    await page.keyboard.press("Enter");
    await page.getByText("No passkey was made. Try again.").waitFor();
    await page.locator("button:focus", { hasText: "Sign up with a passkey" }).waitFor();
    await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });
    await page.keyboard.press("Enter");
    await page.waitForURL(`${url}/`);
    await page.getByRole("button", { name: "Sign out" }).click();

    const other = await page.context().newPage();
    for (const each of [page, other]) await each.goto(`${url}/sign-in`);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.waitForURL(`${url}/`);
    await other.getByRole("button", { name: "Use a passkey" }).click();
    await other.getByText("Reload").waitFor();
    expect(await other.content()).not.toContain("JSON");

    await other.goto(`${url.replace("localhost", "127.0.0.1")}/sign-in`);
    await other.getByRole("button", { name: "Use a passkey" }).click();
    await other.getByText("Passkeys work at localhost, not at 127.0.0.1.").waitFor();
  });

  it("is shown the sign-in page again where a copy of a passkey is refused", async () => {
    const { url } = await withMail({ signUp: "open" });
    const page = await openPage();
    const { cdp, authenticatorId } = await withAuthenticator(page);
    await page.goto(`${url}/sign-in`);
    await page.fill("#name", "Ada");
    await page.getByRole("button", { name: "Sign up with a passkey" }).click();
    await page.waitForURL(`${url}/`);
    const [made] = (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials;
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.goto(`${url}/sign-in`);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    const { credentialId = "" } = made ?? {};
    await cdp.send("WebAuthn.removeCredential", { authenticatorId, credentialId });
    await cdp.send("WebAuthn.addCredential", { authenticatorId, credential: made as never });
    await page.goto(`${url}/sign-in?next=/keys`);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByText("This passkey does not let you in").waitFor();
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.waitForURL(`${url}/keys`);
  });

  it("signs up with an OpenID provider", async () => {
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const { issuer, somebody } = await startOpenIdProvider(`${url}/sign-in/with/corp`);
    somebody.current = { sub: "ada", email: "ada@example.com", email_verified: true, name: "Ada" };
    const client = { clientId: "toolplane", clientSecret: "a secret of the test" };
    await startApp({ port, baseUrl: url, signUp: "open", providers: [{ name: "corp", issuer, ...client }] });
    const page = await openPage({ javaScriptEnabled: false });
    const complaints = complaintsOf(page);
    await page.goto(`${url}/sign-in?next=/security`);
    await page.getByRole("button", { name: "Continue with Corp" }).click();
    await page.waitForURL(`${url}/security`);
    await page.locator("summary", { hasText: "Disconnect ada@example.com" }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("joins an account by an invitation that is only mailed", async () => {
    const { url, mail } = await withMail();
    const owner = visitor(url);
    await owner.send(await owner.get("/sign-in"), "/sign-in", OWNER);
    const arriving = mail.next();
    const invited = await owner.send(await owner.get("/people"), "/people", {
      do: "invite",
      email: "bo@example.com",
      role: "member",
    });
    const said = await owner.get(invited.location ?? "");
    expect(said.text).toContain("bo@example.com is invited as member. A link was mailed to them");
    expect(invited.html + said.html).not.toContain("tsl_");
    const page = await openPage({ javaScriptEnabled: false });
    await page.goto(linkOf(await arriving));
    await page.getByRole("button", { name: "Join" }).click();
    await page.waitForURL(`${url}/`);
    expect((await owner.get("/people")).text).toContain("bo@example.com member");
  });
});

describe("asking for a sign-in link", () => {
  it("shows the same page for every address, and mails only existing users", async () => {
    const { url, mail } = await withMail();
    const pages: string[] = [];
    const arriving = mail.next();
    for (const email of ["nobody@example.com", OWNER.email]) {
      const browser = visitor(url);
      const page = await browser.send(await browser.get("/sign-in/link"), "/sign-in/link", { email });
      pages.push(`${page.status} ${page.text.replaceAll(email, "…")}`);
    }
    expect(pages[0]).toBe(pages[1]);
    expect(await arriving).toMatchObject({ to: OWNER.email });
    expect(mail.received).toHaveLength(1);
  });

  it("after a forgotten password leads to a new one, and the old one stops working", async () => {
    const { url, mail } = await withMail();
    const browser = visitor(url);
    const forgotten = /href="(\/sign-in\/link[^"]*)"/.exec((await browser.get("/sign-in")).html)?.[1] ?? "";
    const arriving = mail.next();
    await browser.send(await browser.get(forgotten.replaceAll("&amp;", "&")), "/sign-in/link", {
      email: OWNER.email,
    });
    const link = linkOf(await arriving);
    const used = await browser.send(await browser.get(link), "/sign-in");
    expect(used.location).toBe("/password");
    const fresh = "staple battery horse";
    const set = await browser.send(await browser.get("/password"), "/password", {
      password: fresh,
      repeated: fresh,
    });
    expect(set.status).toBe(200);
    const other = visitor(url);
    const enter = async (password: string) =>
      (await other.send(await other.get("/sign-in"), "/sign-in", { email: OWNER.email, password })).status;
    expect([await enter(PASSWORD), await enter(fresh)]).toEqual([403, 303]);
  });

  it("is answered while the mail server is down", async () => {
    const port = await freePort();
    const { url } = await startApp({
      signUp: "open",
      mail: { smtpUrl: `smtp://127.0.0.1:${port}`, from: FROM },
      log: { info() {}, warn() {}, error() {}, debug() {} } as never,
    });
    const browser = visitor(url);
    const page = await browser.send(await browser.get("/sign-in/link"), "/sign-in/link", {
      email: "a@example.com",
    });
    expect([page.status, page.text]).toEqual([200, expect.stringContaining("Look into your mail")]);
    expect((await browser.get("/sign-in")).status).toBe(200);
  });

  it("without a valid address asks for the address again, and never leads to another site", async () => {
    const { url } = await withMail();
    const browser = visitor(url);
    for (const email of ["", "not an address", `${"a".repeat(300)}@example.com`]) {
      const page = await browser.send(await browser.get("/sign-in/link"), "/sign-in/link", { email });
      expect([page.status, page.text]).toEqual([400, expect.stringContaining("Type the e-mail address")]);
    }
    const evil = await browser.get("/sign-in/link?next=//evil.example");
    expect(evil.html).not.toContain("evil.example");
  });
});

describe("the sign-in and security pages", () => {
  const CLIENT = { clientId: "toolplane", clientSecret: "a secret of the test" };
  const PROVIDERS = [{ name: "corp", issuer: "http://127.0.0.1:9", ...CLIENT }];

  it.each(["/sign-in/link", "/sign-in/passkey", "/passkeys/ask", "/sign-in/with/corp", "/security"])(
    "refuse a form at %s without the token of this browser",
    async (path) => {
      const { url } = await withMail({ providers: PROVIDERS });
      const browser = visitor(url);
      await browser.get("/sign-in");
      for (const token of ["", "form_token=nonsense"]) {
        expect((await browser.post(path, token)).status).toBe(403);
      }
    },
  );

  it("run a script only for passkeys, and it may connect only to this server", async () => {
    const { url } = await withMail();
    const browser = visitor(url);
    const page = await browser.get("/sign-in");
    const policy = page.headers.get("content-security-policy")?.split(";") ?? [];
    expect(policy).toContain("default-src 'none'");
    expect(policy.filter((part) => /^(script|connect)-src/.test(part))).toEqual([
      "script-src 'self'",
      "connect-src 'self'",
    ]);
    const scripts = [...page.html.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
    expect(scripts).toEqual([
      expect.stringMatching(/^<script src="\/assets\/passkeys\.[0-9a-f]{16}\.js" defer/),
    ]);
    for (const path of ["/sign-in/link", "/device"]) {
      const other = await browser.get(path);
      expect(other.headers.get("content-security-policy") ?? "").not.toContain("script-src");
    }
  });
});
