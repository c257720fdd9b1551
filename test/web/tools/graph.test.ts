import { describe, expect, it } from "vitest";
import { noBrowser, openPage } from "../../support/browser.ts";
import { openToolPages, type ToolPages } from "../support/tool-pages.ts";

describe("the page of the knowledge graph", () => {
  it("shows the command to add the first entity", async () => {
    const { browser } = await openToolPages();
    expect((await browser.get("/graph")).text).toContain("tool graph add API --type service");
  });

  it("draws, lists and searches the graph", async () => {
    const pages = await openToolPages();
    await fill(pages, 60);
    const { html, text } = await pages.browser.get("/graph");
    expect(text).toContain("60 entities, 60 relationships");
    expect(html.match(/<circle /g)).toHaveLength(60);
    expect(html.match(/<tr>/g)).toHaveLength(51);
    const more = /href="([^"]*after=[^"]*)">More/.exec(html)?.[1] ?? "";
    expect((await pages.browser.get(more)).html.match(/<tr>/g)).toHaveLength(11);
    for (const query of ["sort=__proto__", "sort=constructor&after=50", "after=no+cursor"])
      expect((await pages.browser.get(`/graph?${query}`)).html.match(/<tr>/g), query).toHaveLength(51);
    const found = await pages.browser.get("/graph?query=Billing&kind=even");
    expect(found.text).toContain("even · matches billing");
    expect(found.html.match(/<circle /g)).toHaveLength(30);
    expect((await pages.browser.get("/graph?sort=name")).text).toMatch(
      /Billing 0 .* Billing 1 .* Billing 10 /,
    );
  });

  it("shows the neighbours of an entity up to a depth", async () => {
    const pages = await openToolPages();
    await fill(pages, 60);
    const one = await pages.browser.get("/graph?entity=e5");
    expect(one.html.match(/<circle /g)).toHaveLength(3);
    expect(one.text).toContain("Billing 6 next → even");
    expect(one.text).toContain("Billing 4 ← next even");
    expect((await pages.browser.get("/graph?entity=e5&depth=2")).html.match(/<circle /g)).toHaveLength(5);
    expect((await pages.browser.get("/graph?entity=none")).status).toBe(404);
  });

  it("draws at most 2,000 entities, and exports all of them", async () => {
    const pages = await openToolPages();
    await fill(pages, 2500);
    const { html, text } = await pages.browser.get("/graph");
    expect(text).toContain("the 2,000 with most relationships are drawn");
    expect(Buffer.byteLength(html)).toBeLessThan(200_000);
    const file = await pages.browser.get("/graph/export");
    expect(file.headers.get("content-disposition")).toBe('attachment; filename="graph.graphml"');
    expect(file.html.match(/<node /g)).toHaveLength(2500);
  });

  it("escapes names", async () => {
    const { browser, call } = await openToolPages();
    const entity = { id: "<i>", type: "<b>", name: "<script>", properties: { "<u>": "<s>" } };
    await call("POST", "/knowledge-graph/entity", entity);
    for (const path of ["/graph", "/graph?entity=%3Ci%3E", "/graph?query=script"]) {
      expect((await browser.get(path)).html).not.toMatch(/<script>|<b>|<i>|<u>|<s>/);
    }
  });

  it.skipIf(noBrowser)("can be zoomed and moved with JavaScript", async () => {
    const pages = await openToolPages();
    await fill(pages, 30);
    const page = await openPage({ viewport: { width: 900, height: 900 } });
    const [name = "", value = ""] = pages.browser.cookie().split("=");
    await page.context().addCookies([{ name, value, url: pages.app.url }]);
    await page.goto(`${pages.app.url}/graph`);
    const drawing = page.locator(".graph svg");
    const viewBox = async () => (await drawing.getAttribute("viewBox"))?.split(" ").map(Number) ?? [];
    const whole = await viewBox();
    await page.getByRole("button", { name: "Larger" }).click();
    const larger = await viewBox();
    expect(larger[2]).toBeLessThan(whole[2] as number);
    const box = await drawing.boundingBox();
    const [x, y] = [(box?.x ?? 0) + 200, (box?.y ?? 0) + 200];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 80, y + 10);
    await page.mouse.up();
    expect((await viewBox())[0]).toBeLessThan(larger[0] as number);
    expect(page.url()).toBe(`${pages.app.url}/graph`);
    await page.getByRole("button", { name: "All of the drawing" }).click();
    expect(await viewBox()).toEqual(whole);
    await page.selectOption("#kind", "even");
    await page.waitForURL(/kind=even/);
    await page.locator(".graph circle").nth(14).waitFor({ state: "attached" });
    await expect.poll(() => page.locator(".graph circle").count()).toBe(15);
    await page.getByRole("button", { name: "Larger" }).click();
    expect((await viewBox())[2]).not.toBe(whole[2]);
  });
});

describe.skipIf(noBrowser)("the drawing of the graph", () => {
  it("is moved and zoomed by keyboard", async () => {
    const { page, viewBox } = await openGraph({ width: 900, height: 900 });
    const whole = await viewBox();
    await page.getByRole("region", { name: "Drawing of the graph" }).focus();
    await page.keyboard.press("+");
    await page.keyboard.press("+");
    const larger = await viewBox();
    expect(larger[2]).toBeLessThan(whole[2] as number);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowUp");
    const moved = await viewBox();
    expect(moved[0]).toBeGreaterThan(larger[0] as number);
    expect(moved[1]).toBeLessThan(larger[1] as number);
    for (let presses = 0; presses < 2; presses++) await page.keyboard.press("-");
    expect(await viewBox()).toEqual(whole);
    await page.keyboard.press("Tab");
    expect(await page.locator(".graph:focus").count()).toBe(0);
  });

  it.each(["/graph", "/graph?entity=e5"])(
    "shows what %s is about on a phone, not its left edge",
    async (path) => {
      const { page } = await openGraph({ width: 320, height: 640 }, path);
      const about = page.locator(path === "/graph" ? ".graph circle" : ".graph .around").first();
      const { x, width } = (await about.boundingBox())!;
      const frame = (await page.locator(".graph").boundingBox())!;
      expect(x).toBeGreaterThanOrEqual(frame.x);
      expect(x + width).toBeLessThanOrEqual(frame.x + frame.width);
    },
  );
});

async function openGraph(viewport: { width: number; height: number }, path = "/graph") {
  const pages = await openToolPages();
  await fill(pages, 30);
  const page = await openPage({ viewport });
  const [name = "", value = ""] = pages.browser.cookie().split("=");
  await page.context().addCookies([{ name, value, url: pages.app.url }]);
  await page.goto(pages.app.url + path);
  const viewBox = async () =>
    (await page.locator(".graph svg").getAttribute("viewBox"))?.split(" ").map(Number) ?? [];
  return { page, viewBox };
}

/** Imports a ring of entities. */
function fill({ call }: ToolPages, size: number) {
  const entities = Array.from({ length: size }, (_, index) => ({
    id: `e${index}`,
    type: index % 2 === 0 ? "even" : "odd",
    name: `Billing ${index}`,
  }));
  const relationships = entities.map(({ id }, index) => ({
    from: id,
    to: `e${(index + 1) % size}`,
    type: "next",
  }));
  return call("POST", "/knowledge-graph/import", { entities, relationships });
}
