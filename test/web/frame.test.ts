import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Problem } from "../../src/contract/problem.ts";
import bundled from "../../src/metering/catalogue.json" with { type: "json" };
import { labelled, short, ticks } from "../../src/web/charts/scale.ts";
import { Command, commandFor } from "../../src/web/command.tsx";
import { signedFlash, verifiedFlash } from "../../src/web/console/frame/flash.ts";
import { Titled } from "../../src/web/console/frame/pages.tsx";
import { CONSOLE_SCRIPT } from "../../src/web/console/frame/script.ts";
import type { Section } from "../../src/web/console/frame/section.ts";
import { startApp } from "../support/app.ts";
import { temporaryDirectory } from "../support/store.ts";
import { type Pages, signedInMember, signedInOwner, startPages } from "./support/pages.ts";
import { hiddenFields, visitor } from "./support/visitor.ts";

function lamp(more: Partial<Section> = {}): Section {
  let lit = false;
  return {
    path: "/lamp",
    title: "Lamp",
    group: "Account",
    page: async () => (lit ? "it is lit" : "it is dark"),
    actions: {
      async light() {
        lit = true;
        return { said: "The lamp was lit.", undo: { do: "out" } };
      },
      async out() {
        lit = false;
        return { said: "The lamp was put out.", undo: { do: "light" } };
      },
    },
    ...more,
  };
}

describe("the frame of the console", () => {
  it("says who is there, in which role and on which plan, by the name that people know it by", async () => {
    const browser = await signedInOwner(await startPages({ sections: [lamp()] }));
    expect((await browser.get("/lamp")).text).toContain("Account default Plan The whole team · owner");
  });
});

describe("the report of a form's action", () => {
  it("is shown once on the next page, and undone by its button", async () => {
    const browser = await signedInOwner(await startPages({ sections: [lamp()] }));
    const { form_token } = hiddenFields((await browser.get("/lamp")).html, "/sign-out");
    const done = await browser.post(
      "/lamp",
      new URLSearchParams({ form_token: form_token ?? "", do: "light" }).toString(),
    );
    expect(done.status).toBe(303);
    const page = await browser.get(done.location ?? "");
    expect(page.text).toContain("The lamp was lit. Undo");
    expect(page.text).toContain("it is lit");
    expect((await browser.get("/lamp")).text).not.toContain("The lamp was lit.");
    const undone = await browser.send(page, "/lamp");
    expect((await browser.get(undone.location ?? "")).text).toMatch(/The lamp was put out.* it is dark/);
  });

  it("and its undoing lead back to the page as it was asked for", async () => {
    const browser = await signedInOwner(await startPages({ sections: [lamp()] }));
    const { form_token = "" } = hiddenFields((await browser.get("/lamp")).html, "/sign-out");
    const form = new URLSearchParams({ form_token, do: "light" }).toString();
    const done = await browser.post("/lamp?bulb=2", form);
    expect(done.location).toMatch(/^\/lamp\?bulb=2&done=/);
    const undone = await browser.send(await browser.get(done.location ?? ""), "/lamp?bulb=2");
    expect(undone.location).toMatch(/^\/lamp\?bulb=2&done=/);
  });

  it("is accepted only with the signature of this browser", () => {
    const flash = signedFlash({ said: "Done.", undo: { do: "x" } }, "token of one");
    expect(verifiedFlash(flash, "token of one")).toEqual({ said: "Done.", undo: { do: "x" } });
    for (const wrong of [null, "", "x", "x.y", `${flash}a`, flash.replace(/^./, "A")]) {
      expect(verifiedFlash(wrong, "token of one")).toBeUndefined();
    }
    expect(verifiedFlash(flash, "token of another")).toBeUndefined();
  });

  it("is cut to 200 characters to fit into an address", () => {
    const flash = signedFlash({ said: "x".repeat(10_000), undo: { do: "y".repeat(10_000) } }, "token");
    expect(flash.length).toBeLessThan(2000);
    expect(verifiedFlash(flash, "token")).toEqual({ said: "x".repeat(200) });
  });
});

