import { describe, expect, it } from "vitest";
import { anomaliesSection } from "../../../src/web/console/anomalies/section.tsx";
import type { View } from "../../../src/web/console/frame/section.ts";
import { builds } from "../../tools/anomalies/series.ts";
import { never } from "../support/pages.ts";
import { openAs, openToolPages, type ToolPages } from "../support/tool-pages.ts";
import { hiddenFields, type Page } from "../support/visitor.ts";

describe("the page of anomalies", () => {
  it("shows the command to analyze metrics of the chosen project", async () => {
    const { browser, app } = await openToolPages();
    const { text } = await browser.get("/anomalies?project=it%27s+mine");
    expect(text).toContain(
      `tool anomalies analyze metrics.json --project 'it'\\''s mine' --base-url ${app.url}`,
    );
    expect((await browser.get("/anomalies?severity=low")).text).toContain("No anomaly is like that.");
  });

  it("draws each anomaly among its points, and filters by state, metric and severity", async () => {
    const pages = await openToolPages();
    const [build, other] = [await spike(pages, "build"), await spike(pages, "other")];
    const { html, text } = await pages.browser.get("/anomalies");
    expect(html.match(/class="points"/g)).toHaveLength(2);
    expect(text).toContain(build.explanation);
    const narrowed = await pages.browser.get("/anomalies?metric=other");
    expect(narrowed.text).toContain(other.explanation);
    expect(narrowed.text).not.toContain(build.explanation);
    expect((await pages.browser.get("/anomalies?state=dismissed")).text).toContain("No anomaly is like that");
    expect((await pages.browser.get(`/anomalies?severity=${build.severity}`)).text).toContain("build");
    const one = await pages.browser.get(`/anomalies?id=${build.id}`);
    const [, line = ""] = /<polyline points="([^"]*)"/.exec(one.html) ?? [];
    expect(line.split(" ")).toHaveLength(60);
    expect((await pages.browser.get("/")).text).toContain(build.explanation);
  });

  it("asks once for a page of them with their points", async () => {
    const asked: object[] = [];
    const { page } = anomaliesSection({
      async history(question) {
        asked.push(question);
        return { items: Array.from({ length: 20 }, (_, index) => listed(`ano_${index}`)) };
      },
      ...{ show: never, dismiss: never, apply: never, reopen: never },
    });
    await page({ query: new URLSearchParams() } as View);
    expect(asked).toMatchObject([{ state: "open", limit: 20, include: "around" }]);
  });

  it("dismisses and applies an anomaly, and reopens it", async () => {
    const pages = await openToolPages();
    const { id } = await spike(pages, "build");
    const stateOf = async () => (await pages.call("GET", `/anomalies/${id}`)).anomaly.state;
    const press = async (page: Page, action: string) => {
      const path = page.html.includes('action="/anomalies?') ? actionIn(page) : "/anomalies";
      const done = await pages.browser.send(page, path, { do: action, id });
      expect(done.status, done.text).toBe(303);
      return pages.browser.get(done.location ?? "");
    };
    const dismissed = await press(await pages.browser.get("/anomalies"), "dismiss");
    expect(dismissed.text).toContain("Dismissed: the like of it on build is scored lower from now on.");
    expect(await stateOf()).toBe("dismissed");
    expect((await press(dismissed, "reopen")).text).toContain("Open again: build is judged as before.");
    expect(await stateOf()).toBe("open");
    const applied = await press(await pages.browser.get("/anomalies"), "apply");
    expect(applied.text).toContain("Applied: ");
    expect(await stateOf()).toBe("applied");
    await press(applied, "reopen");
    expect(await stateOf()).toBe("open");
    expect((await pages.call("GET", "/anomalies/settings")).items[0].settings.high).toBeNull();
  });

  it("has no buttons for viewers, and refuses their forms", async () => {
    const pages = await openToolPages();
    const { id } = await spike(pages, "build");
    const viewer = await openAs(pages.app, "viewer");
    const page = await viewer.get("/anomalies");
    expect(page.text).toContain("build");
    expect(page.text).not.toContain("Dismiss the anomaly");
    const fields = { ...hiddenFields(page.html, "/sign-out"), do: "dismiss", id };
    expect((await viewer.post("/anomalies", new URLSearchParams(fields).toString())).status).toBe(403);
  });
});

function actionIn({ html }: Page): string {
  return (/method="post" action="(\/anomalies[^"]*)"/.exec(html)?.[1] ?? "").replaceAll("&amp;", "&");
}

async function spike({ call }: ToolPages, metric: string) {
  const points = builds(60, { from: 50, add: (since) => (since === 0 ? 60 : 0) });
  const { anomalies } = await call("POST", "/anomalies/analyze", { metrics: { [metric]: points } });
  return anomalies[0];
}

function listed(id: string) {
  const expected = { low: 1, mid: 2, high: 3 };
  const found = { analysisId: "ana_1", metric: "build", at: null, index: 3, value: 9, expected, score: 1 };
  const judged = {
    severity: "high",
    kind: "spike",
    explanation: "",
    suggestion: null,
    state: "open",
  } as const;
  return { id, ...found, ...judged, createdAt: "2026-11-28T00:00:00.000Z", around: null };
}
