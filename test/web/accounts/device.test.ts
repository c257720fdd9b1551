import { describe, expect, it } from "vitest";
import { beginDevice, OWNER, signedInMember, signedInOwner, startPages } from "../support/pages.ts";
import { visitor } from "../support/visitor.ts";

describe("the verification page", () => {
  it("sends strangers to sign in and keeps the code", async () => {
    const pages = await startPages({ password: OWNER.password });
    const { userCode } = await beginDevice(pages);
    const browser = visitor(pages.url);
    const { location } = await browser.get(`/device?user_code=${userCode}`);
    expect(location).toBe(`/sign-in?next=${encodeURIComponent(`/device?user_code=${userCode}`)}`);
    const done = await browser.send(await browser.get(location ?? ""), "/sign-in", OWNER);
    expect(done.location).toBe(`/device?user_code=${userCode}`);
  });

  it("asks for the code if it is missing", async () => {
    const browser = await signedInOwner(await startPages());
    for (const path of ["/device", "/device?user_code="]) {
      const page = await browser.get(path);
      expect(page.status).toBe(200);
      expect(page.text).toContain("Enter the code that your device shows");
    }
  });

  it("shows the client, scopes, address, user agent, age and the deciding user", async () => {
    const pages = await startPages();
    const { userCode } = await beginDevice(pages, { client_id: "tool-cli", scope: "read write" });
    pages.clock.advance(34_000);
    const browser = await signedInOwner(pages);
    const { text } = await browser.get(`/device?user_code=${userCode.toLowerCase().replace("-", " ")}`);
    expect(text).toContain("tool command line asks to sign in");
    expect(text).not.toContain("Not registered");
    expect(text).toContain(`Does your device show this same code? ${userCode}`);
    expect(text).toMatch(/read See .* write Record /);
    expect(text).toContain("203.0.113.9 (not this browser’s address)");
    expect(text).toContain("tool/0.1.0 (linux; x64)");
    expect(text).toContain("34 s ago , expires in 14 min");
    expect(text).toContain("Signed in as owner@localhost, account default Switch");
  });

  it.each(["127.0.0.1", "::1"])("recognizes the browser's own machine by its address %s", async (address) => {
    const pages = await startPages();
    const from = { address, userAgent: "tool/0.1.0" };
    const { user_code } = await pages.devices.begin({ client_id: "tool-cli" }, from);
    const browser = await signedInOwner(pages);
    expect((await browser.get(`/device?user_code=${user_code}`)).text).toContain(
      `${address} (as this browser)`,
    );
  });

  it("marks an unknown application as not registered", async () => {
    const pages = await startPages();
    const { userCode } = await beginDevice(pages, { client_id: "somebody.else" });
    const browser = await signedInOwner(pages);
    expect((await browser.get(`/device?user_code=${userCode}`)).text).toContain("Not registered.");
  });

  it("decides nothing on GET, even with a decision in the query", async () => {
    const pages = await startPages();
    const { userCode, poll } = await beginDevice(pages);
    const browser = await signedInOwner(pages);
    const page = await browser.get(`/device?user_code=${userCode}&decision=approve`);
    expect(page.text).toContain("asks to sign in");
    expect(await poll()).toBe("authorization_pending");
  });

  it("approves the device", async () => {
    const pages = await startPages();
    const { userCode, poll } = await beginDevice(pages);
    const browser = await signedInOwner(pages);
    const page = await browser.get(`/device?user_code=${userCode}`);
    const done = await browser.send(page, "/device", { decision: "approve" });
    expect(done.status).toBe(200);
    expect(done.text).toContain("Approved. Go back to your terminal; you can close this page.");
    expect((await browser.send(page, "/device", { decision: "approve" })).text).toContain("Approved.");
    expect(await poll()).toBe("granted read write");
  });

  it("denies the device", async () => {
    const pages = await startPages();
    const { userCode, poll } = await beginDevice(pages);
    const browser = await signedInOwner(pages);
    const page = await browser.get(`/device?user_code=${userCode}`);
    expect((await browser.send(page, "/device", { decision: "deny" })).text).toContain("Denied.");
    expect(await poll()).toBe("access_denied");
  });

  it("does not decide without a decision", async () => {
    const pages = await startPages();
    const { userCode, poll } = await beginDevice(pages);
    const browser = await signedInOwner(pages);
    const page = await browser.get(`/device?user_code=${userCode}`);
    expect((await browser.send(page, "/device")).status).toBe(400);
    expect((await browser.send(page, "/device", { decision: "Approve" })).status).toBe(400);
    expect(await poll()).toBe("authorization_pending");
  });

  it.each([
    ["approve", "deny", "This code is approved already.", "granted read write"],
    ["deny", "approve", "This code is denied already.", "access_denied"],
  ])("keeps to the first of two decisions: %s, then %s", async (first, second, words, outcome) => {
    const pages = await startPages();
    const { userCode, poll } = await beginDevice(pages);
    const browser = await signedInOwner(pages);
    const page = await browser.get(`/device?user_code=${userCode}`);
    await browser.send(page, "/device", { decision: first });
    const refused = await browser.send(page, "/device", { decision: second });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining(words)]);
    expect((await browser.get(`/device?user_code=${userCode}`)).text).toContain(words);
    expect(await poll()).toBe(outcome);
  });

  it("tells what to do about a wrong code, and about one that expires on the open page", async () => {
    const pages = await startPages();
    const { userCode } = await beginDevice(pages);
    const browser = await signedInOwner(pages);
    const page = await browser.get(`/device?user_code=${userCode}`);
    const wrong = await browser.get("/device?user_code=BBBB-BBBB");
    expect([wrong.status, wrong.text]).toEqual([
      404,
      expect.stringContaining("No device waits under this code."),
    ]);
    expect(wrong.html).toContain('value="BBBB-BBBB"');
    pages.clock.advance(900_000);
    const late = await browser.send(page, "/device", { decision: "approve" });
    expect([late.status, late.text]).toEqual([404, expect.stringContaining("tool login")]);
  });

  it("refuses any code for an hour after ten wrong ones", async () => {
    const pages = await startPages();
    const { userCode } = await beginDevice(pages);
    const browser = await signedInOwner(pages);
    const page = await browser.get(`/device?user_code=${userCode}`);
    for (let count = 0; count < 10; count++) {
      expect((await browser.get("/device?user_code=BBBB-BBBB")).status).toBe(404);
    }
    const refused = await browser.get(`/device?user_code=${userCode}`);
    expect([refused.status, refused.text]).toEqual([429, expect.stringMatching(/Try again in \d+ min/)]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await browser.send(page, "/device", { decision: "approve" })).status).toBe(429);
    pages.clock.advance(3_600_000);
    const fresh = await beginDevice(pages);
    expect((await browser.get(`/device?user_code=${fresh.userCode}`)).status).toBe(200);
  });

  it("marks scopes that the user cannot grant, and grants the others", async () => {
    const pages = await startPages();
    const { userCode, poll } = await beginDevice(pages, { client_id: "tool-cli", scope: "read admin" });
    const browser = await signedInMember(pages, "m@example.com");
    const page = await browser.get(`/device?user_code=${userCode}`);
    expect(page.text).toMatch(/admin Manage [^.]*\. Not included: you do not have this scope yourself\./);
    await browser.send(page, "/device", { decision: "approve" });
    expect(await poll()).toBe("granted read");
  });

  it("refuses approval if the user can grant none of the scopes", async () => {
    const pages = await startPages();
    const { userCode } = await beginDevice(pages, { client_id: "tool-cli", scope: "operator" });
    const browser = await signedInMember(pages, "m@example.com");
    const page = await browser.get(`/device?user_code=${userCode}`);
    const refused = await browser.send(page, "/device", { decision: "approve" });
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("operator")]);
  });

  it("sends a user who was signed out meanwhile to sign in, with the code", async () => {
    const pages = await startPages();
    const { userCode, poll } = await beginDevice(pages);
    const browser = await signedInOwner(pages);
    const page = await browser.get(`/device?user_code=${userCode}`);
    const cookie = browser.cookie();
    await browser.send(await browser.get("/"), "/sign-out");
    const late = await visitor(pages.url).send(page, "/device", { decision: "approve" }, { cookie });
    expect([late.status, late.location]).toEqual([303, `/sign-in?next=%2Fdevice%3Fuser_code%3D${userCode}`]);
    expect(await poll()).toBe("authorization_pending");
  });

  it("escapes the device's user agent and the typed code", async () => {
    const pages = await startPages();
    const userAgent = `<script>alert("1")</script>&amp;<img src=x onerror='alert(2)'>`;
    const { user_code } = await pages.devices.begin({ client_id: "tool-cli" }, { address: "::1", userAgent });
    const browser = await signedInOwner(pages);
    const { html, text } = await browser.get(`/device?user_code=${user_code}`);
    expect(html).not.toMatch(/<script|<img/);
    expect(text).toContain(userAgent);
    const typed = await browser.get(`/device?user_code=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(typed.html).not.toContain("<script");
  });
});
