import { describe, expect, it } from "vitest";
import { iso } from "../../../src/system/clock.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { linkOn } from "../../support/browsing.ts";
import { hiddenFields, type Visitor, visitor } from "../support/visitor.ts";

describe("the page of an account's projects", () => {
  it("renames, archives and restores a project, reports it, and undoes it", async () => {
    const app = await withProjects("shop");
    const browser = await signedIn(app);
    const now = async () => (await app.request("GET", "/api/v1/projects?state=all")).body.items[0];
    const does = actionsOf(browser);
    const renamed = await does({ do: "rename", id: "shop", name: "The Shop" });
    expect(renamed.text).toContain("The project shop is called The Shop now. Undo");
    await browser.send(renamed, "/projects");
    expect((await now()).name).toBe("shop");
    const archived = await does({ do: "archive", id: "shop" });
    expect(archived.text).toContain("The project shop is archived");
    expect(await now()).toHaveProperty("archivedAt");
    const back = await browser.get((await browser.send(archived, "/projects")).location ?? "");
    expect(back.text).toContain("The project shop is written to again. Undo");
    expect(await now()).not.toHaveProperty("archivedAt");
    expect((await does({ do: "rename", id: "none", name: "x" })).status).toBe(404);
  });

  it("deletes a project and its data once its id is typed", async () => {
    const app = await withProjects("shop", "other");
    const browser = await signedIn(app);
    const does = actionsOf(browser);
    expect((await does({ do: "delete", id: "shop", same: "Shop" })).status).toBe(400);
    expect((await browser.get("/projects?id=shop")).text).toContain("Type its id, shop, to make sure");
    const gone = await does({ do: "delete", id: "shop", same: "shop" });
    expect(gone.text).toMatch(/The project shop is deleted: [1-9]\d* documents?, 0 keys\./);
    const left = (await app.request("GET", "/api/v1/projects?state=all")).body.items;
    expect(left.map(({ id }: { id: string }) => id)).toEqual(["other"]);
    expect((await browser.get("/projects?id=shop")).status).toBe(404);
  });

  it("sorts, finds, pages, and exports all projects that the API lists", async () => {
    const app = await withProjects();
    const { account } = (await app.request("GET", "/api/v1/account")).body;
    const { projects } = app.app.services;
    const ids = Array.from({ length: 60 }, (_, index) => `p${String(index).padStart(2, "0")}`);
    for (const id of ids) await projects.getOrCreate(account.id, id);
    const browser = await signedIn(app);
    const shown = (html: string) => [...html.matchAll(/>(p\d+)<\/a>/g)].map(([, id]) => id);
    const first = await browser.get("/projects?sort=-name");
    expect(shown(first.html)).toEqual(ids.toReversed().slice(0, 50));
    const more = /href="([^"]*after=[^"]*)"/.exec(first.html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(shown((await browser.get(more)).html)).toEqual(ids.toReversed().slice(50));
    expect(shown((await browser.get("/projects?query=P07")).html)).toEqual(["p07"]);
    const file = await browser.get("/projects/export?format=jsonl");
    const { items } = (await app.request("GET", "/api/v1/projects?limit=200")).body;
    const lines = file.html.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      items.map(({ id, name, createdAt }: { id: string; name: string; createdAt: string }) => ({
        ...{ project: id, projectName: name, state: "active", learning: "no" },
        createdAt: iso(Date.parse(createdAt)),
      })),
    );
  });

  it("has no buttons for members and viewers, and refuses their forms", async () => {
    const app = await withProjects("shop");
    for (const role of ["member", "viewer"]) {
      const body = { email: `${role}@example.com`, role };
      const invited = await app.request("POST", "/api/v1/users", { body });
      const browser = await signedIn(app, invited.body.signInLink);
      for (const path of ["/projects", "/projects?id=shop"]) {
        const page = await browser.get(path);
        expect(page.text).toContain("shop");
        expect(page.html).not.toContain('action="/projects" method="post"');
      }
      const form = hiddenFields((await browser.get("/projects")).html, "/sign-out");
      const forged = { form_token: form.form_token ?? "", do: "archive", id: "shop" };
      expect((await browser.post("/projects", new URLSearchParams(forged).toString())).status).toBe(403);
    }
  });
});

async function withProjects(...ids: string[]): Promise<TestApp> {
  const app = await startApp();
  for (const projectId of ids) {
    const asked = {
      headers: { "x-project-id": projectId },
      body: { content: "The build fails at midnight." },
    };
    expect((await app.request("POST", "/api/v1/tools/agent-memory/store", asked)).status).toBe(201);
  }
  return app;
}

async function signedIn(app: TestApp, link?: string): Promise<Visitor> {
  const browser = visitor(app.url);
  await browser.send(await browser.get(link ?? (await linkOn(app))), "/sign-in");
  return browser;
}

/** Returns a function that sends a form and returns the page that it leads to. */
function actionsOf(browser: Visitor) {
  return async (form: Record<string, string>) => {
    const done = await browser.send(await browser.get("/projects"), "/projects", form);
    return done.location === null ? done : browser.get(done.location);
  };
}