describe("the title of a document", () => {
  it.each([
    ["a name", "porch", "porch · Lamp · Toolplane"],
    ["a name of several lines", " porch\n light ", "porch light · Lamp · Toolplane"],
    ["a long name", "🙂".repeat(200), `${"🙂".repeat(79)}… · Lamp · Toolplane`],
    ["no name", " ", "Lamp · Toolplane"],
  ])("begins with the name of the thing that the page is about: %s", async (_, name, title) => {
    const page = async () => createElement(Titled, { name }, "it is dark");
    const browser = await signedInOwner(await startPages({ sections: [lamp({ page })] }));
    const { html } = await browser.get("/lamp");
    expect(/<title>([^<]*)<\/title>/.exec(html)?.[1]).toBe(title);
    expect(html).toContain("<h1>Lamp</h1>");
  });

  it("tells one person's page from another's", async () => {
    const browser = await signedInOwner(await startPages());
    const address = /href="(\/people\?[^"]*user=[^"]*)"/.exec((await browser.get("/people")).html)?.[1];
    const { html } = await browser.get((address as string).replaceAll("&amp;", "&"));
    expect(html).toMatch(/<title>[^<]*@[^<]* · People · Toolplane<\/title>/);
  });
});

describe("a section restricted by isFor()", () => {
  it("has no link, page, form or export for other users", async () => {
    const only = lamp({
      isFor: ({ visit }) => visit.signedIn.user.role === "owner",
      card: async () => "a card",
      download: async () => ({ name: "x", type: "text/csv", body: (async function* () {})() }),
    });
    const pages = await startPages({ sections: [only] });
    const owner = await signedInOwner(pages);
    expect((await owner.get("/")).text).toContain("a card");
    expect((await owner.get("/lamp")).status).toBe(200);
    expect((await owner.get("/lamp/export")).status).toBe(200);
    const bob = await signedInMember(pages, "bob@example.com");
    expect((await bob.get("/")).html).not.toMatch(/lamp|a card/i);
    expect((await bob.get("/lamp")).status).toBe(404);
    expect((await bob.get("/lamp/export")).status).toBe(404);
    const { form_token } = hiddenFields((await bob.get("/")).html, "/sign-out");
    const tried = await bob.post(
      "/lamp",
      new URLSearchParams({ form_token: form_token ?? "", do: "light" }).toString(),
    );
    expect(tried.status).toBe(403);
    expect((await owner.get("/lamp")).text).toContain("it is dark");
  });
});

describe("a problem of a section", () => {
  const failing = (problem: Problem) => lamp({ page: () => Promise.reject(problem) });

  it("is shown beside the other sections, with its status and headers", async () => {
    const problem = new Problem("rate_limited", "Too many lamps.", { headers: { "Retry-After": "9" } });
    const sections = [failing(problem), lamp({ path: "/shade", title: "Shade" })];
    const browser = await signedInOwner(await startPages({ sections }));
    const page = await browser.get("/lamp");
    expect(page).toMatchObject({ status: 429, text: expect.stringContaining("Too many lamps. Lamp") });
    expect(page.headers.get("retry-after")).toBe("9");
    expect(page.html).toMatch(/<nav id="sections".*href="\/shade"/s);
  });

  it.each([
    ["forbidden", 403],
    ["not_found", 404],
  ] as const)(
    "%s is shown there after a form, too, if the page cannot be shown again",
    async (code, status) => {
      const refuse = () => Promise.reject(new Problem(code, "Not this lamp."));
      const sections = [
        lamp({ actions: { light: refuse }, page: refuse }),
        lamp({ path: "/shade", title: "Shade" }),
      ];
      const browser = await signedInOwner(await startPages({ sections }));
      const { form_token = "" } = hiddenFields((await browser.get("/shade")).html, "/sign-out");
      const page = await browser.post("/lamp", new URLSearchParams({ form_token, do: "light" }).toString());
      expect(page).toMatchObject({ status, text: expect.stringContaining("Not this lamp. Lamp") });
      expect(page.html).toMatch(/<nav id="sections".*href="\/shade"/s);
    },
  );

  it("stands alone where the store is away, which the frame needs, too", async () => {
    const away = new Problem("store_unavailable", "The store is away.");
    const browser = await signedInOwner(await startPages({ sections: [failing(away)] }));
    const page = await browser.get("/lamp");
    expect(page).toMatchObject({ status: 503, text: expect.stringContaining("The store is away.") });
    expect(page.html).not.toContain('id="sections"');
  });

  it("does not tell others that there is the section", async () => {
    const sections = [lamp({ isFor: () => false }), lamp({ path: "/shade", title: "Shade" })];
    const browser = await signedInOwner(await startPages({ sections }));
    const page = await browser.get("/lamp");
    expect(page.status).toBe(404);
    expect(page.html).not.toContain('id="sections"');
  });
});

