import { describe, expect, it } from "vitest";
import { tokenFamilies } from "../../src/accounts/model.ts";
import { Problem } from "../../src/contract/problem.ts";
import { accountSpace } from "../../src/store/store.ts";
import type { Section } from "../../src/web/console/frame/section.ts";
import {
  beginDevice,
  ownerCaller,
  type Pages,
  signedInMember,
  signedInOwner,
  startPages,
} from "./support/pages.ts";
import { hiddenFields, type Visitor, visitor } from "./support/visitor.ts";

const PAGES = ["/usage", "/limits", "/entitlements", "/keys", "/anomalies", "/devices"];

describe("the start page", () => {
  it("tells strangers how to sign in, in a terminal and in the browser", async () => {
    const { url } = await startPages();
    const page = await visitor(url).get("/");
    expect(page.status).toBe(200);
    expect(page.text).toContain(`tool login --base-url ${url}`);
    expect(page.html).toContain('href="/sign-in"');
  });

  it("omits --base-url at the default address of the command line", async () => {
    const { url } = await startPages({ baseUrl: "http://127.0.0.1:4242" });
    expect((await visitor(url).get("/")).html).toContain("<code>tool login</code>");
  });

  it("is shown at a path of slashes only", async () => {
    const pages = await startPages();
    const browser = await signedInOwner(pages);
    const page = await browser.get(`${pages.url}//?project=web`);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining("Project web")]);
  });

  it("shows a card for each section, which links to its page", async () => {
    const pages = await startPages();
    const browser = await signedInOwner(pages);
    const { html, text } = await browser.get("/");
    expect(text).toContain("Account default");
    for (const path of PAGES) {
      expect(html).toContain(`href="${path}"`);
      expect((await browser.get(path)).status).toBe(200);
    }
  });

  it("leads from what a plan lacks to where a larger one is had", async () => {
    const { html, text } = await (await signedInOwner(await startPages())).get("/entitlements");
    expect(text).toContain("compliance-officer needs");
    expect(html).toContain('<a href="https://up.example/plans">Get a larger plan</a>');
  });

  it("shows all limits by what is used of them, in words and by how far their bars are filled", async () => {
    const browser = await signedInOwner(await startPages());
    const { html, text } = await browser.get("/limits");
    const shown = [
      "120 a minute (bursts of 240) 29 of 240 used all free again in 14 s",
      "5,000 an hour 1,880 of 5,000 used all free again in 25 min",
      "50,000 a day 0 of 50,000 used",
      "1,000 MCP calls a month 812 of 1,000 used all free again in 9 days",
      "1 GiB stored 31.9 MiB of 1 GiB used",
      "120 s of computing a minute 30.5 of 120 used",
    ];
    for (const words of shown) expect(text).toContain(words);
    const widths = [...html.matchAll(/<rect width="([^"]+)" height="1"/g)].map(([, width]) => Number(width));
    expect(widths.map(Math.round)).toEqual([12, 38, 0, 81, 3, 1, 25, 6, 98]);
    expect((await browser.get("/")).text).toContain("81 % of the month's 1,000 MCP calls are used");
  });

  it("shows commands that fill empty sections", async () => {
    const browser = await signedInOwner(await startPages());
    const { text } = await browser.get("/");
    for (const command of [
      "tool track api_calls",
      "tool keys create ci",
      "tool anomalies analyze metrics.json",
      "tool login",
    ]) {
      expect(text).toContain(command);
    }
  });

  it("shows the other cards if one fails", async () => {
    const title = (name: string) => ({ path: `/${name}`, title: name, group: "Account" }) as const;
    const failing = (error: Error): Omit<Section, "path" | "title" | "group"> => ({
      card: () => Promise.reject(error),
      page: () => Promise.reject(error),
    });
    const sections: Section[] = [
      { ...title("broken"), ...failing(new Error("inside")) },
      { ...title("away"), ...failing(new Problem("store_unavailable", "The store is away.")) },
      { ...title("well"), card: async () => "all is well", page: async () => "all is well" },
    ];
    const browser = await signedInOwner(await startPages({ sections }));
    const { status, text } = await browser.get("/");
    expect(status).toBe(200);
    expect(text).toContain("broken Could not be loaded just now.");
    expect(text).toContain("away Could not be loaded just now.");
    expect(text).toContain("all is well");
    expect(text).not.toContain("inside");
    expect(await browser.get("/away")).toMatchObject({
      status: 503,
      text: expect.stringContaining("is away"),
    });
  });

  it.each(PAGES)("sends strangers from %s to sign in", async (path) => {
    const { url } = await startPages();
    expect((await visitor(url).get(path)).location).toBe(`/sign-in?next=${encodeURIComponent(path)}`);
  });
});

