import { describe, expect, it } from "vitest";
import { openAs, openToolPages, type ToolPages } from "../support/tool-pages.ts";
import { hiddenFields } from "../support/visitor.ts";

describe("the page of pair sessions", () => {
  it("shows the command to start one", async () => {
    const { browser } = await openToolPages();
    expect((await browser.get("/pair")).text).toContain("tool pair start src/main.ts --with bob");
  });

  it("lists sessions, and shows participants, files and each change line by line", async () => {
    const pages = await openToolPages();
    const id = await start(pages);
    const list = await pages.browser.get("/pair");
    expect(list.text).toContain("Fix the parser active");
    expect(list.text).toContain("ann (driver), bob (navigator) · 2 files · 1 change");
    expect((await pages.browser.get("/pair?state=ended")).text).toContain("No session is in that state.");
    const one = await pages.browser.get(`/pair?session=${id}`);
    expect(one.text).toContain("Drives ann Navigates bob Now nobody follows it");
    expect(one.html).toContain("<del>    2 - two\n</del><ins>    2 + &lt;TWO&gt;\n</ins>");
    const other = await pages.browser.get(`/pair?session=${id}&path=b.txt`);
    expect(other.text).toContain("Changes of b.txt Nothing was changed in it yet.");
    expect((await pages.browser.get("/pair?session=none")).status).toBe(404);
  });

  it("ends a session, but refuses viewers", async () => {
    const pages = await openToolPages();
    const id = await start(pages);
    const viewer = await openAs(pages.app, "viewer");
    const seen = await viewer.get(`/pair?session=${id}`);
    expect(seen.text).not.toContain("nobody can take that back");
    const fields = { ...hiddenFields(seen.html, "/sign-out"), do: "end", session: id };
    expect((await viewer.post("/pair", new URLSearchParams(fields).toString())).status).toBe(403);
    const page = await pages.browser.get(`/pair?session=${id}`);
    const done = await pages.browser.send(page, "/pair");
    const ended = await pages.browser.get(done.location ?? "");
    expect(ended.text).toContain("The session has ended: it can be read from now on");
    expect(ended.text).not.toContain("nobody can take that back");
  });
});

async function start({ call }: ToolPages): Promise<string> {
  const { session } = await call("POST", "/pair/session", {
    title: "Fix the parser",
    participants: [
      { id: "ann", role: "driver" },
      { id: "bob", role: "navigator" },
    ],
    files: [
      { path: "a.txt", content: "one\ntwo\n" },
      { path: "b.txt", content: "" },
    ],
  });
  const edits = [{ from: 4, to: 7, insert: "<TWO>" }];
  await call("POST", `/pair/session/${session.id}/change`, {
    author: "ann",
    path: "a.txt",
    baseRevision: 0,
    edits,
  });
  return session.id;
}
