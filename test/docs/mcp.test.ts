import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { verificationIn } from "../../src/cli/mcp/verification.ts";
import { languages } from "../../src/cli/mcp/verify-header.ts";
import bundled from "../../src/metering/catalogue.json" with { type: "json" };
import { parseCatalogue } from "../../src/metering/plans.ts";
import { packageRoot } from "../../src/system/package.ts";
import { calling, post, startBefore, startUpstream } from "../support/services/upstream.ts";

const page = readFileSync(join(packageRoot, "docs/mcp.md"), "utf8");
const PARTIES = { issuer: "https://control.example.com", audience: "https://files.example.com/mcp" };

describe("docs/mcp.md", () => {
  it.each(languages)("shows the code that `tool mcp verify-header --language %s` prints", (language) => {
    expect(page).toContain(verificationIn(language, PARTIES));
  });

  it("has an example of a valid catalogue", () => {
    const example = /```json\n(.*?)```/s.exec(page)?.[1] as string;
    const { upstreams } = parseCatalogue({ ...bundled, ...JSON.parse(example) });
    expect(upstreams?.[0]?.name).toBe("files");
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
