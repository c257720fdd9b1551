import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import bundled from "../../src/metering/catalogue.json" with { type: "json" };
import { packageRoot } from "../../src/system/package.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { runBeside } from "../support/programs.ts";
import { temporaryDirectory } from "../support/store.ts";

const page = readFileSync(join(packageRoot, "docs/extending/entitlements.md"), "utf8");
const HOUR = 3_600_000;

function codeIn(language: string): string {
  const [, code] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(page) ?? [];
  if (code === undefined) throw new Error(`The page has no code for ${language}.`);
  return code;
}

function codeFor(language: string, app: TestApp): string {
  return codeIn(language).replace("https://control.example.com", app.url);
}

/** A Python with the modules that the page uses. Debian's packages are those of the system's own Python. */
const python = ["python3", "/usr/bin/python3"].find(
  (program) => spawnSync(program, ["-c", "import jwt, cryptography, requests"]).status === 0,
);
if (!python) process.stderr.write("Skipped: Python lacks pyjwt, cryptography or requests.\n");

describe("docs/extending/entitlements.md", () => {
  it("has code for Node that goes by a document offline, for as long as the policy says", async () => {
    const app = await startApp();
    const { token, account, other } = await parties(app);
    // Inside the package, so that its import of jose resolves.
    const file = join(packageRoot, "test/docs", `.entitlements-${process.pid}.mjs`);
    onTestFinished(() => rmSync(file, { force: true }));
    writeFileSync(file, codeFor("js", app));
    const { fetchEntitlements, readEntitlements, isGranted } = await import(
      /* @vite-ignore */ pathToFileURL(file).href
    );

    const kept = JSON.parse(JSON.stringify(await fetchEntitlements(token)));
    const document = await readEntitlements(kept, account);
    expect(isGranted(document, "skills.basic")).toBe(true);
    expect(isGranted(document, "audit_logs")).toBe(false);
    expect(isGranted({ features: ["agents.*"] }, "agents.of.mine")).toBe(true);
    expect(isGranted({ features: ["agents.*"] }, "agentsmith")).toBe(false);

    const later = Date.parse(document.expiresAt);
    expect(await readEntitlements(kept, account, later + 23 * HOUR)).toEqual(document);
    // The policy of the built-in catalogue leaves the gates as they were.
    expect(await readEntitlements(kept, account, later + 25 * HOUR)).toEqual(document);

    await expect(readEntitlements(kept, other)).rejects.toThrow("another account's");
    const [head, payload, signature] = kept.signature.split(".");
    const forged = { ...kept, signature: [head, `${payload}A`, signature].join(".") };
    await expect(readEntitlements(forged, account)).rejects.toThrow();
    await expect(fetchEntitlements("tak_nobody")).rejects.toThrow("401");
  });

  it("closes all gates after the grace where the policy says so, and where the clock was set back", async () => {
    const plansFile = join(temporaryDirectory(), "plans.json");
    const policy = { ...bundled.policy, onUnreachable: "deny" };
    writeFileSync(plansFile, JSON.stringify({ ...bundled, policy }));
    const app = await startApp({ plansFile });
    const { token, account } = await parties(app);
    const file = join(packageRoot, "test/docs", `.entitlements-deny-${process.pid}.mjs`);
    onTestFinished(() => rmSync(file, { force: true }));
    writeFileSync(file, codeFor("js", app));
    const { fetchEntitlements, readEntitlements } = await import(/* @vite-ignore */ pathToFileURL(file).href);
    const kept = await fetchEntitlements(token);
    const { expiresAt, resolvedAt, features } = await readEntitlements(kept, account);
    const featuresAt = async (now: number) => (await readEntitlements(kept, account, now)).features;
    expect(features).toContain("skills.basic");
    expect(await featuresAt(Date.parse(expiresAt) + 23 * HOUR)).toEqual(features);
    expect(await featuresAt(Date.parse(expiresAt) + 25 * HOUR)).toEqual([]);
    expect(await featuresAt(Date.parse(resolvedAt) - HOUR)).toEqual([]);
  });

  it.skipIf(!python)("has code for Python that goes by a document", async () => {
    const app = await startApp();
    const { token, account, other } = await parties(app);
    const folder = temporaryDirectory();
    writeFileSync(join(folder, "entitlements.py"), codeFor("python", app));
    const use = `
import jwt, entitlements as e
from datetime import datetime, timedelta, timezone
kept = e.fetch_entitlements("${token}")
later = datetime.now(timezone.utc) + timedelta(days=2)
for now in (None, later):
    document = e.read_entitlements(kept, "${account}", now)
    print(e.is_granted(document, "skills.basic"), e.is_granted(document, "audit_logs"))
try:
    e.read_entitlements(kept, "${other}")
except jwt.InvalidTokenError as error:
    print(error)
`;
    const { status, output } = await runBeside([python as string, "-c", use], { cwd: folder });
    expect(status, output).toBe(0);
    expect(output.trim().split("\n")).toEqual(["True False", "True False", "another account's"]);
  });
});

async function parties(app: TestApp) {
  const [ours, others] = [await app.account("free"), await app.account("free")];
  return { token: ours.token, account: ours.accountId, other: others.accountId };
}
