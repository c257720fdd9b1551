import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadCatalogue } from "../../../src/metering/plans.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { startOwner } from "../support/owner.ts";

const NAMES: Record<string, string> = { free: "No charge", team: "Crew of Ten", enterprise: "All of Us" };

/** Starts a server whose plans have other names than their ids. */
function startNamed() {
  const catalogue = loadCatalogue();
  const tiers = catalogue.tiers.map((tier) => ({ ...tier, name: NAMES[tier.id] ?? tier.name }));
  const plansFile = join(temporaryDirectory(), "plans.json");
  writeFileSync(plansFile, JSON.stringify({ ...catalogue, tiers }));
  return startOwner({ plan: "team", plansFile });
}

describe("a plan that limits uses in a month", () => {
  it("is told with the entitlements, with each use, and with all limits", async () => {
    const catalogue = loadCatalogue();
    const tiers = catalogue.tiers.map((tier) => ({
      ...tier,
      limits: { ...tier.limits, usesPerMonth: { api_calls: 1200, mcp_calls: 0 } },
    }));
    const plansFile = join(temporaryDirectory(), "plans.json");
    writeFileSync(plansFile, JSON.stringify({ ...catalogue, tiers }));
    const { tool } = await startOwner({ plan: "team", plansFile });
    expect((await tool("entitlements")).stdout).toMatch(/^Uses +1,200 api_calls, 0 mcp_calls a month$/m);
    const { stdout } = await tool("track", "api_calls", "--count", "90");
    expect(stdout.split("\n").slice(0, 2)).toEqual([
      "✔ 90 api_calls recorded for project default (90 today, 90 this month)",
      "  90 of the account's 1,200 a month used",
    ]);
    expect((await tool("usage")).stdout).toMatch(/^api_calls a month .* 90 of 1,200$/m);
  });
});

describe("a plan", () => {
  it("is called by its name where people read, and by its id where programs do", async () => {
    const { tool } = await startNamed();
    await tool("projects", "set", "shop", "--plan", "free");
    for (const [words, said] of [
      [["whoami"], /^Plan +Crew of Ten$/m],
      [["usage"], /^Used of the account's limits, plan Crew of Ten, all/m],
      [["accounts", "list"], /^default +acc_\w+ +Crew of Ten/m],
      [["projects", "list"], /^shop .* No charge /m],
      [["projects", "set", "shop", "--plan", "free"], /gates No charge\.$/m],
      [["doctor"], /plan Crew of Ten, signature verified/],
      [["entitlements"], /^Account default is on plan Crew of Ten$/m],
      [["entitlements", "--project", "shop"], /^✖ .+ \(Crew of Ten\)$/m],
      [["entitlements", "--project", "shop"], /shop \(its own gates: No charge\)/],
      [
        ["entitlements", "--check", "audit_logs"],
        /needs the All of Us plan; this account is on Crew of Ten\./,
      ],
    ] as const) {
      expect((await tool(...words)).stdout, words.join(" ")).toMatch(said);
    }
    expect((await tool("whoami", "--json")).json).toMatchObject({ plan: "team", planName: "Crew of Ten" });
    expect((await tool("entitlements", "--check", "audit_logs", "--json")).json).toMatchObject({
      tier: "team",
      requiredTier: "enterprise",
    });
    expect((await tool("projects", "list", "--json")).json.items).toContainEqual(
      expect.objectContaining({ id: "shop", plan: "free", planName: "No charge" }),
    );
  });
});
