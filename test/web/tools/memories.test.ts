import { describe, expect, it } from "vitest";
import { openAs, openToolPages, type ToolPages } from "../support/tool-pages.ts";
import { hiddenFields } from "../support/visitor.ts";

describe("the page of memories", () => {
  it("shows the command to store the first memory", async () => {
    const { app, browser } = await openToolPages();
    const { text } = await browser.get("/memories");
    expect(text).toContain(`tool memory store "We deploy on Tuesdays." --agent ada --base-url ${app.url}`);
  });

  it("filters, sorts, pages and exports memories", async () => {
    const { browser, call } = await openToolPages();
    const memories = Array.from({ length: 60 }, (_, index) => ({
      content: `Server number ${index} of ${"abcdefgh"[index % 8]} stands in rack ${index * 7}.`,
      agent: index % 2 === 0 ? "ada" : "bob",
      importance: index / 60,
    }));
    await call("POST", "/agent-memory/store-many", { memories });
    const page = await browser.get("/memories?agent=ada");
    expect(page.text).toContain("Server number 58 ");
    expect(page.text).not.toContain("Server number 57 ");
    expect((await browser.get("/memories?order=-importance")).text).toMatch(/number 59 .*number 58 /);
    const first = await browser.get("/memories");
    expect(first.text).not.toContain("Server number 9 ");
    const more = /href="([^"]*after=[^"]*)">More/.exec(first.html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect((await browser.get(more)).text).toContain("Server number 9 ");
    const { html, headers } = await browser.get("/memories/export?agent=ada");
    expect(headers.get("content-disposition")).toBe('attachment; filename="memories.csv"');
    expect(html.trim().split("\r\n")).toHaveLength(31);
    const lines = (await browser.get("/memories/export?agent=ada&format=jsonl")).html.trimEnd().split("\n");
    expect(lines).toHaveLength(30);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      agent: "ada",
      content: "Server number 58 of c stands in rack 406.",
    });
  });

  it("recalls like an agent with scores, and counts no use", async () => {
    const { browser, call } = await openToolPages();
    await call("POST", "/agent-memory/store", { content: "The ferry leaves at nine." });
    await call("POST", "/agent-memory/store", { content: "Lunch is at noon." });
    expect((await browser.get("/memories")).html).toContain('name="order"');
    const { text, html } = await browser.get("/memories?query=when+does+the+ferry+leave");
    expect(html).not.toContain('name="order"');
    expect(text).toContain("The ferry leaves at nine.");
    expect(text).not.toContain("Lunch");
    expect(text).toMatch(/score \d/);
    expect((await call("GET", "/agent-memory/stats")).recalls).toBe(0);
  });

  it("recalls within the filters, however many memories of others match better", async () => {
    const { browser, call } = await openToolPages();
    const ferry = (agent: string, index: number) => ({ content: `Ferry ${index} leaves at nine.`, agent });
    const memories = Array.from({ length: 60 }, (_, index) => ferry("bob", index));
    await call("POST", "/agent-memory/store-many", {
      memories: [{ ...ferry("ada", 60), importance: 0 }, ...memories],
    });
    const { text } = await browser.get("/memories?query=ferry&agent=ada");
    expect(text).toContain("Ferry 60 leaves");
    expect(text).not.toMatch(/Ferry [1-5]?[0-9] leaves/);
  });

  it("links a superseded memory and its successor", async () => {
    const { browser, call } = await openToolPages();
    const store = (content: string) => call("POST", "/agent-memory/store", { content });
    const { memory: before } = await store("The staging server runs on port 8080.");
    const { memory: after } = await store("The staging server runs on port 9090.");
    const old = await browser.get(`/memories?memory=${before.id}`);
    expect(old.text).toContain("no longer in force");
    expect(old.html).toContain(`href="/memories?memory=${after.id}"`);
    const young = await browser.get(`/memories?memory=${after.id}`);
    expect(young.text).toContain("It took the place of The staging server runs on port 8080.");
    expect((await browser.get("/memories?memory=mem_none")).status).toBe(404);
  });

  it("corrects a memory, undoes it, and forgets it", async () => {
    const pages = await openToolPages();
    const { browser, call } = pages;
    const { memory } = await call("POST", "/agent-memory/store", {
      content: "<b>Deploys</b> on Tuesday",
      tags: ["a, b"],
    });
    const path = `/memories?memory=${memory.id}`;
    const page = await browser.get(path);
    expect(page.html).toContain("&lt;b&gt;Deploys");
    const form = { do: "correct", memory: memory.id };
    const done = await browser.send(page, path, { ...form, content: "Deploys on Friday", tags: "a, b" });
    const said = await browser.get(done.location ?? "");
    expect(said.text).toContain("The memory is corrected.");
    expect(await contentOf(pages, memory.id)).toEqual(["Deploys on Friday", ["a, b"]]);
    const shown = new URL(done.location ?? "", "http://x.invalid");
    await browser.send(said, path, {});
    expect(shown.searchParams.get("memory")).toBe(memory.id);
    expect(await contentOf(pages, memory.id)).toEqual(["<b>Deploys</b> on Tuesday", ["a, b"]]);
    const gone = await browser.send(await browser.get(path), "/memories", {
      do: "forget",
      memory: memory.id,
    });
    expect((await browser.get(gone.location ?? "")).text).toContain("The memory is forgotten.");
    expect((await browser.get(path)).status).toBe(404);
  });

  it("has no buttons for viewers, and refuses their forms", async () => {
    const { app, call } = await openToolPages();
    const { memory } = await call("POST", "/agent-memory/store", { content: "Deploys on Tuesday" });
    const viewer = await openAs(app, "viewer");
    const page = await viewer.get(`/memories?memory=${memory.id}`);
    expect(page.text).not.toContain("Forget");
    const fields = { ...hiddenFields(page.html, "/sign-out"), do: "forget", memory: memory.id };
    expect((await viewer.post("/memories", new URLSearchParams(fields).toString())).status).toBe(403);
  });
});

async function contentOf({ call }: ToolPages, id: string) {
  const { memory } = await call("GET", `/agent-memory/${id}`);
  return [memory.content, memory.tags];
}