describe("?account= in an address", () => {
  it("offers to switch to another account of the user, and is 404 for accounts of others", async () => {
    const pages = await startPages();
    const { account, browser } = await inTwoAccounts(pages);
    const here = await browser.get("/usage");
    expect(here.html).toContain(`href="/keys?account=${account.id}`);
    const other = await browser.get(`/usage?account=${pages.account.id}&days=14`);
    expect(other.text).toContain("This page is of another account of yours");
    const switched = await browser.send(other, "/accounts");
    expect(switched.location).toBe(`/usage?account=${pages.account.id}&days=14`);
    expect((await browser.get(switched.location ?? "")).text).toContain("Account default");
    expect((await browser.get("/usage?account=acc_of_another")).status).toBe(404);
    const bob = await signedInMember(pages, "bob@example.com");
    expect((await bob.get(`/usage?account=${account.id}`)).status).toBe(404);
  });

  it("refuses a form from a page of another account with 409", async () => {
    const pages = await startPages({ sections: [lamp()] });
    const { browser } = await inTwoAccounts(pages);
    const { form_token } = hiddenFields((await browser.get("/lamp")).html, "/sign-out");
    const form = new URLSearchParams({ form_token: form_token ?? "", do: "light" }).toString();
    expect((await browser.post(`/lamp?account=${pages.account.id}`, form)).status).toBe(409);
    expect((await browser.get("/lamp")).text).toContain("it is dark");
  });
});