describe("the usage page", () => {
  it("draws a chart by day and type, and shows its numbers in a table", async () => {
    const browser = await signedInOwner(await startPages({ usage: 10 }));
    const { html, text } = await browser.get("/usage?period=7d&type=api_calls&before=1");
    // Seven days, and one in the legend.
    expect(html.match(/<rect class="api_calls"/g)).toHaveLength(8);
    expect(html).toContain("<title>2026-01-15\nAPI calls 527");
    expect(text).toMatch(/Day API calls 2026-01-15 527 2026-01-14 /);
    expect(text).toContain("4,247 API calls 4,247 in the period before");
    expect(text).toContain("9 Jan 11 Jan 12 Jan 14 Jan 15 Jan");
    expect(html).toContain('<polyline class="before"');
    expect(text).toMatch(/Key In all Share Over time ci 4,247 100.0 % Chart/);
  });

  it("falls back to 30 days for invalid periods", async () => {
    const browser = await signedInOwner(await startPages({ usage: 10 }));
    for (const [query, bars] of [
      ["", 30],
      ["?period=90d", 90],
      ["?period=90d&each=month", 4],
      ["?period=24h", 24],
      ["?period=7d&each=hour", 168],
      ["?period=12m", 12],
      ["?period=30d&each=hour", 30],
      ["?period=toString", 30],
      ["?from=2026-01-01&to=2026-01-04", 4],
      ["?from=2026-01-01&to=2026-01-04&each=hour", 96],
      ["?from=2025-01-01&to=2026-01-04", 13],
      ["?from=2026-01-04&to=2026-01-01", 30],
      ["?from=0001-01-01&to=2026-01-01", 30],
      ["?from=x&to=2999-01-01", 30],
    ] as const) {
      const { html } = await browser.get(`/usage${query}`);
      expect(html.match(/<rect class="touch"/g), query).toHaveLength(bars);
    }
  });

  it("shows the chosen project", async () => {
    const pages = await startPages({ usage: 10 });
    await pages.projects.getOrCreate(pages.account.id, "shop");
    const browser = await signedInOwner(pages);
    expect((await browser.get("/")).html).toContain('<option value="shop">shop</option>');
    const chosen = await browser.get("/?project=shop");
    expect(chosen.text).toContain("Project shop, the last 14 days");
    expect(chosen.html).toContain('href="/usage?project=shop"');
    expect((await browser.get("/usage?project=%3Cscript%3E")).html).not.toContain("<script>");
  });
});

describe("the keys page", () => {
  it("lists keys without their secrets, and revokes one", async () => {
    const pages = await startPages();
    const owner = ownerCaller(pages);
    const { key, secret } = await pages.apiKeys.create(owner, { name: "ci", scopes: ["write"] });
    await pages.apiKeys.create(owner, { name: "dashboard", scopes: ["read"] });
    const browser = await signedInOwner(pages);
    const page = await browser.get("/keys");
    expect(page.text).toContain(`ci ${key.prefix}… write never 2026-01-15 never Stop the key ci`);
    expect(page.html).not.toContain(secret);
    const shown = await browser.get(`/keys?key=${key.id}`);
    expect(shown.text).toContain("Programs that use it stop working at once.");
    const done = await browser.send(page, "/keys", { do: "revoke", key: key.id });
    expect((await browser.get(done.location ?? "")).text).toContain("The key ci is revoked, for good.");
    expect((await browser.get("/keys")).text).not.toContain(key.prefix);
    pages.clock.advance(2000);
    expect((await browser.send(page, "/keys", { do: "revoke", key: key.id })).status).toBe(404);
  });

  it("shows a hundred keys at a time", async () => {
    const pages = await startPages();
    const owner = ownerCaller(pages);
    for (let count = 0; count < 101; count++) {
      await pages.apiKeys.create(owner, { name: `key-${count}`, scopes: ["read"] });
    }
    const browser = await signedInOwner(pages);
    const first = await browser.get("/keys");
    expect(first.text).not.toContain("key-100");
    const more = /href="(\/keys\?after=[^"]+)"/.exec(first.html)?.[1] ?? "";
    expect((await browser.get(more)).text).toContain("key-100");
  });

  it("is for admins only", async () => {
    const pages = await startPages();
    const { key } = await pages.apiKeys.create(ownerCaller(pages), { name: "ci", scopes: ["write"] });
    const browser = await signedInMember(pages, "m@example.com");
    for (const path of ["/", "/keys"]) expect((await browser.get(path)).text).not.toContain(key.prefix);
    const { form_token = "" } = hiddenFields((await browser.get("/")).html, "/sign-out");
    const forged = new URLSearchParams({ form_token, key: key.id }).toString();
    expect((await browser.post("/keys", forged)).status).toBe(403);
    expect((await pages.apiKeys.list(pages.account.id, { limit: 10 })).items).toHaveLength(1);
  });
});

