import { describe, expect, it } from "vitest";
import { nameOfPlan } from "../../src/accounts/plan.ts";

describe("nameOfPlan()", () => {
  it("returns what people call a plan, and the id of one that the catalogue no longer has", () => {
    const plans = [{ id: "team", name: "Crew of Ten" }];
    expect(nameOfPlan(plans, "team")).toBe("Crew of Ten");
    expect(nameOfPlan(plans, "gold")).toBe("gold");
  });
});
