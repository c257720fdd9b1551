import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { languages, verificationIn } from "../../src/cli/mcp/verification.ts";
import bundled from "../../src/metering/catalogue.json" with { type: "json" };
import { parseCatalogue, tierWith } from "../../src/metering/plans.ts";
import { ruleOfTool, type Upstream } from "../../src/metering/upstreams.ts";
import { packageRoot } from "../../src/system/package.ts";
import { calling, post, startBefore, startUpstream } from "../support/services/upstream.ts";

const page = readFileSync(join(packageRoot, "docs/mcp.md"), "utf8");
const PARTIES = { issuer: "https://control.example.com", audience: "https://files.example.com/mcp" };

describe("docs/mcp.md", () => {
  it.each(languages)("shows the code that `tool mcp verify-header --language %s` prints", (language) => {
    expect(page).toContain(verificationIn(language, PARTIES));
  });

  it("has an example of a whole plans file, whose tools need the plans that the page says", () => {
    const catalogue = parseCatalogue(exampleOf(page));
    const upstream = catalogue.upstreams?.[0] as Upstream;
    expect(upstream.name).toBe("files");
    const { gate = "", cost } = ruleOfTool(upstream, "export_csv");
    expect([tierWith(catalogue, gate)?.name, cost]).toEqual(["Pro", 10]);
    expect(ruleOfTool(upstream, "read")).toEqual({ usage: "mcp_calls", cost: 1, countErrors: false });
  });

  it("shows how a plan of the built-in catalogue gets a gate that the example can ask for", () => {
    const [before, after] = ["-", "+"].map((sign) =>
      JSON.parse(
        `{${page
          .split("\n")
          .find((line) => line.startsWith(`   ${sign}      "adds"`))
          ?.slice(4, -1)}}`,
      ),
    );
    const [pro] = bundled.tiers.filter(({ id }) => id === "pro");
    expect(before).toEqual({ adds: pro?.adds });
    const example = exampleOf(page);
    example.upstreams[0].tools["export_*"].gate = "files.export";
    expect(() => parseCatalogue({ ...bundled, ...example })).toThrow("no tier adds the gate files.export");
    const tiers = bundled.tiers.map((tier) => (tier.id === "pro" ? { ...tier, ...after } : tier));
    const catalogue = parseCatalogue({ ...bundled, tiers, ...example });
    expect(tierWith(catalogue, "files.export")?.name).toBe("Pro");
  });

  it("has code for Node that accepts only identity tokens for its upstream", async () => {
    const upstream = await startUpstream();
    const app = await startBefore(upstream.url);
    // Inside the package, so that its import of jose resolves.
    const file = join(packageRoot, "test/docs", `.identity-${process.pid}.mjs`);
    onTestFinished(() => rmSync(file, { force: true }));
    writeFileSync(file, verificationIn("node", { issuer: app.url, audience: upstream.url }));
    const { identityOf } = await import(/* @vite-ignore */ pathToFileURL(file).href);
    await post(app, calling("echo"));
    const { headers } = upstream.received[0]!;
    expect(await identityOf(headers)).toMatchObject({ iss: app.url, aud: upstream.url, tool: "echo" });
    const entitlements = (await app.request("GET", "/api/v1/entitlements/resolve")).body.signature;
    for (const authorization of [undefined, "Bearer x", `Bearer ${entitlements}`]) {
      await expect(identityOf({ authorization })).rejects.toThrow();
    }
  });
});

function exampleOf(text: string) {
  return JSON.parse(/```json\n(.*?)```/s.exec(text)?.[1] as string);
}
