import { expect, it } from "vitest";
import { namesOf } from "../../src/accounts/names.ts";
import { nameOfPlan } from "../../src/accounts/plan.ts";
import { callerFor, startServices, stranger } from "./fixture.ts";

it("namesOf() returns the names of an account, its users and its projects", async () => {
  const services = await startServices();
  const { account, owner, projects, store } = services;
  await stranger(services);
  await projects.update(callerFor(owner), "billing", { name: "What we bill" });
  const names = await namesOf(store, account.id);
  expect(names).toEqual(
    expect.arrayContaining([
      account.id,
      account.name,
      owner.id,
      "owner@localhost",
      "owner",
      "billing",
      "What we bill",
    ]),
  );
  expect(names.join(" ")).not.toContain("elsewhere");
});

it("namesOf() returns only the id of a deleted account", async () => {
  const { store } = await startServices();
  expect(await namesOf(store, "acc_gone")).toEqual(["acc_gone"]);
});

it("nameOfPlan() returns what people call a plan, and the id of one that the catalogue no longer has", () => {
  const plans = [{ id: "team", name: "Crew of Ten" }];
  expect([nameOfPlan(plans, "team"), nameOfPlan(plans, "gold")]).toEqual(["Crew of Ten", "gold"]);
});
