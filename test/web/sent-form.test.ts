import { describe, expect, it } from "vitest";
import { signedInOwner, startPages } from "./support/pages.ts";
import { type Page, visitor } from "./support/visitor.ts";

const WRONG = {
  do: "create",
  name: "deploy",
  may: "read",
  project: "web",
  expires: "2027-02-31",
  tools: "usage.track\n***",
  addresses: "office",
};

async function refusedOf(sent: Record<string, string>, path = "/keys") {
  const browser = await signedInOwner(await startPages());
  const action = path.split("?", 1)[0] ?? "";
  return browser.send(await browser.get(path), action, sent);
}

/** Returns the HTML of the control of this name, up to the next control. */
function controlOf({ html }: Page, name: string): string {
  return (
    new RegExp(`<(input|select|textarea) [^>]*name="${name}".*?(?=<label|<button)`, "s").exec(html)?.[0] ?? ""
  );
}

describe("a refused form", () => {
  it("is shown again as it was sent, opened, with each error above it and at its field", async () => {
    const refused = await refusedOf(WRONG);
    expect(refused.status).toBe(400);
    const [alert = ""] = /<[^>]* role="alert".*?<\/div>/s.exec(refused.html) ?? [];
    expect(alert.match(/href="#(\w+)"/g)).toEqual(['href="#expires"', 'href="#tools"', 'href="#addresses"']);
    expect(refused.text).toContain("Works until the end of: must be a day such as 2027-01-31");
    expect(refused.text).toContain("Only for these tools (2): must be a name");
    expect(refused.text).toContain("Only from these addresses (1): must be an IPv4 or IPv6 address");
    expect(refused.text).not.toContain("addresses.0");
    expect(controlOf(refused, "name")).toContain('value="deploy"');
    expect(controlOf(refused, "may")).toContain('<option value="read" selected="">');
    expect(controlOf(refused, "expires")).toContain('value="2027-02-31"');
    expect(controlOf(refused, "expires")).toMatch(/aria-invalid="true" aria-describedby="(.*?)".*id="\1"/s);
    expect(controlOf(refused, "tools")).toContain("usage.track\n***</textarea>");
    expect(controlOf(refused, "addresses")).toContain("office</textarea>");
    expect(controlOf(refused, "name")).not.toContain("aria-invalid");
    expect(refused.html).toMatch(/<details open=""><summary>Bind it/);
  });

  it.each([
    ["/people", { do: "invite", email: "notamail", role: "admin" }, 400, "email", 'value="notamail"'],
    [
      "/people",
      { do: "invite", email: "owner@localhost", role: "admin" },
      409,
      "role",
      '<option selected="">admin',
    ],
    ["/account", { do: "close", name: "Default & <Co>" }, 409, "name", 'value="Default &amp; &lt;Co&gt;"'],
  ])("on %s keeps %j, answered with %i", async (path, sent, status, field, held) => {
    const refused = await refusedOf(sent, path);
    expect(refused.status).toBe(status);
    expect(refused.html).toContain('role="alert"');
    expect(controlOf(refused, field)).toContain(held);
  });

  it("can be corrected and sent again", async () => {
    const pages = await startPages();
    const browser = await signedInOwner(pages);
    const refused = await browser.send(await browser.get("/keys"), "/keys", WRONG);
    const mended = { ...WRONG, expires: "", tools: "", addresses: "192.0.2.1" };
    expect((await browser.send(refused, "/keys", mended)).text).toContain("The key deploy is made");
  });

  it("of one key is shown again on the page of that key", async () => {
    const pages = await startPages();
    const browser = await signedInOwner(pages);
    await browser.send(await browser.get("/keys"), "/keys", {
      ...WRONG,
      expires: "",
      tools: "",
      addresses: "",
    });
    const [key] = (await pages.apiKeys.list(pages.account.id, { limit: 1 })).items;
    const page = await browser.get(`/keys?key=${key?.id}`);
    const sent = { ...WRONG, do: "change", key: key?.id ?? "", name: "" };
    const refused = await browser.send(page, `/keys?key=${key?.id}`, sent);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("Change it");
    expect(controlOf(refused, "name")).toContain("aria-invalid");
    expect(controlOf(refused, "addresses")).toContain("office");
  });

  it("is shown as an error only if the page has no form with these fields", async () => {
    const refused = await refusedOf({ ...WRONG, else: "1" });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("expiresAt: must be a day");
    expect(controlOf(refused, "name")).not.toContain("deploy");
  });
});

describe("a form with the token of an earlier sign-in", () => {
  const OWN = { "sec-fetch-site": "same-origin" };
  const stale = new URLSearchParams({ ...WRONG, expires: "", tools: "", addresses: "", form_token: "old" });

  it("does nothing, and is shown again to be sent once more", async () => {
    const pages = await startPages();
    const browser = await signedInOwner(pages);
    const refused = await browser.post("/keys", stale.toString(), OWN);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("send it again")]);
    expect(controlOf(refused, "name")).toContain('value="deploy"');
    expect((await pages.apiKeys.list(pages.account.id, { limit: 1 })).items).toEqual([]);
    stale.delete("form_token");
    const again = await browser.send(refused, "/keys", Object.fromEntries(stale));
    expect(again.text).toContain("The key deploy is made");
  });

  it.each<Record<string, string>>([
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "none" },
    { origin: "null" },
  ])("is not shown again if %j does not prove that it came from this site", async (headers) => {
    const browser = await signedInOwner(await startPages());
    const refused = await browser.post("/keys", `${stale}&form_token=old`, headers);
    expect(refused.status).toBe(403);
    expect(refused.html).not.toContain("deploy");
  });

  it("is kept for a user who is signed out", async () => {
    const { url } = await startPages();
    const refused = await visitor(url).post("/keys", `${stale}&form_token=old`, OWN);
    expect(refused.text).toContain("You were signed out, and nothing was done");
  });
});
