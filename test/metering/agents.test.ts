import { describe, expect, it } from "vitest";
import { CALLER, inProject, openMetering } from "./metering.ts";

describe("GET /api/v1/agents", () => {
  it("lists every agent with its area and the tier it needs", async () => {
    const { api, catalogue } = await openMetering();
    const { items } = (await api.listAgents({})).body;
    expect(items.map(({ id, name, area }) => ({ id, name, area }))).toEqual(catalogue.agents);
    expect(items).toContainEqual({
      id: "fundraising-expert",
      name: "Fundraising Expert",
      area: "business",
      requiredTier: "pro",
      allowed: true,
    });
  });

  it.each([
    ["free", ["technical"]],
    ["pro", ["technical", "business"]],
    ["team", ["technical", "business", "enterprise"]],
    ["enterprise", ["technical", "business", "enterprise"]],
  ])("allows on %s the areas %j", async (plan, areas) => {
    const { api, setAccount } = await openMetering();
    await setAccount({ plan });
    const { items } = (await api.listAgents({})).body;
    for (const { area, allowed } of items) expect(allowed).toBe(areas.includes(area));
  });

  it("uses the plan of the named project, like the entitlements", async () => {
    const { api, setAccount, projects } = await openMetering();
    await setAccount({ plan: "free" });
    await projects.update(CALLER, "gift", { plan: "pro" });
    const { items } = (await api.listAgents({}, inProject("gift"))).body;
    const { agents } = (await api.resolveEntitlements({}, inProject("gift"))).body;
    expect(items.filter(({ allowed }) => !allowed).map(({ id }) => id)).toEqual(agents.denied);
    expect(items.filter(({ allowed }) => allowed).map(({ area }) => area)).toContain("business");
  });
});