describe("a page as an event stream", () => {
  it("is sent when it changes, and ends with the session", async () => {
    const pages = await startPages({ sections: [lamp()] });
    const browser = await signedInOwner(pages);
    const headers = { cookie: browser.cookie(), accept: "text/event-stream" };
    const response = await fetch(`${pages.url}/lamp`, { headers });
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const sent: string[] = [];
    let over = false;
    const ended = (async () => {
      for await (const chunk of response.body ?? []) sent.push(Buffer.from(chunk).toString());
      over = true;
    })();
    const read = () => {
      pages.clock.advance(5000);
      return sent.join("");
    };
    await expect.poll(read).toContain("it is dark");
    await expect.poll(read).toMatch(/\n:\n\n$/);
    const page = await browser.get("/lamp");
    const { form_token } = hiddenFields(page.html, "/sign-out");
    await browser.post(
      "/lamp",
      new URLSearchParams({ form_token: form_token ?? "", do: "light" }).toString(),
    );
    await expect.poll(read).toContain("it is lit");
    await browser.send(page, "/sign-out");
    await expect.poll(() => read() && over).toBe(true);
    await ended;
  });

  it("sends strangers to sign in, and is limited to ten streams of an account", async () => {
    const pages = await startPages({ sections: [lamp()] });
    const follow = (cookie: string) =>
      fetch(`${pages.url}/lamp`, { redirect: "manual", headers: { cookie, accept: "text/event-stream" } });
    expect((await follow(visitor(pages.url).cookie())).status).toBe(303);
    const browser = await signedInOwner(pages);
    const followed = await Promise.all(Array.from({ length: 10 }, () => follow(browser.cookie())));
    expect(followed.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect((await follow(browser.cookie())).status).toBe(503);
    await followed[0]?.body?.cancel();
    await expect.poll(async () => (await follow(browser.cookie())).status).toBe(200);
  });
});

describe("the console script", () => {
  it("is small, and contains no URL, import or eval", () => {
    expect(CONSOLE_SCRIPT.length).toBeLessThan(30_000);
    expect(CONSOLE_SCRIPT).not.toMatch(/https?:|\/\/\w|import|eval/);
  });
});

describe("a command on a page", () => {
  it("stays one text, that is found as it is typed", () => {
    const command = "tool diagnose --project a-b -y -- npm x";
    expect(renderToStaticMarkup(createElement(Command, null, command))).toContain(`<code>${command}</code>`);
  });
});

describe("commandFor()", () => {
  it("adds --project and --base-url unless they are the defaults", () => {
    expect(commandFor("http://127.0.0.1:4242", "keys list", "default")).toBe("tool keys list");
    expect(commandFor("https://plane.example", "keys list", "shop's")).toBe(
      "tool keys list --project 'shop'\\''s' --base-url https://plane.example",
    );
  });
});

describe("a chart axis", () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [930, [0, 250, 500, 750, 1000]],
    [4_000_000, [0, 1e6, 2e6, 3e6, 4e6]],
    [0.7, [0, 0.2, 0.4, 0.6, 0.8]],
  ])("up to %d has round steps", (most, steps) => {
    expect(ticks(most)).toEqual(steps);
  });

  it("has labels at its ends and evenly between, in short form", () => {
    expect(labelled(30, 5)).toEqual([0, 7, 15, 22, 29]);
    expect(labelled(2, 5)).toEqual([0, 1]);
    expect([950, 12_000, 2_500_000].map(short)).toEqual(["950", "12K", "2.5M"]);
    expect([0, 0.0001, 5e-9, -1e99, 999e12].map(short)).toEqual(["0", "0.0001", "5E-9", "-1E99", "999T"]);
  });
});

async function inTwoAccounts(pages: Pages) {
  const { account, signInLink } = await pages.otherAccount("owner@localhost");
  const browser = await signedInOwner(pages);
  await browser.send(await browser.get(signInLink ?? ""), "/sign-in");
  return { account, browser };
}

it("pages, errors and metadata call the service by the name that its plans file gives it", async () => {
  const plansFile = join(temporaryDirectory(), "plans.json");
  writeFileSync(plansFile, JSON.stringify({ ...bundled, name: "Acme & Sons" }));
  const { url, request } = await startApp({ plansFile });
  const browser = visitor(url);
  for (const path of ["/sign-in", "/docs", "/docs/problems", "/sign-in?link=x", "/no/such/page"]) {
    const { html } = await browser.get(path, { accept: "text/html" });
    expect([path, /<title>(.*)<\/title>/.exec(html)?.[1]]).toEqual([
      path,
      expect.stringMatching(/.+ · Acme &amp; Sons$/),
    ]);
    expect(html).toMatch(/<a class="wordmark" href="\/">.*Acme &amp; Sons<\/a>/);
    expect(html.match(/<(?:title|a class="wordmark").*?<\/(?:title|a)>/g)?.join()).not.toContain("Toolplane");
  }
  for (const path of ["", "/mcp"]) {
    const { body } = await request("GET", `/.well-known/oauth-protected-resource${path}`, { key: null });
    expect(body.resource_name).toBe("Acme & Sons");
  }
});
