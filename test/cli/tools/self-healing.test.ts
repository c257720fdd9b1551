import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startOwner } from "../support/owner.ts";

async function diagnosed() {
  const { tool, home } = await startOwner();
  writeFileSync(join(home, "build.log"), "Error: Cannot find module 'left-pad'\n");
  writeFileSync(join(home, "good.log"), "31 passed in 1.2s\n");
  const { json } = await tool("diagnose", "build.log", "--exit-code", "1", "--json");
  return { tool, diagnosis: json.diagnosis ?? json };
}

describe("tool self-healing", () => {
  it("records a fix in the user's own words by fingerprint, and then suggests the fix", async () => {
    const { tool, diagnosis } = await diagnosed();
    const { fingerprint } = diagnosis;
    const words = ["--fix", "Added left-pad to package.json", "--note", "It was a new import"];
    const recorded = await tool("self-healing", "record", fingerprint, "success", ...words, "--json");
    expect(recorded.code).toBe(0);
    expect(recorded.json).toMatchObject({
      fingerprint,
      category: "dependency_resolution",
      outcome: "success",
      suggestion: { title: "Added left-pad to package.json", attempts: 1 },
    });
    const again = await tool("diagnose", "build.log", "--exit-code", "1");
    expect(again.stdout).toMatch(/^Try\n {2}Added left-pad to package\.json 60 % likely/m);
    const failed = await tool(
      "self-healing",
      "record",
      diagnosis.diagnosisId,
      "failure",
      "--fix",
      "Added left-pad to package.json",
    );
    expect(failed.stdout).toMatch(
      /^✔ Recorded the failure of "Added left-pad .*": 49 % .*\(tried 2 times\)$/m,
    );
  });

  it("lists diagnoses newest first, by category and up to --limit", async () => {
    const { tool, diagnosis } = await diagnosed();
    await tool("diagnose", "good.log");
    const all = await tool("self-healing", "history", "--json");
    expect(all.json.items.map(({ category }: { category: string }) => category)).toEqual([
      "unknown",
      "dependency_resolution",
    ]);
    const one = await tool("self-healing", "history", "--limit", "1");
    expect(one.stdout).toMatch(/^dia_\w+ +\S.* +nothing failed$/m);
    expect(one.stdout).not.toContain(diagnosis.diagnosisId);
    const kind = await tool("self-healing", "history", "--category", "dependency_resolution");
    expect(kind.stdout).toMatch(new RegExp(`^${diagnosis.diagnosisId} .*left-pad`, "m"));
  });

  it("reports an invalid outcome, category or limit, and an unknown fingerprint", async () => {
    const { tool, diagnosis } = await diagnosed();
    const maybe = await tool("self-healing", "record", diagnosis.diagnosisId, "perhaps");
    expect([maybe.code, maybe.stderr]).toEqual([2, expect.stringMatching(/success.*failure/)]);
    const kind = await tool("self-healing", "history", "--category", "bad-luck");
    expect([kind.code, kind.stderr]).toEqual([2, expect.stringContaining("dependency_resolution")]);
    const limit = await tool("self-healing", "history", "--limit", "0");
    expect([limit.code, limit.stderr]).toEqual([2, expect.stringContaining("200")]);
    const nobody = await tool("self-healing", "record", `fp_${"0".repeat(24)}`, "success");
    expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining(`fp_${"0".repeat(24)}`)]);
  });
});