describe("the devices page", () => {
  async function signedInDevice(pages: Pages, browser: Visitor): Promise<void> {
    const { userCode, poll } = await beginDevice(pages);
    await browser.send(await browser.get(`/device?user_code=${userCode}`), "/device", {
      decision: "approve",
    });
    expect(await poll()).toBe("granted read write");
  }

  it("lists devices with their client, user and address, and revokes one", async () => {
    const pages = await startPages();
    const browser = await signedInOwner(pages);
    await signedInDevice(pages, browser);
    const page = await browser.get("/devices");
    expect(page.text).toContain(
      "tool-cli tool/0.1.0 (linux; x64) owner@localhost 203.0.113.9 read write just now just now",
    );
    const { device } = hiddenFields(page.html, "/devices");
    expect(device).toMatch(/^[a-z]+_/);
    const gone = await browser.send(page, "/devices");
    expect(await pages.signedInDevices.list(pages.account.id)).toEqual([]);
    const after = (await browser.get(gone.location ?? "")).text;
    expect(after).toContain("tool-cli is signed out.");
    expect(after).toContain("No device is signed in.");
  });

  it("says of a device which resource alone it is signed in to", async () => {
    const pages = await startPages();
    const browser = await signedInOwner(pages);
    await signedInDevice(pages, browser);
    const audience = "https://plane.example/mcp/tracker";
    await pages.store.transact(async (tx) => {
      const space = accountSpace(pages.account.id);
      for (const { id, value } of await tx.list(tokenFamilies, space))
        await tx.put(tokenFamilies, space, id, { ...value, audience }, { expiresAt: value.expiresAt });
    });
    expect((await browser.get("/devices")).text).toContain(`read write at ${audience} alone`);
    expect((await browser.get("/devices/export")).html).toContain(audience);
  });

  it("shows all devices to admins, and only their own to members", async () => {
    const pages = await startPages();
    const owner = await signedInOwner(pages);
    const [one, other] = [
      await signedInMember(pages, "one@example.com"),
      await signedInMember(pages, "other@example.com"),
    ];
    await signedInDevice(pages, one);
    expect((await owner.get("/devices")).text).toContain("tool-cli tool/0.1.0 (linux; x64) one@example.com");
    expect((await one.get("/devices")).text).toContain("tool-cli");
    expect((await other.get("/devices")).text).toContain("No device is signed in.");
    const { device = "", form_token: _ } = hiddenFields((await one.get("/devices")).html, "/devices");
    const { form_token = "" } = hiddenFields((await other.get("/")).html, "/sign-out");
    expect(
      (await other.post("/devices", new URLSearchParams({ form_token, do: "revoke", device }).toString()))
        .status,
    ).toBe(404);
    expect(await pages.signedInDevices.list(pages.account.id)).toHaveLength(1);
  });

  it("sorts, filters and exports devices, and exports browsers", async () => {
    const pages = await startPages();
    const owner = await signedInOwner(pages);
    for (const name of ["bo@example.com", "ada@example.com"])
      await signedInDevice(pages, await signedInMember(pages, name));
    const emails = (text: string) => text.match(/(?:ada|bo)@example.com/g);
    expect(emails((await owner.get("/devices?sort=email")).text)).toEqual([
      "ada@example.com",
      "bo@example.com",
    ]);
    expect(emails((await owner.get("/devices?sort=-email")).text)).toEqual([
      "bo@example.com",
      "ada@example.com",
    ]);
    expect(emails((await owner.get("/devices?query=ADA")).text)).toEqual(["ada@example.com"]);
    expect((await owner.get("/devices?query=eve")).text).toContain("No device is like that.");
    const file = (await owner.get("/devices/export?sort=email")).html.trim().split("\r\n");
    expect(file).toHaveLength(3);
    expect(file[1]).toContain("tool-cli,,ada@example.com,tool/0.1.0 (linux; x64),203.0.113.9,read write");
    const lines = (await owner.get("/devices/export?of=browsers&format=jsonl")).html.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ signedInBy: "link" }]);
    const bo = await signedInMember(pages, "cy@example.com");
    expect((await bo.get("/devices/export")).html.trim().split("\r\n")).toHaveLength(1);
  });

  it("lists the user's browsers, and signs out the others", async () => {
    const pages = await startPages();
    const [browser, other] = [await signedInOwner(pages), await signedInOwner(pages)];
    const page = await browser.get("/devices");
    expect(page.text.match(/this browser/g)).toHaveLength(1);
    await browser.send(page, "/devices");
    expect((await other.get("/devices")).status).toBe(303);
    expect((await browser.get("/devices")).status).toBe(200);
  });
});
