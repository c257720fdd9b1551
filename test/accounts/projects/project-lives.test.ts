import { describe, expect, it } from "vitest";
import { createDeletingProject } from "../../../src/accounts/closing/deleting-project.ts";
import { apiKeys, projects as projectCollection } from "../../../src/accounts/model.ts";
import { createProjects, SETTLED_MS } from "../../../src/accounts/projects/projects.ts";
import { emptySpace } from "../../../src/server/tools/empty-project.ts";
import { DelegatingTransaction } from "../../../src/store/delegating-transaction.ts";
import { accountSpace, projectSpace } from "../../../src/store/store.ts";
import { STORES } from "../../support/store.ts";
import { callerFor, PLANS, problem, startServices } from "../fixture.ts";

const archived = problem("project_archived");

describe.each(STORES)("a project, on %s", (on) => {
  it("is readable but unlisted and closed to writes while archived, until it is restored", async () => {
    const { projects, account, owner } = await startServices({ on });
    const by = callerFor(owner);
    for (const id of ["shop", "web"]) await projects.getOrCreate(account.id, id);
    await projects.update(by, "web", { name: "Website", archived: true });
    await expect(projects.getOrCreate(account.id, "web")).rejects.toMatchObject(archived);
    expect(projects.isKnownActive(account.id, "web")).toBe(false);
    expect(await projects.isActive(account.id, "web")).toBe(false);
    const ids = async (state?: "active" | "archived" | "all") =>
      (await projects.list(account.id, { limit: 10 }, state)).items.map(({ id }) => id);
    expect([await ids(), await ids("archived"), await ids("all")]).toEqual([
      ["shop"],
      ["web"],
      ["shop", "web"],
    ]);
    expect(await projects.get(account.id, "web")).toMatchObject({ name: "Website" });
    const { project } = await projects.update(by, "web", { archived: false });
    expect(project.archivedAt).toBeUndefined();
    await projects.getOrCreate(account.id, "web");
    expect(await projects.isActive(account.id, "web")).toBe(true);
  });

  it("is archived for other servers of the same store within two seconds", async () => {
    const { projects, account, owner, store, audit, clock } = await startServices({ on });
    const other = createProjects({ store, audit, clock, plans: PLANS });
    await other.getOrCreate(account.id, "web");
    await projects.update(callerFor(owner), "web", { archived: true });
    clock.advance(SETTLED_MS);
    await expect(other.getOrCreate(account.id, "web")).rejects.toMatchObject(archived);
  });

  it("is archived for them as soon where they read of it a second late, as a cached collection allows", async () => {
    const { projects, account, owner, store, audit, clock } = await startServices({ on });
    let old: unknown;
    class Stale extends DelegatingTransaction {
      override get = async () => old as never;
    }
    const stale = {
      ...store,
      transact: ((work) => store.transact((tx) => work(old ? new Stale(tx) : tx))) as typeof store.transact,
    };
    const other = createProjects({ store: stale, audit, clock, plans: PLANS });
    await projects.getOrCreate(account.id, "web");
    const before = await projects.get(account.id, "web");
    await projects.update(callerFor(owner), "web", { archived: true });
    clock.advance(999);
    old = before;
    await other.getOrCreate(account.id, "web");
    old = undefined;
    clock.advance(SETTLED_MS - 999);
    await expect(other.getOrCreate(account.id, "web")).rejects.toMatchObject(archived);
  });

  it.each([".", "..", "\u200b", "\u202e", "\u2060\ufe0f", "shop\u202egpj"])(
    "cannot have the invisible or path-like id %j",
    async (id) => {
      const { projects, account, owner } = await startServices({ on });
      const refused = problem("invalid_request");
      await expect(projects.getOrCreate(account.id, id)).rejects.toMatchObject(refused);
      await expect(projects.update(callerFor(owner), id, { name: "Shop" })).rejects.toMatchObject(refused);
    },
  );

  it("works under an id that is no longer allowed, and may have an id in any script", async () => {
    const { projects, account, owner, store } = await startServices({ on });
    const old = { id: "..", name: "..", learningOptIn: false, createdAt: 0 };
    await store.transact((tx) => tx.insert(projectCollection, accountSpace(account.id), "..", old));
    await projects.getOrCreate(account.id, "..");
    const { project } = await projects.update(callerFor(owner), "..", { name: "Old" });
    expect(project.name).toBe("Old");
    for (const id of ["...", ".github", "面", "👩‍💻", "a b", "-"]) await projects.getOrCreate(account.id, id);
  });

  it("cannot be archived or deleted before it exists", async () => {
    const { projects, owner } = await startServices({ on });
    const by = callerFor(owner);
    await expect(projects.update(by, "web", { archived: true })).rejects.toMatchObject(problem("not_found"));
    await expect(projects.beginDeletion(by, "web")).rejects.toMatchObject(problem("not_found"));
  });

  it("is deleted with its counters and bound keys, and nothing else", async () => {
    const services = await startServices({ on });
    const { projects, apiKeys: keys, account, owner, store, audit, clock } = services;
    const by = callerFor(owner);
    for (const id of ["shop", "web"]) {
      await projects.getOrCreate(account.id, id);
      await keys.create(by, { name: id, scopes: ["write"], projectId: id });
      await store.transact((tx) => tx.increment("c", projectSpace(account.id, id), "x", 7));
    }
    const deleteProject = createDeletingProject({
      ...{ store, audit, clock, projects },
      emptySpace: (space) => emptySpace(store, space, [{ counters: ["c"] }]),
    });
    expect(await deleteProject(by, "web")).toEqual({ deleted: 0, keysEnded: 1, more: true });
    await expect(projects.getOrCreate(account.id, "web")).rejects.toMatchObject({
      ...archived,
      message: expect.stringMatching(/is being deleted\. Once it is gone/),
    });
    clock.advance(SETTLED_MS);
    expect(await deleteProject(by, "web")).toEqual({ deleted: 0, keysEnded: 0, more: false });
    const space = accountSpace(account.id);
    const left = await store.transact(async (tx) => ({
      projects: await tx.ids(projectCollection, space),
      keys: (await tx.list(apiKeys, space)).map(({ value }) => value.name),
      counts: await Promise.all(
        ["shop", "web"].map((id) => tx.counts("c", projectSpace(account.id, id), { from: "", to: "~" })),
      ),
    }));
    expect(left).toEqual({ projects: ["shop"], keys: ["shop"], counts: [[{ id: "x", count: 7 }], []] });
    await projects.getOrCreate(account.id, "web");
    expect(await projects.isActive(account.id, "web")).toBe(true);
  });

  it("refuses writes and restoring once its deletion was requested", async () => {
    const { projects, account, owner } = await startServices({ on });
    const by = callerFor(owner);
    await projects.getOrCreate(account.id, "web");
    const since = await projects.beginDeletion(by, "web");
    expect(await projects.beginDeletion(by, "web")).toBe(since);
    await expect(projects.getOrCreate(account.id, "web")).rejects.toMatchObject(archived);
    await expect(projects.update(by, "web", { archived: false })).rejects.toMatchObject(problem("not_found"));
  });
});
