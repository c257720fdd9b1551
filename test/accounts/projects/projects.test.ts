import { describe, expect, it } from "vitest";
import { projects as projectCollection } from "../../../src/accounts/model.ts";
import { createProjects, type LearningChange } from "../../../src/accounts/projects/projects.ts";
import { accountSpace } from "../../../src/store/store.ts";
import { callerFor, PLANS, problem, startServices, stranger } from "../fixture.ts";

describe("projects", () => {
  it("look empty and as old as their account until something is written to them", async () => {
    const { projects, account, clock } = await startServices();
    const empty = { id: "web", name: "web", learningOptIn: false };
    for (const _ of ["first", "second"]) {
      clock.advance(1000);
      expect(await projects.get(account.id, "web")).toEqual({ ...empty, createdAt: account.createdAt });
    }
    expect((await projects.list(account.id, { limit: 10 })).items).toEqual([]);
    await projects.getOrCreate(account.id, "web");
    const made = { ...empty, createdAt: clock.now() };
    clock.advance(1000);
    expect(await projects.get(account.id, "web")).toEqual(made);
    expect((await projects.list(account.id, { limit: 10 })).items).toEqual([made]);
  });

  it("are created once by concurrent writes", async () => {
    const { projects, account } = await startServices();
    await Promise.all(Array.from({ length: 20 }, () => projects.getOrCreate(account.id, "web")));
    expect((await projects.list(account.id, { limit: 10 })).items).toHaveLength(1);
  });

  it("keep the members that a change leaves out", async () => {
    const { projects, account, owner } = await startServices();
    const made = await projects.update(callerFor(owner), "web", { name: "Website" });
    expect(made).toMatchObject({ created: true, project: { name: "Website", learningOptIn: false } });
    const changed = await projects.update(callerFor(owner), "web", { learningOptIn: true });
    expect(changed).toMatchObject({ created: false, project: { name: "Website", learningOptIn: true } });
    await projects.getOrCreate(account.id, "web");
    expect(await projects.get(account.id, "web")).toEqual(changed.project);
  });

  it("have their own plan until it is set to null", async () => {
    const { projects, owner } = await startServices();
    expect((await projects.update(callerFor(owner), "web", { plan: "enterprise" })).project.plan).toBe(
      "enterprise",
    );
    expect((await projects.update(callerFor(owner), "web", { name: "Web" })).project.plan).toBe("enterprise");
    expect((await projects.update(callerFor(owner), "web", { plan: null })).project.plan).toBeUndefined();
  });

  it("refuse a plan that is missing from the catalogue", async () => {
    const { projects, owner } = await startServices();
    const changing = projects.update(callerFor(owner), "web", { plan: "gold" });
    await expect(changing).rejects.toMatchObject({
      error: "invalid_request",
      extras: { errors: [{ path: "plan" }] },
    });
  });

  it("are known as active once created, without asking the store", async () => {
    const { projects, account } = await startServices();
    expect(projects.isKnownActive(account.id, "web")).toBe(false);
    await projects.getOrCreate(account.id, "web");
    expect(projects.isKnownActive(account.id, "web")).toBe(true);
    expect(projects.isKnownActive(account.id, "other")).toBe(false);
    expect(projects.isKnownActive("acc_other", "web")).toBe(false);
  });

  it("call onLearningChange at each change of the opt-in, within its transaction", async () => {
    const services = await startServices();
    const told: LearningChange[] = [];
    let refuses = false;
    const projects = createProjects({
      ...services,
      plans: PLANS,
      onLearningChange: async (_, change) => {
        if (refuses) throw new Error("not now");
        told.push(change);
      },
    });
    const { id: accountId } = services.account;
    const by = callerFor(services.owner);
    await projects.update(by, "web", { name: "Web" });
    await projects.update(by, "web", { learningOptIn: true });
    await projects.update(by, "web", { learningOptIn: false });
    expect(told).toEqual([
      { accountId, projectId: "web", takesPart: true },
      { accountId, projectId: "web", takesPart: false },
    ]);
    refuses = true;
    await expect(projects.update(by, "web", { learningOptIn: true })).rejects.toThrow("not now");
    expect((await projects.get(accountId, "web")).learningOptIn).toBe(false);
  });

  it("are listed only for their own account", async () => {
    const services = await startServices();
    const ada = await stranger(services);
    await services.projects.getOrCreate(ada.accountId, "web");
    expect((await services.projects.list(services.account.id, { limit: 10 })).items).toEqual([]);
  });

  it("number 10,000 at most, created explicitly or by writes", async () => {
    const { projects, account, owner, store } = await startServices();
    await projects.getOrCreate(account.id, "p0");
    const project = await projects.get(account.id, "p0");
    await store.transact(async (tx) => {
      for (let index = 1; index < 10_000; index++) {
        await tx.put(projectCollection, accountSpace(account.id), `p${index}`, {
          ...project,
          id: `p${index}`,
        });
      }
    });
    const by = callerFor(owner);
    await expect(projects.getOrCreate(account.id, "one-more")).rejects.toMatchObject({
      ...problem("conflict"),
      detail: expect.stringMatching(/10000 projects.*X-Project-Id/),
    });
    await expect(projects.update(by, "one-more", {})).rejects.toMatchObject(problem("conflict"));
    await projects.getOrCreate(account.id, "p9999");
    await projects.update(by, "p9999", { name: "The last" });
    expect((await projects.get(account.id, "one-more")).id).toBe("one-more");
  });
});
