import { describe, expect, it } from "vitest";
import { openAs, openToolPages } from "../support/tool-pages.ts";
import { hiddenFields } from "../support/visitor.ts";

const MISSING = "src/<a>.js:3:1\nError: Cannot find module 'left-pad'\n";

describe("the page of diagnoses", () => {
  it("shows the command to diagnose a failure", async () => {
    const { browser } = await openToolPages();
    expect((await browser.get("/diagnoses")).text).toMatch(/tool diagnose --base-url \S+ -- npm test/);
  });

  it("lists and filters diagnoses by category, and shows one with its suggestions", async () => {
    const { browser, call } = await openToolPages();
    const body = { log: MISSING, command: "npm test", exitCode: 1 };
    const { diagnosisId, suggestions } = await call("POST", "/self-healing/diagnose", body);
    const list = await browser.get("/diagnoses");
    expect(list.text).toContain("Dependency resolution");
    expect(list.text).toContain("$ npm test");
    expect((await browser.get("/diagnoses?category=lint")).text).toContain("No diagnosis is of that kind.");
    const { text } = await browser.get(`/diagnoses?id=${diagnosisId}`);
    expect(text).toContain("Cannot find module 'left-pad'");
    for (const { title } of suggestions) expect(text).toContain(title);
    expect((await browser.get("/diagnoses?id=dia_none")).status).toBe(404);
  });

  it("records a suggestion or another fix that worked, and deletes a diagnosis", async () => {
    const { browser, call } = await openToolPages();
    const { diagnosisId, suggestions } = await call("POST", "/self-healing/diagnose", { log: MISSING });
    const path = `/diagnoses?id=${diagnosisId}`;
    const press = async (fields: Record<string, string>, action = path) => {
      const done = await browser.send(await browser.get(path), action, fields);
      expect(done.status, done.text).toBe(303);
      return browser.get(done.location ?? "");
    };
    const worked = await press({ outcome: "success", suggestion: suggestions[0].id });
    expect(worked.text).toContain("Recorded that it worked");
    expect(worked.text).toContain("It works in about");
    const own = await press({ suggestion: "", outcome: "success", fix: "Restored the <lock> file" });
    expect(own.text).toContain("Worked: Restored the <lock> file");
    expect(own.html).not.toContain("<lock>");
    const gone = await press({ do: "delete" }, "/diagnoses");
    expect(gone.text).toContain("The diagnosis is deleted.");
    expect((await browser.get(path)).status).toBe(404);
  });

  it("has no buttons for viewers, and refuses their forms", async () => {
    const { app, call } = await openToolPages();
    const { diagnosisId } = await call("POST", "/self-healing/diagnose", { log: MISSING });
    const viewer = await openAs(app, "viewer");
    const page = await viewer.get(`/diagnoses?id=${diagnosisId}`);
    expect(page.text).not.toContain("It worked");
    const fields = { ...hiddenFields(page.html, "/sign-out"), do: "delete", id: diagnosisId };
    expect((await viewer.post("/diagnoses", new URLSearchParams(fields).toString())).status).toBe(403);
  });
});
