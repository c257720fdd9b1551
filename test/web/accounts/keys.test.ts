import { describe, expect, it } from "vitest";
import { ownerCaller, type Pages, signedInMember, signedInOwner, startPages } from "../support/pages.ts";
import { hiddenFields, type Page, type Visitor } from "../support/visitor.ts";

/** Fields of the form for a key, with a name and nothing else filled in. */
const EMPTY = { name: "ci", may: "write", project: "", expires: "", tools: "", addresses: "" };

async function makeKey(pages: Pages, more = {}) {
  return pages.apiKeys.create(ownerCaller(pages), { name: "ci", scopes: ["read", "write"], ...more });
}

/** Posts fields as a form of the keys page would. */
async function submit(browser: Visitor, fields: Record<string, string>): Promise<Page> {
  const { form_token = "" } = hiddenFields((await browser.get("/keys")).html, "/keys");
  return browser.post("/keys", new URLSearchParams({ form_token, ...fields }).toString());
}

const allOf = async (pages: Pages) => (await pages.apiKeys.list(pages.account.id, { limit: 10 })).items;

describe("a key in the console", () => {
  it("is created, and its secret is shown only once", async () => {
    const pages = await startPages();
    const browser = await signedInOwner(pages);
    const made = await submit(browser, {
      ...EMPTY,
      do: "create",
      project: "web",
      expires: "2099-01-31",
      tools: "usage.track\n agent_memory_*",
      addresses: "192.0.2.0/24, 2001:db8::1",
    });
    expect(made.status).toBe(200);
    const secret = /tak_[0-9a-z]{57}/.exec(made.html)?.[0] ?? "";
    const [key] = await allOf(pages);
    expect(key).toMatchObject({
      name: "ci",
      scopes: ["read", "write"],
      projectId: "web",
      tools: ["usage.track", "agent_memory_*"],
      addresses: ["192.0.2.0/24", "2001:db8::1"],
      expiresAt: Date.parse("2099-01-31T23:59:59.999Z"),
    });
    expect(secret.startsWith(key?.prefix ?? "none")).toBe(true);
    for (const path of ["/keys", `/keys?key=${key?.id}`])
      expect((await browser.get(path)).html).not.toContain(secret);
  });

  it("offers the projects that there are, so that a mistyped one makes no other", async () => {
    const pages = await startPages();
    const browser = await signedInOwner(pages);
    await pages.projects.getOrCreate(pages.account.id, "checkout");
    const { key } = await pages.apiKeys.create(ownerCaller(pages), { name: "ci", scopes: ["write"] });
    for (const path of ["/keys", `/keys?key=${key.id}`]) {
      const { html } = await browser.get(path);
      expect(html).toContain('list="projects"');
      expect(html).toMatch(/<datalist id="projects">.*<option value="checkout"/);
    }
  });

  it("links back to the keys of the chosen project after each action", async () => {
    const pages = await startPages();
    const browser = await signedInOwner(pages);
    const { form_token = "" } = hiddenFields((await browser.get("/keys")).html, "/keys");
    const send = (fields: Record<string, string>) =>
      browser.post("/keys?project=web", new URLSearchParams({ form_token, ...fields }).toString());
    const back = '<a class="button" href="/keys?project=web">I have kept it</a>';
    expect((await send({ ...EMPTY, do: "create" })).html).toContain(back);
    const key = (await allOf(pages))[0]?.id ?? "";
    expect((await send({ do: "rotate", key, overlap: "0" })).html).toContain(back);
    const { location } = await send({ do: "revoke", key });
    expect(location).toMatch(/^\/keys\?project=web&/);
  });

  it("shows its properties, and is changed by its form", async () => {
    const pages = await startPages();
    const { key } = await makeKey(pages, { addresses: ["192.0.2.1"] });
    const browser = await signedInOwner(pages);
    const shown = await browser.get(`/keys?key=${key.id}`);
    expect(shown.text).toContain("by owner@localhost");
    expect(shown.text).toContain("From 192.0.2.1");
    expect(shown.html).toContain('<option value="write" selected="">');
    const changed = await submit(browser, {
      ...EMPTY,
      do: "change",
      key: key.id,
      name: "deploy",
      may: "read",
      expires: "2099-12-31",
    });
    expect(changed).toMatchObject({ status: 303, location: expect.stringMatching(/^\/keys\?done=/) });
    const [after] = await allOf(pages);
    expect(after).toMatchObject({ name: "deploy", scopes: ["read"] });
    expect(after).not.toHaveProperty("addresses");
    await submit(browser, {
      ...EMPTY,
      do: "change",
      key: key.id,
      may: "read",
      expires: "2099-12-31",
      addresses: "192.0.2.2",
    });
    expect((await allOf(pages))[0]).toMatchObject({ expiresAt: after?.expiresAt, addresses: ["192.0.2.2"] });
  });

  it("shows the new secret after a rotation, and the old prefix while it works", async () => {
    const pages = await startPages();
    const { key } = await makeKey(pages);
    const browser = await signedInOwner(pages);
    const rotated = await submit(browser, { do: "rotate", key: key.id, overlap: "3600" });
    expect(rotated.html).toMatch(/tak_[0-9a-z]{57}/);
    expect((await browser.get(`/keys?key=${key.id}`)).text).toContain(`and ${key.prefix}… for 1 h more`);
    pages.clock.advance(3600_000);
    expect((await browser.get(`/keys?key=${key.id}`)).text).not.toContain(key.prefix);
  });

  it.each([
    [{ addresses: "office" }, "IPv4 or IPv6"],
    [{ expires: "2001-01-01" }, "in the future"],
    [{ expires: "tomorrow" }, "2027-01-31"],
    [{ expires: "2027-02-31" }, "2027-01-31"],
    [{ expires: "2027-04-31" }, "2027-01-31"],
    [{ may: "everything" }, "must name a scope"],
    [{ name: " " }, "must not be empty"],
  ])("is refused with %j and an explanation", async (fields, words) => {
    const pages = await startPages();
    const browser = await signedInOwner(pages);
    const refused = await submit(browser, { ...EMPTY, do: "create", ...fields });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(words);
    expect(await allOf(pages)).toEqual([]);
  });

  it("is found by part of its name, and sorted by name", async () => {
    const pages = await startPages();
    for (const name of ["beta", "alpha", "gamma"]) await makeKey(pages, { name });
    const browser = await signedInOwner(pages);
    const found = await browser.get("/keys?query=ALPH");
    expect(found.text).toContain("alpha tak_");
    expect(found.text).not.toContain("beta tak_");
    expect((await browser.get("/keys?sort=name")).text).toMatch(/alpha tak_.*beta tak_.*gamma tak_/);
    expect((await browser.get("/keys?query=none")).text).toContain("No key is called that.");
  });

  it("is suspended and resumed, in the list and in the export", async () => {
    const pages = await startPages();
    const { key } = await makeKey(pages);
    const browser = await signedInOwner(pages);
    const page = await browser.get("/keys");
    const done = await browser.send(page, "/keys", { do: "suspend", key: key.id });
    const after = await browser.get(done.location ?? "");
    expect(after.text).toContain("The key ci is stopped: whoever uses it is refused from now on. Undo");
    expect(after.text).toContain("Resume the key ci");
    expect((await pages.apiKeys.get(pages.account.id, key.id)).suspendedAt).toBe(pages.clock.now());
    expect((await browser.get(`/keys?key=${key.id}`)).text).toContain("Stopped just now");
    const file = await browser.get("/keys/export");
    expect(file.html.split("\r\n")[1]).toMatch(
      new RegExp(`^${key.id},ci,${key.prefix},read write,,owner@localhost,`),
    );
    expect(file.html).not.toContain(key.secretHash);
    await browser.send(page, "/keys", { do: "resume", key: key.id });
    expect(await pages.apiKeys.get(pages.account.id, key.id)).not.toHaveProperty("suspendedAt");
    const member = await signedInMember(pages, "m@example.com");
    expect((await member.get("/keys/export")).status).toBe(404);
    expect((await browser.get("/keys/export?account=acc_of_somebody_else")).status).toBe(404);
  });

  it("that has expired offers nothing that could only be refused or change nothing", async () => {
    const pages = await startPages();
    const ends = pages.clock.now() + 1000;
    const { key } = await makeKey(pages, { expiresAt: ends });
    await makeKey(pages, { name: "deploy" });
    const browser = await signedInOwner(pages);
    const offered = async (path: string) =>
      [...(await browser.get(path)).html.matchAll(/name="do" value="(\w+)"/g)].map(([, does]) => does);
    expect(await offered("/keys")).toEqual(["suspend", "suspend", "create"]);
    expect(await offered(`/keys?key=${key.id}`)).toEqual(["suspend", "change", "rotate", "revoke"]);
    pages.clock.advance(1000);
    expect(await offered("/keys")).toEqual(["suspend", "create"]);
    expect(await offered(`/keys?key=${key.id}`)).toEqual(["change", "revoke"]);
  });

  it("is hidden from members and other accounts, who cannot change it", async () => {
    const pages = await startPages();
    const { key } = await makeKey(pages);
    const browser = await signedInMember(pages, "m@example.com");
    const page = await browser.get(`/keys?key=${key.id}`);
    expect(page.text).not.toContain(key.prefix);
    const { form_token = "" } = hiddenFields((await browser.get("/")).html, "/sign-out");
    for (const action of ["create", "change", "rotate", "revoke"]) {
      const fields = { ...EMPTY, form_token, do: action, key: key.id, overlap: "0" };
      expect((await browser.post("/keys", new URLSearchParams(fields).toString())).status).toBe(403);
    }
    const owner = await signedInOwner(pages);
    expect((await owner.get("/keys?key=key_of_another")).status).toBe(404);
    expect((await allOf(pages)).map(({ id, prefix }) => [id, prefix])).toEqual([[key.id, key.prefix]]);
  });
});
