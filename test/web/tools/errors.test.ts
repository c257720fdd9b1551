import { describe, expect, it } from "vitest";
import { reportError } from "../../support/report-error.ts";
import { thrown } from "../../tools/observability/reporting.ts";
import { openAs, openToolPages, type ToolPages } from "../support/tool-pages.ts";
import { hiddenFields } from "../support/visitor.ts";

async function open(...events: object[]) {
  const pages = await openToolPages();
  for (const event of events) await reportError(pages.app, event);
  return pages;
}

async function only({ call }: ToolPages) {
  const { items } = await call("GET", "/observability/errors");
  return items[0];
}

describe("the page of errors", () => {
  it("shows the command to set up error reporting if there are none", async () => {
    const { app, browser } = await open();
    for (const path of ["/", "/errors?state=all"]) {
      const { text } = await browser.get(path);
      expect(text).toMatch(/tool observability config|No error is like that/);
    }
    expect((await browser.get("/")).text).toContain(`tool observability config --base-url ${app.url}`);
  });

  it("shows only a few errors on the card, and cuts long messages", async () => {
    const message = `begins ${"and goes on ".repeat(100)}to its <end>`;
    const { browser } = await open(
      thrown("LongError", message),
      ...["A", "B", "C"].map((type) => thrown(type, "x")),
    );
    const { text, html } = await browser.get("/");
    expect(text).not.toContain("LongError");
    expect(html).toContain('href="/errors"');
    const page = await browser.get("/errors");
    expect(page.text).toContain("LongError begins and goes on");
    expect(page.text).not.toContain("to its <end>");
    const { items } = JSON.parse(JSON.stringify({ items: page.html.match(/id=err_[0-9a-f]{24}/g) }));
    expect(items).toHaveLength(4);
  });

  it("filters by words, release and state, and sorts by count", async () => {
    const pages = await open(
      { ...thrown("Alpha", "one"), release: "shop@1" },
      { ...thrown("Beta", "two"), release: "shop@2" },
      { ...thrown("Beta", "two"), release: "shop@2" },
      { ...thrown("Gamma", "three"), release: "shop@2" },
    );
    const { browser } = pages;
    expect((await browser.get("/errors?query=beta+two")).text).not.toContain("Gamma");
    const second = (await browser.get("/errors?release=shop%402")).text;
    expect([second.includes("Beta"), second.includes("Alpha")]).toEqual([true, false]);
    expect((await browser.get("/errors?sort=count")).text).toMatch(/Beta.*(Alpha|Gamma)/);
    expect((await browser.get("/errors?state=resolved")).text).toContain("No error is like that.");
  });

  it("leads to the further ones, also those who may only look", async () => {
    const { app, browser } = await open(...Array.from({ length: 51 }, (_, at) => thrown(`Error${at}`, "x")));
    for (const each of [browser, await openAs(app, "viewer")]) {
      const first = await each.get("/errors");
      const next = /href="(\/errors\?[^"]*\bafter=[^"]+)"/.exec(first.html)?.[1] ?? "none";
      const second = await each.get(next.replaceAll("&amp;", "&"));
      expect([second.status, second.html.match(/id=err_[0-9a-f]{24}/g)?.length]).toEqual([200, 1]);
    }
  });

  it("shows one error with its trend, releases, stack and occurrences, escaped", async () => {
    const event = {
      ...thrown("TypeError", "<b>broken</b>", ["main"]),
      release: "shop@1.0",
      environment: "eu",
    };
    const pages = await open({ ...event, user: { id: "ann" }, tags: { browser: "<i>Firefox</i>" } });
    const { fingerprint } = await only(pages);
    const { html, text } = await pages.browser.get(`/errors?id=${fingerprint}`);
    expect(html).not.toMatch(/<b>broken|<i>Firefox/);
    for (const words of [
      "<b>broken</b>",
      "shop@1.0",
      "about 1 user",
      "main (src/main.js:3)",
      "browser: <i>Firefox</i>",
    ]) {
      expect(text).toContain(words);
    }
    expect(html).toContain('aria-label="TypeError over time: 1 in all, at most 1 a day"');
    const byHour = await pages.browser.get(`/errors?id=${fingerprint}&by=hour`);
    expect(byHour.html).toContain("at most 1 an hour");
    expect((await pages.browser.get(`/errors?id=err_${"0".repeat(24)}`)).status).toBe(404);
  });

  it("resolves an error, undoes it, and deletes it", async () => {
    const pages = await open(thrown("TypeError", "broken"));
    const { browser } = pages;
    const { fingerprint } = await only(pages);
    const path = `/errors?id=${fingerprint}`;
    const page = await browser.get(path);
    const done = await browser.send(page, path, { do: "resolve" });
    const said = await browser.get(done.location ?? "");
    expect(said.text).toContain("The error is resolved.");
    expect(await only(pages)).toMatchObject({ state: "resolved" });
    await browser.send(said, path, {});
    expect(await only(pages)).toMatchObject({ state: "open" });
    const deleted = await browser.send(await browser.get(path), "/errors", {
      do: "delete",
      [fingerprint]: "on",
    });
    expect((await browser.get(deleted.location ?? "")).text).toContain("The error is deleted.");
    expect(await only(pages)).toBeUndefined();
  });

  it("ignores the chosen errors, and refuses an empty choice", async () => {
    const pages = await open(thrown("A", "one"), thrown("B", "two"), thrown("C", "three"));
    const { browser, call } = pages;
    const page = await browser.get("/errors");
    const [one, two] = (await call("GET", "/observability/errors")).items;
    const chosen = { [one.fingerprint]: "on", [two.fingerprint]: "on" };
    const done = await browser.send(page, "/errors", { ...chosen, do: "ignore-week" });
    expect((await browser.get(done.location ?? "")).text).toContain("2 errors are ignored for a week.");
    const { items } = await call("GET", "/observability/errors");
    expect(items.map(({ state }: { state: string }) => state)).toEqual(["ignored", "ignored", "open"]);
    expect((await browser.send(page, "/errors", { do: "ignore" })).status).toBe(400);
  });

  it("has no buttons for viewers, and refuses their forms", async () => {
    const pages = await open(thrown("A", "one"));
    const { fingerprint } = await only(pages);
    const viewer = await openAs(pages.app, "viewer");
    const page = await viewer.get(`/errors?id=${fingerprint}`);
    expect(page.text).not.toContain("Resolve");
    const fields = { ...hiddenFields(page.html, "/sign-out"), do: "resolve", [fingerprint]: "on" };
    expect((await viewer.post("/errors", new URLSearchParams(fields).toString())).status).toBe(403);
    expect(await only(pages)).toMatchObject({ state: "open" });
  });
});
